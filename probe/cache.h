/* Decoded blocks in memory, up to a budget. Every block of a table has a slot; slots are spread
 * over shards, each with a lock and a budget of its own. A block is only looked at under its
 * shard's lock, which takes as long as reading one value: no thread can free what another one
 * reads. */
#ifndef EINSPUL_PROBE_CACHE_H
#define EINSPUL_PROBE_CACHE_H

#include "probe/table.h"

struct cache;

/* The place of a block; all zero when it is not decoded. Owned by whoever calls, changed only here.
 */
struct cache_slot {
    struct block *block;
    bool used; /* since the clock hand went by */
};

struct cache_counters {
    uint64_t hits, misses, decoded_bytes, cached_bytes;
};

/* NULL when there is no memory for it. */
struct cache *cache_create(size_t budget_bytes);

/* Frees all blocks; the slots must still be there. */
void cache_destroy(struct cache *cache);

/* The value of a run state at a place of block `number`, whose slot is `slot`. Decodes the block if
 * need be, NOT_CACHED with `cached_only`. Errors of table_decode_block. Thread-safe. */
enum status cache_value(struct cache *cache, struct cache_slot *slot, const struct table *table,
                        uint64_t number, uint32_t place, int run_state, bool cached_only,
                        value_t *value, struct error *error);

/* Counts a miss of a block whose table is not even open. */
void cache_refuse(struct cache *cache);

void cache_count(struct cache *cache, struct cache_counters *counters);

#endif
