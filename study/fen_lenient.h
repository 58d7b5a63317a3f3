/* Lenient FEN reader: accepts FENs written by people, other programs and web sites. Thread-safe;
 * accepts arbitrary bytes. */
#ifndef EINSPUL_STUDY_FEN_LENIENT_H
#define EINSPUL_STUDY_FEN_LENIENT_H

#include "core/fen.h"
#include "study/fen_unwrap.h"
#include "study/notation.h"

/* Accepts everything fen_read does, and: a link (http or https; lidraughts.org also without the
 * scheme) with a FEN in its `fen` parameter or after its last slash; PDN tags including FEN; quotes
 * and `FEN:` around it; squares in letters (c3); `?` for the side to move, or the side written
 * twice; spaces for the pluses of king runs; a clock up to 100 in material without one; a king run
 * without a square, of a captured king, of a side without men, or under rules without runs; a
 * side's limit where the rules have none; and ghosts, which lidraughts writes for pieces of an
 * unfinished capture (docs/rules.md). Nothing is fetched.
 *
 * `note` is one line that names ignored or assumed parts; empty if there are none, or after an error.
 * `*notation`, if not NULL, is how the squares were written; `*said`, if not NULL, the mistake that
 * fen_read found, or the parts in the note. Columns in errors are those of `text`. Errors of
 * fen_read, and NO_MEMORY. */
einspul_status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                                char note[FEN_NOTE_SIZE], enum notation *notation,
                                struct fen_said *said, einspul_error *error);

#endif
