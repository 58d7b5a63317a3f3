/* Decoded blocks in memory, up to a budget. Every block of a table has a slot.
 *
 * Looking at a block takes no lock: a thread that is going to do so enters the cache, which pins
 * what it finds until it leaves. Whoever moves or drops blocks changes their slots first, then
 * waits until all who may have seen them have left, and only then uses the memory again. A pin is
 * short: nobody decodes or waits while inside. */
#ifndef EINSPUL_PROBE_CACHE_H
#define EINSPUL_PROBE_CACHE_H

#include "table/table_read.h"

#include <stdalign.h>
#include <stdatomic.h>

enum { CACHE_LINE = 64, N_READERS = 128 };

/* The place of a block; zero when it is not decoded. Owned by whoever calls, changed only here. */
struct cache_slot {
    _Atomic uintptr_t word; /* the block's address, and SLOT_… in the bits that are zero there */
};

enum {
    SLOT_USED = 1, /* since its segment was filled */
    SLOT_WIDE = 2, /* pattern numbers have two bytes */
    SLOT_OWN = 4,  /* the patterns are the block's own, not the table's */
    SLOT_FLAGS = 7
};

/* A thread that looks at blocks, or nobody. */
struct reader {
    alignas(CACHE_LINE) _Atomic uint64_t since; /* the epoch it entered in; 0: nobody */
    _Atomic uint64_t hits;                      /* counted by whoever is in, so without races */
};

struct cache {
    struct reader readers[N_READERS];
    alignas(CACHE_LINE) _Atomic uint64_t epoch; /* counts evictions, from 1 */
    alignas(CACHE_LINE) _Atomic uint64_t n_refused;
    alignas(CACHE_LINE) size_t n_shards; /* a power of two */
    struct shard *shards;
};

struct cache_counters {
    uint64_t hits, misses, decoded_blocks, decoded_bytes, decoding_ns, cached_bytes;
};

/* NULL when there is no memory for it. */
struct cache *cache_create(size_t budget_bytes);

/* Frees all blocks; the slots must still be there. */
void cache_destroy(struct cache *cache);

/* Blocks found from now on stay until cache_leave. Not to be nested, and nothing may be waited for
 * inside: not cache_decode either. Thread-safe. */
struct reader *cache_enter(struct cache *cache);

static inline void cache_leave(struct reader *reader)
{
    atomic_store_explicit(&reader->since, 0, memory_order_release);
}

/* The block of a slot, or NULL when it is not decoded; only inside, and only until cache_leave.
 * `*flags` are those of the slot: with them a value is found without the block's first bytes, which
 * are far from it in memory. Does not count. */
static inline const struct block *cache_peek(struct cache_slot *slot, unsigned *flags)
{
    uintptr_t word = atomic_load(&slot->word);
    *flags = (unsigned)(word & SLOT_FLAGS);
    if (word != 0 && (word & SLOT_USED) == 0)
        atomic_compare_exchange_weak(&slot->word, &word, word | SLOT_USED);
    return (const struct block *)(word & ~(uintptr_t)SLOT_FLAGS);
}

static inline void cache_count_hit(struct reader *reader)
{
    const uint64_t hits = atomic_load_explicit(&reader->hits, memory_order_relaxed);
    atomic_store_explicit(&reader->hits, hits + 1, memory_order_relaxed);
}

/* Decodes block `number`, whose slot is `slot`, gives the value of a run state at a place of it,
 * and keeps it if there is room. Errors of table_decode_block. Thread-safe. */
enum status cache_decode(struct cache *cache, struct cache_slot *slot, const struct table *table,
                         uint64_t number, uint32_t place, int run_state, value_t *value,
                         struct error *error);

/* Counts a miss of a block that is not to be decoded. Takes no lock, so it may be called inside. */
void cache_refuse(struct cache *cache);

void cache_count(struct cache *cache, struct cache_counters *counters);

#endif
