/* Computed values that no table stores, kept in memory. */
#ifndef EINSPUL_PROBE_VALUE_CACHE_H
#define EINSPUL_PROBE_VALUE_CACHE_H

#include "core/value.h"

#include <stdbool.h>
#include <stddef.h>

struct value_cache;

/* A power of two of words: more than half of `n_bytes`, at least 32 KiB; release with free(). NULL
 * if out of memory. */
struct value_cache *value_cache_create(size_t n_bytes);

/* Looks up the value of a key made by value_key, or stores one, which may replace another entry.
 * Thread-safe. */
bool value_cache_find(const struct value_cache *values, uint64_t key, value_t *value);
void value_cache_add(struct value_cache *values, uint64_t key, value_t value);

#endif
