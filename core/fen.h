/* Positions as text: FEN with the rule state. */
#ifndef EINSPUL_CORE_FEN_H
#define EINSPUL_CORE_FEN_H

#include "core/placement.h"

/* Bytes that hold any FEN written here, and any note of a lenient reading, end byte included. */
enum { FEN_SIZE = 320, FEN_NOTE_SIZE = 512 };

/* Reads `W:W28,K46:BK43`, either colour first, ranges, spaces and a final dot allowed, followed by
 * the optional rule state `:H<clock>:F<n>:+<black run>+<white run>:L<W|B><clock>`; the last one is
 * the limit of a side that had two kings against one, in K v K after a capture. An empty list of the
 * side to move, as in `B:WK5:B`, means that it has lost its last pieces; the other side has some.
 * The whole text must be used and the state must be one the rules allow. BAD_FEN or BAD_POSITION says what and
 * where. */
enum status fen_read(const struct rules *rules, const char *text, struct state *state,
                     struct error *error);

/* The same for texts as people have them (docs/rules.md). Also read are: a link or a PDN tag that
 * holds a FEN; a clock up to 100 in material without one; a king run whose king or last man is
 * gone, without its square, or under rules without runs; ghosts, which lidraughts writes for pieces
 * of an unfinished capture. `note` says in one line what was passed over or supplied, and is empty
 * where nothing was. Columns in errors are those of `text`. */
enum status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                             char note[FEN_NOTE_SIZE], struct error *error);

/* Writes the FEN: White first, squares ascending, no ranges, no dot; the rule state only when it is
 * not fresh. `text` has FEN_SIZE bytes. */
void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE]);

#endif
