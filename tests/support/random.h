/* Numbers that are the same on every machine (splitmix64). */
#ifndef EINSPUL_TESTS_SUPPORT_RANDOM_H
#define EINSPUL_TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline int random_below(uint64_t *seed, int n)
{
    return (int)(random_next(seed) % (uint64_t)n);
}

#endif
