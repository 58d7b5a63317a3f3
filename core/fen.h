/* Positions as text: FEN with the rule state. Thread-safe; whatever the locale, and in time linear
 * in the text. A text may contain anything: what cannot be read is BAD_FEN, never a crash. */
#ifndef EINSPUL_CORE_FEN_H
#define EINSPUL_CORE_FEN_H

#include "core/placement.h"

/* The sizes of buffers for any FEN and any fault, end byte included. */
enum { FEN_SIZE = 320, FEN_FAULT_SIZE = 64 };

/* Reads `W:W28,K46:BK43`, either colour first, ranges, spaces and a final dot allowed, followed by
 * the optional rule state `:H<clock>:F<n>:+<black run>+<white run>:L<W|B><clock>`. `L` is the
 * limit, in K v K after a capture, of a side that had two kings against one. The side to move may
 * have an empty list, as in `B:WK5:B`: it has lost its last pieces. The whole text must be used,
 * and the rules must allow the state. BAD_FEN or BAD_POSITION names the mistake and its column. */
einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        einspul_error *error);

/* The same. `fault` says what is wrong with the text for those who word it themselves: a code and
 * what it is about, as "SQUARE_TWICE 28 4"; it is empty if that has no code. */
einspul_status fen_read_fault(const struct rules *rules, const char *text, struct state *state,
                              char fault[FEN_FAULT_SIZE], einspul_error *error);

/* Writes the FEN: White first, squares ascending, no ranges, no dot; the rule state only when it is
 * not fresh, and runs only where the rules have any. `text` has FEN_SIZE bytes. */
void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE]);

#endif
