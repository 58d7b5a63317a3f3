/* Boards with ghost squares, for engines that have one: copy what you need. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <stdint.h>

/* Convert sets of squares of the 10x10 board from and to the bitboards of other engines, which pad
 * the rows of five with ghost bits: `gap` of them between the two rows of a pair, and `period` bits
 * from one pair to the next. Ghost bits are dropped. */
static inline uint64_t squares_from_layout(uint64_t bits, int gap, int period)
{
    uint64_t squares = 0;
    for (int pair = 0; pair < 5; pair++, bits >>= period)
        squares |= ((bits & 0x1f) | (bits >> gap & 0x3e0)) << 10 * pair;
    return squares;
}

static inline uint64_t squares_to_layout(uint64_t squares, int gap, int period)
{
    uint64_t bits = 0;
    for (int pair = 0; pair < 5; pair++, squares >>= 10)
        bits |= ((squares & 0x1f) | (squares & 0x3e0) << gap) << period * pair;
    return bits;
}

/* Scan: 63 bits, 13 for each pair of rows; square n is bit (n-1)/10*13 + (n-1)%10, plus one in the
 * second row of a pair. */
static inline uint64_t squares_from_scan(uint64_t bits)
{
    return squares_from_layout(bits, 1, 13);
}

static inline uint64_t squares_to_scan(uint64_t squares)
{
    return squares_to_layout(squares, 1, 13);
}

/* Kingsrow, egdb_intl, dctl and Moby Dam: 54 bits, 11 for each pair of rows; square n is bit
 * n-1 + (n-1)/10. */
static inline uint64_t squares_from_kingsrow(uint64_t bits)
{
    return squares_from_layout(bits, 0, 11);
}

static inline uint64_t squares_to_kingsrow(uint64_t squares)
{
    return squares_to_layout(squares, 0, 11);
}

#endif
