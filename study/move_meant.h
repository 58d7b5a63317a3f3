/* The legal move that somebody meant, and why there is none. Thread-safe. */
#ifndef EINSPUL_STUDY_MOVE_MEANT_H
#define EINSPUL_STUDY_MOVE_MEANT_H

#include "core/fen.h"
#include "study/notation.h"

enum { MOST_MEANT = 8, MOST_WRITTEN = 32, WHY_SIZE = 256 };

/* A move as it is written, of `n` bytes: a token PDN_MOVE of study/pdn.h. */
struct written_move {
    const char *text;
    size_t n;
};

/* The squares of a move, and their notation; their number, which is 0 for a bare `x`, 1 for `ed4`,
 * and -1 if one is not on the board or there are too many. */
int written_squares(const struct board *board, struct written_move written,
                    int squares[MOST_WRITTEN], enum notation *notation);

/* Finds the moves of `list`, all legal ones of `state`, that a text may mean: their number, and the
 * first MOST_MEANT of them. Any separator is taken for any other. Squares between from and to are
 * some of those that the piece lands on or captures, in their order, but are looked at only where
 * several moves have the same from and to. A column in place of the first square means each piece
 * in it. A bare `x` means every capture. */
int moves_meant(const struct rules *rules, const struct state *state, const struct move_list *list,
                struct written_move written, const struct move *found[MOST_MEANT]);

/* Says why a text means none of the legal moves, or more than one. */
void move_why_not(const struct rules *rules, const struct state *state,
                  const struct move_list *list, struct written_move written, char why[WHY_SIZE]);

#endif
