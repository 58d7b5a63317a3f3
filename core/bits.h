/* Bit operations on sets of squares and other words. */
#ifndef EINSPUL_CORE_BITS_H
#define EINSPUL_CORE_BITS_H

#include "core/compiler.h"

/* The number of bits set. Baseline x86-64 has no popcnt instruction; compilers then call a library
 * function, which takes three times as long as the code below. */
static inline int bits_count(uint64_t word)
{
#if HAS_GNU_C && (defined(__POPCNT__) || !defined(__x86_64__))
    return __builtin_popcountll(word);
#else
#if HAS_GNU_C && !defined(EINSPUL_PORTABLE)
    if (__builtin_cpu_supports("popcnt")) {
        __asm__("popcntq %1, %0" : "=r"(word) : "rm"(word) : "cc");
        return (int)word;
    }
#endif
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
#endif
}

/* The lowest bit set in a word, which must not be 0: the first square of a set. */
static inline int bits_first(uint64_t word)
{
#if HAS_GNU_C
    return __builtin_ctzll(word);
#else
    return bits_count((word & (0 - word)) - 1);
#endif
}

#endif
