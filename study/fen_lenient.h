/* Positions as people have them: FENs of other programs, with what stands around them. Thread-safe;
 * a text may contain anything. */
#ifndef EINSPUL_STUDY_FEN_LENIENT_H
#define EINSPUL_STUDY_FEN_LENIENT_H

#include "core/fen.h"
#include "study/notation.h"

enum { FEN_NOTE_SIZE = 512 };

/* Reads what fen_read takes, and also: a link (http or https; lidraughts.org also without the
 * scheme) with a FEN in its parameter `fen` or behind its last slash; tags of a PDN file, one of
 * them FEN; quotes and `FEN:` around it; squares in letters; `?` for the side to move, or the side
 * written twice; spaces for the pluses of king runs; a clock up to 100 in material without one; a
 * king run whose king or last man is gone, without its square, or under rules without runs; a side's
 * limit where the rules have none; and ghosts, which lidraughts writes for pieces of an unfinished
 * capture (docs/rules.md). Nothing is fetched.
 *
 * `note` says in one line what was ignored or assumed, after an error the fault that fen_read
 * tells; or it is empty. `*notation`, if not NULL, is how the squares were written. Columns in errors
 * are those of `text`. Errors of fen_read, and NO_MEMORY. */
einspul_status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                                char note[FEN_NOTE_SIZE], enum notation *notation,
                                einspul_error *error);

/* True for a text that begins as a link, valid or not; leading spaces are allowed. */
bool fen_is_link(const char *text);

/* True for a link to lidraughts.org. */
bool fen_is_site_link(const char *text);

#endif
