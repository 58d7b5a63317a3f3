/* Positions given by the user: FENs as arguments or lines of input. */
#ifndef EINSPUL_CLI_POSITION_H
#define EINSPUL_CLI_POSITION_H

#include "cli/options.h"
#include "study/fen_lenient.h"

/* Reads a FEN of `n_bytes` bytes, leniently unless --strict was given; `note` is empty if nothing
 * was ignored. */
einspul_status fen_given_read(const struct options *options, const char *text, size_t n_bytes,
                              struct state *state, char note[FEN_NOTE_SIZE],
                              enum notation *notation, einspul_error *error);

/* Reads the single position of a command, with the note on standard error; false after a message.
 * `before` prefixes the text in messages: "--fen ", or nothing. `*notation`, if not NULL, is that
 * of --notation, or else how the squares were written. */
bool fen_given(const struct options *options, const char *before, const char *text,
               struct state *state, enum notation *notation);

#endif
