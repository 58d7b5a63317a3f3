/* A dictionary of patterns: the values of one placement over all its king-run states, each distinct
 * one kept once and numbered in order of first appearance. Not thread-safe. */
#ifndef EINSPUL_GEN_VALUES_PATTERNS_H
#define EINSPUL_GEN_VALUES_PATTERNS_H

#include "core/status.h"
#include "core/value.h"

struct patterns {
    int length;        /* values of a pattern */
    int value_bytes;   /* of a value: 1, and 2 from the first one on that needs it */
    uint32_t n;        /* patterns so far */
    uint32_t capacity; /* patterns there is room for */
    uint8_t *values;   /* n * length * value_bytes */
    uint32_t *buckets; /* open addressing: pattern number + 1, or 0; a power of two of them */
    uint32_t n_buckets;
};

enum { MAX_PATTERNS = 1 << 24 }; /* a pattern number has 24 bits */

/* With length 1 the dictionary has all bytes from the start: pattern v is the byte v. */
enum status patterns_init(struct patterns *patterns, int length);
void patterns_free(struct patterns *patterns);

/* Forgets all patterns (for length 1: but for the bytes), and that any was of two bytes a value; keeps
 * the memory. */
void patterns_clear(struct patterns *patterns);

/* The number of a pattern, whose values are of patterns->value_bytes bytes; added if it is new.
 * NO_MEMORY; TOO_LONG beyond MAX_PATTERNS. */
enum status patterns_add(struct patterns *patterns, const void *pattern, uint32_t *number);

/* Gives values two bytes each from now on; patterns keep their numbers. On NO_MEMORY the dictionary
 * is as it was. */
enum status patterns_widen(struct patterns *patterns);

#endif
