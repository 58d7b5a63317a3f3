/* The program takes what people have and says what it passed over; the library takes what is
 * right. */
#include "cli/fen_given.h"

enum status fen_given_read(const struct options *options, const char *text, struct state *state,
                           char note[FEN_NOTE_SIZE], struct error *error)
{
    note[0] = '\0';
    if (options->strict)
        return fen_read(&options->rules, text, state, error);
    return fen_read_lenient(&options->rules, text, state, note, error);
}

void fen_given_note(const struct options *options, const char *before, const char *text,
                    const char *note)
{
    if (note[0] != '\0')
        complain(options, "%s%.400s: %s", before, text, note);
}

bool fen_given(const struct options *options, const char *before, const char *text,
               struct state *state)
{
    char note[FEN_NOTE_SIZE];
    struct error error;
    if (fen_given_read(options, text, state, note, &error) != STATUS_OK) {
        complain(options, "%s%.400s: %s", before, text, error.text);
        return false;
    }
    fen_given_note(options, before, text, note);
    return true;
}
