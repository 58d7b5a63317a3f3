/* A dictionary of patterns: the values of one placement over all its king-run states, each distinct
 * one kept once and numbered in order of first appearance. Not thread-safe. */
#ifndef EINSPUL_GEN_VALUES_PATTERNS_H
#define EINSPUL_GEN_VALUES_PATTERNS_H

#include "core/status.h"
#include "core/value.h"

struct patterns {
    int length;        /* values of a pattern */
    int value_bytes;   /* of a value: 1 or 2 */
    uint32_t n;        /* patterns so far */
    uint32_t capacity; /* patterns there is room for */
    uint8_t *values;   /* n * length * value_bytes */
    uint32_t *buckets; /* open addressing: pattern number + 1, or 0; a power of two of them */
    uint32_t n_buckets;
};

enum { MAX_PATTERNS = 1 << 24 }; /* a pattern number has 24 bits */

/* Of `length` values of `value_bytes` each. Where that is one byte, the dictionary has all bytes from
 * the start: pattern v is the byte v. */
enum status patterns_init(struct patterns *patterns, int length, int value_bytes);
void patterns_free(struct patterns *patterns);

/* Forgets all patterns, but for such bytes; keeps the memory. */
void patterns_clear(struct patterns *patterns);

/* The number of a pattern; added if it is new.
 * NO_MEMORY; TOO_LONG beyond MAX_PATTERNS. */
enum status patterns_add(struct patterns *patterns, const void *pattern, uint32_t *number);

#endif
