/* Matches a written move against the legal moves, and explains why none or several match. Thread-safe. */
#ifndef EINSPUL_STUDY_MOVE_MATCH_H
#define EINSPUL_STUDY_MOVE_MATCH_H

#include "core/fen.h"
#include "study/notation.h"

enum { MAX_MATCHES = 8, MAX_WRITTEN = 32, WHY_SIZE = 256 };

/* A move as it is written, of `n` bytes: a token PDN_MOVE of study/pdn.h. */
struct written_move {
    const char *text;
    size_t n;
};

/* Reads the squares of a move, and their notation. Returns the number of squares; 0 for a bare `x`,
 * 1 for `ed4`; -1 if a square is off the board or there are too many. */
int written_squares(const struct board *board, struct written_move written,
                    int squares[MAX_WRITTEN], enum notation *notation);

/* Finds the moves of `list`, all legal ones of `state`, that a text may mean: their number, and the
 * first MAX_MATCHES of them. All separators are equivalent. Intermediate squares may be landing or
 * captured squares, in order; they are used only to choose among moves with the same from and to. A
 * column in place of the first square means each piece in it. A bare `x` means every capture. */
int moves_match(const struct rules *rules, const struct state *state, const struct move_list *list,
                struct written_move written, const struct move *found[MAX_MATCHES]);

/* Says why a text means none of the legal moves, or more than one. */
void move_why_not(const struct rules *rules, const struct state *state,
                  const struct move_list *list, struct written_move written, char why[WHY_SIZE]);

#endif
