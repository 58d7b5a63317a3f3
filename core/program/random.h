/* Random numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood 2014). For
 * sampling and tests; not cryptographic. */
#ifndef EINSPUL_CORE_PROGRAM_RANDOM_H
#define EINSPUL_CORE_PROGRAM_RANDOM_H

#include <stdint.h>

/* A hash of `x`: every bit of it depends on every bit of `x`. */
static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The next number of a stream. `state` starts as the seed, any number. */
static inline uint64_t random_next(uint64_t *state)
{
    const uint64_t x = *state;
    *state += 0x9e3779b97f4a7c15u;
    return random_mix(x);
}

/* A number 0..n-1; probabilities differ by less than n in 2^64. */
static inline int random_below(uint64_t *state, int n)
{
    return (int)(random_next(state) % (uint64_t)n);
}

#endif
