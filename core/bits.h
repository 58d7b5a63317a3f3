/* Bits of words that are no sets of squares, for the programs. */
#ifndef EINSPUL_CORE_BITS_H
#define EINSPUL_CORE_BITS_H

#include "core/compiler.h"

/* The number of bits set. */
static inline int bits_count(uint64_t word)
{
    return squares_count(word);
}

/* The number of the lowest bit set in a word, which must not be 0. */
static inline int bits_first(uint64_t word)
{
    return squares_first(word);
}

/* The number of the highest bit set in a word, which must not be 0. */
static inline int bits_last(uint64_t word)
{
#ifdef LAST_BIT
    return LAST_BIT(word);
#else
    for (int shift = 1; shift < 64; shift *= 2)
        word |= word >> shift; /* all bits below it too */
    return bits_count(word) - 1;
#endif
}

#endif
