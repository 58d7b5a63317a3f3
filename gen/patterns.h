/* A dictionary of patterns: the values of one placement over all its king-run states, each distinct
 * one kept once and numbered in order of first appearance. Not thread-safe. */
#ifndef EINSPUL_GEN_PATTERNS_H
#define EINSPUL_GEN_PATTERNS_H

#include "core/status.h"
#include "core/value.h"

struct patterns {
    int length;        /* values of a pattern */
    uint32_t n;        /* patterns so far */
    uint32_t capacity; /* patterns there is room for */
    value_t *values;   /* n * length */
    uint32_t *buckets; /* open addressing: pattern number + 1, or 0; a power of two of them */
    uint32_t n_buckets;
};

enum { MAX_PATTERNS = 1 << 24 }; /* a pattern number has 24 bits */

/* With length 1 the dictionary is complete from the start: pattern v is the value v. */
enum status patterns_init(struct patterns *patterns, int length);
void patterns_free(struct patterns *patterns);

/* Forgets all patterns (for length 1: nothing), keeps the memory. */
void patterns_clear(struct patterns *patterns);

/* The number of a pattern, added if it is new. NO_MEMORY; TOO_LONG beyond MAX_PATTERNS. */
enum status patterns_add(struct patterns *patterns, const value_t *pattern, uint32_t *number);

#endif
