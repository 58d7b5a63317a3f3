/* Decoded blocks in memory, up to a budget. Every block of a table has a slot.
 *
 * Reading a block takes no lock: a thread enters the cache before it reads, which pins the blocks
 * it finds until it leaves. A thread that moves or evicts blocks first changes their slots, then
 * waits until all readers that may have seen them have left, and only then reuses the memory
 * (epoch-based reclamation). Pins are short: no thread decodes or waits while inside. */
#ifndef EINSPUL_PROBE_CACHE_H
#define EINSPUL_PROBE_CACHE_H

#include "core/os.h"
#include "table/table_block.h"

#include <stdalign.h>
#include <stdatomic.h>

enum { CACHE_LINE = 64, N_READERS = 128 };

/* The location of a decoded block; zero if it is not decoded. Owned by the caller, changed only by
 * the cache. */
struct cache_slot {
    _Atomic uintptr_t word; /* the block's address, and SLOT_… in the bits that are zero there */
};

enum {
    SLOT_USED = 1,        /* referenced since its segment was filled */
    SLOT_SHORT = 2,       /* fewer placements than a full block: see block->n_placements */
    SLOT_PART = 4,        /* not the whole block */
    SLOT_WIDE = 8,        /* numbers of patterns have two bytes */
    BLOCK_ALIGNMENT = 16, /* leaves these bits */
    SLOT_FLAGS = BLOCK_ALIGNMENT - 1
};

/* The entry of a thread that reads blocks, or a free one. */
struct cache_reader {
    alignas(CACHE_LINE) _Atomic uint64_t since; /* the epoch it entered in; 0: free */
    _Atomic uint64_t hits;                      /* counted by the thread inside only */
};

struct cache {
    struct cache_reader readers[N_READERS];
    alignas(CACHE_LINE) _Atomic uint64_t epoch;  /* counts evictions, from 1 */
    alignas(CACHE_LINE) _Atomic uint64_t misses; /* blocks that had to be decoded, or were refused
                                                    by EINSPUL_CACHE_ONLY */
    _Atomic uint64_t decoded_blocks;             /* in total */
    alignas(CACHE_LINE) struct os_mutex lock;    /* held while inserting; guards the fields below */
    uint8_t *memory;
    size_t segment_size, n_segments;
    size_t *filled; /* bytes, by segment */
    size_t current; /* the segment that is being filled */
};

/* Creates a cache of at most `budget_bytes` bytes, reserved at once; the system provides pages as
 * they are used. NULL if out of memory. */
struct cache *cache_create(size_t budget_bytes);

/* Frees the cache and all blocks in it. Slots are not touched; they must not be used afterwards. */
void cache_destroy(struct cache *cache);

/* Pins the blocks found from now on until cache_leave. Calls must not be nested, and the thread
 * must not block inside or call cache_decode, because evictions wait for it. Thread-safe. */
struct cache_reader *cache_enter(struct cache *cache);

static inline void cache_leave(struct cache_reader *reader)
{
    atomic_store_explicit(&reader->since, 0, memory_order_release);
}

static inline const struct block *slot_block(uintptr_t word)
{
    return (const struct block *)(word & ~(uintptr_t)SLOT_FLAGS);
}

/* The block of a slot, or NULL if it is not decoded; to be called between cache_enter and
 * cache_leave, and valid until then. `*flags` are the slot's: with them a value can be read without
 * the block's header, which would be another access to distant memory. Does not count hits. */
static inline const struct block *cache_peek(struct cache_slot *slot, unsigned *flags)
{
    uintptr_t word = atomic_load(&slot->word);
    *flags = (unsigned)(word & SLOT_FLAGS);
    if (word != 0 && (word & SLOT_USED) == 0)
        atomic_compare_exchange_weak(&slot->word, &word, word | SLOT_USED);
    return slot_block(word);
}

/* True if the block found by cache_peek has been decoded up to a place. */
static inline bool cache_holds(const struct block *block, unsigned flags, uint32_t place)
{
    return block != NULL && ((flags & SLOT_PART) == 0 || place < block->n_placements);
}

/* True if a complete block is in memory. */
static inline bool cache_is_whole(const struct cache_slot *slot)
{
    const uintptr_t word = atomic_load(&slot->word);
    return word != 0 && (word & SLOT_PART) == 0;
}

static inline void cache_count_hit(struct cache_reader *reader)
{
    const uint64_t hits = atomic_load_explicit(&reader->hits, memory_order_relaxed);
    atomic_store_explicit(&reader->hits, hits + 1, memory_order_relaxed);
}

/* Decodes block `number`, whose slot is `slot`, for a value at a place in it, and caches a copy if
 * there is room. With a model, decoding stops after that place, unless the cache already has a part
 * of the block: then it decodes all. `place` UINT32_MAX is for preloading: the whole block is
 * decoded, no miss is counted, and nothing is evicted. The block is to be released with free().
 * `*kept`: whether the cache has it now. Errors of table_decode_block. Thread-safe. */
einspul_status cache_decode(struct cache *cache, struct cache_slot *slot, const struct table *table,
                            uint64_t number, uint32_t place, struct block **block, bool *kept,
                            einspul_error *error);

#endif
