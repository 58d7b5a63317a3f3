/* Frisian draughts as an engine has it: moves, and positions that remember what the tables ask. */
#ifndef EXAMPLE_FRISIAN_H
#define EXAMPLE_FRISIAN_H

#include <einspul.h>

enum { MAX_MOVES = 512 }; /* of a position; more do not occur in play */

/* Moves with the same squares and the same captured pieces are one move. */
struct frisian_move {
    int from, to; /* squares 1..50 */
    uint64_t captured;
};

/* Fills in all legal moves; returns how many there are, 0 when the side to move has lost. */
int frisian_moves(const einspul_position *position, struct frisian_move moves[MAX_MOVES]);

/* The position after a legal move, with the king runs and the clock of two kings against one. */
einspul_position frisian_play(const einspul_position *position, const struct frisian_move *move);

int frisian_pieces(const einspul_position *position);

/* Of the side to move less the other's: 100 a man, 300 a king. */
int frisian_material(const einspul_position *position);

#endif
