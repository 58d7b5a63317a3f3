/* Squares are numbered row by row, so rotating the board reverses their order. */
#include "core/program/flip.h"

/* The bytes in reverse order. */
static uint64_t bytes_swap(uint64_t word)
{
    word = (word & 0x00ff00ff00ff00ffu) << 8 | (word >> 8 & 0x00ff00ff00ff00ffu);
    word = (word & 0x0000ffff0000ffffu) << 16 | (word >> 16 & 0x0000ffff0000ffffu);
    return word << 32 | word >> 32;
}

squares_t board_rotate(const struct board *board, squares_t squares)
{
    /* Reverse all 64 bits, then drop the empty low end. */
    squares_t x = squares;
    x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1);
    x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fu) | ((x & 0x0f0f0f0f0f0f0f0fu) << 4);
    x = bytes_swap(x);
    return x >> (64 - board->n_squares);
}

struct placement placement_flip(const struct board *board, const struct placement *placement)
{
    struct placement flipped;
    for (int side = WHITE; side <= BLACK; side++) {
        flipped.men[!side] = board_rotate(board, placement->men[side]);
        flipped.kings[!side] = board_rotate(board, placement->kings[side]);
    }
    flipped.side = side_other(placement->side);
    return flipped;
}

struct state state_flip(const struct board *board, const struct state *state)
{
    struct state flipped = {.at = placement_flip(board, &state->at), .clock = state->clock};
    if (state->limited != 0)
        flipped.limited = state->limited == 1 + WHITE ? 1 + BLACK : 1 + WHITE;
    for (int side = WHITE; side <= BLACK; side++) {
        flipped.run[!side] = state->run[side];
        if (state->run[side].count > 0)
            flipped.run[!side].square = (uint8_t)(board->n_squares - 1 - state->run[side].square);
    }
    return flipped;
}
