/* Reading positions given by users, on the command line or in lists. */
#ifndef EINSPUL_CLI_FEN_GIVEN_H
#define EINSPUL_CLI_FEN_GIVEN_H

#include "cli/options.h"
#include "core/fen.h"

/* Reads a FEN, leniently unless --strict was given; `note` is empty if nothing was ignored. */
enum status fen_given_read(const struct options *options, const char *text, struct state *state,
                           char note[FEN_NOTE_SIZE], struct error *error);

/* Prints a note on standard error, unless it is empty. */
void fen_given_note(const struct options *options, const char *before, const char *text,
                    const char *note);

/* Both for a command's one position: false after a message. `before` stands before the text in
 * messages: "--fen ", or nothing. */
bool fen_given(const struct options *options, const char *before, const char *text,
               struct state *state);

#endif
