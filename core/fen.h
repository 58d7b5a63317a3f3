/* Positions and moves as text: FEN with the rule state, `32-28` and `28x39`. Thread-safe,
 * independent of the locale, linear time. Input may be any bytes: what is not a FEN is BAD_FEN. */
#ifndef EINSPUL_CORE_FEN_H
#define EINSPUL_CORE_FEN_H

#include "core/moves.h"

/* The sizes of buffers for any FEN and move, terminating NUL included. */
enum { FEN_SIZE = EINSPUL_FEN_SIZE, MOVE_TEXT_SIZE = EINSPUL_MOVE_TEXT_SIZE };

/* A mistake in a FEN, for callers that phrase their own messages. */
struct fen_fault {
    const char *code; /* such as "SQUARE_TWICE"; NULL: the error has none */
    const char *side; /* name of the side it concerns, or NULL */
    int n_numbers;
    int number[2]; /* square, column */
};

/* Reads `W:W28,K46:BK43`, either colour first, ranges, spaces, a comma after a list and a final dot
 * allowed, followed by the optional rule state `:H<clock>:F<n>:+<black run>+<white run>:L<W|B><clock>`. `L` is the
 * limit, in K v K after a capture, of a side that had two kings against one. The side to move may
 * have an empty list, as in `B:WK5:B`: it has lost its last pieces. The whole text must be
 * consumed, and the state must be legal. The message of BAD_FEN names the error and its column,
 * that of BAD_POSITION the square.
 *
 * `fault`, if not NULL, receives the mistake of BAD_FEN. */
einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        struct fen_fault *fault, einspul_error *error);

/* Writes the FEN: White first, squares ascending, no ranges, no dot; the rule state only if it is
 * not fresh, and runs only where the rules have any. `text` has FEN_SIZE bytes. */
void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE]);

/* Writes a move of `list` as `32-28` or `28x39`, or with the full path if another capture of the
 * list has the same from and to. `text` has MOVE_TEXT_SIZE bytes. */
void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE]);

/* Finds the move of `list` with the given text: `32-28`, `28x39` or a path. NULL if no move, or
 * more than one, has it. */
const struct move *move_read(const struct move_list *list, const char *text);

#endif
