/* The program reads FENs leniently and notes the parts it ignored; the library reads only correct
 * ones. */
#include "cli/position.h"

#include <string.h>

#include "cli/print.h"

einspul_status fen_given_read(const struct options *options, const char *text, size_t n_bytes,
                              struct state *state, char note[FEN_NOTE_SIZE],
                              enum notation *notation, einspul_error *error)
{
    const size_t length = strlen(text);
    if (length < n_bytes)
        return error_set(error, EINSPUL_BAD_FEN, "the FEN contains a NUL byte at column %zu",
                         length + 1);
    note[0] = '\0';
    *notation = NOTATION_NUMBERS;
    if (options->strict)
        return fen_read(&options->rules, text, state, NULL, error);
    return fen_read_lenient(&options->rules, text, state, note, notation, NULL, error);
}

bool fen_given(const struct options *options, const char *before, const char *text,
               struct state *state, enum notation *notation)
{
    enum notation read_as = NOTATION_NUMBERS;
    char note[FEN_NOTE_SIZE];
    einspul_error error;
    const bool read =
        fen_given_read(options, text, strlen(text), state, note, &read_as, &error) == EINSPUL_OK;
    if (notation != NULL)
        *notation = options->notation != NOTATION_AS_GIVEN ? options->notation : read_as;
    if (!read || note[0] != '\0')
        command_message(options, "%s%.400s: %s", before, text, read ? note : error.text);
    return read;
}
