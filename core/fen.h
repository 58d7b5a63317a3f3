/* Positions and moves as text: FEN with the rule state, `32-28` and `28x39`. Thread-safe; whatever
 * the locale, and in time linear in the text. A text may contain anything: what cannot be read is
 * BAD_FEN, never a crash. */
#ifndef EINSPUL_CORE_FEN_H
#define EINSPUL_CORE_FEN_H

#include "core/moves.h"

/* The sizes of buffers for any FEN, fault and move, end byte included. */
enum { FEN_SIZE = 320, FEN_FAULT_SIZE = 64, MOVE_TEXT_SIZE = 160 };

/* Reads `W:W28,K46:BK43`, either colour first, ranges, spaces and a final dot allowed, followed by
 * the optional rule state `:H<clock>:F<n>:+<black run>+<white run>:L<W|B><clock>`. `L` is the
 * limit, in K v K after a capture, of a side that had two kings against one. The side to move may
 * have an empty list, as in `B:WK5:B`: it has lost its last pieces. The whole text must be used,
 * and the rules must allow the state. BAD_FEN or BAD_POSITION names the mistake and its column.
 *
 * `fault`, FEN_FAULT_SIZE bytes or NULL, says what is wrong with the text for those who word it
 * themselves: a code and what it is about, as "SQUARE_TWICE 28 4"; empty if that has no code. */
einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        char *fault, einspul_error *error);

/* Writes the FEN: White first, squares ascending, no ranges, no dot; the rule state only when it is
 * not fresh, and runs only where the rules have any. `text` has FEN_SIZE bytes. */
void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE]);

/* Writes a move of `list` as `32-28` or `28x39`, or with the full path if another capture of the
 * list has the same from and to. `text` has MOVE_TEXT_SIZE bytes. */
void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE]);

/* Finds the move of `list` with the given text: `32-28`, `28x39` or a path. NULL if there is no
 * such move, or more than one. */
const struct move *move_read(const struct move_list *list, const char *text);

/* --- characters and numbers ------------------------------------------------------------------- */

/* Of a byte, or -1 for the end of the input. */
static inline bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Writes 0..999 in decimal, without an end byte; returns a pointer to the position after it. For
 * squares, run counts and clocks: sprintf would take most of the time of programs that write many
 * FENs and move texts per second. */
static inline char *number_write(char *text, int number)
{
    if (number >= 100)
        *text++ = (char)('0' + number / 100);
    if (number >= 10)
        *text++ = (char)('0' + number / 10 % 10);
    *text++ = (char)('0' + number % 10);
    return text;
}

#endif
