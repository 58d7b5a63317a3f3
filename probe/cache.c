/* One piece of memory, divided into segments that are filled in turn with copies of blocks, one
 * after the other. When all are full, the oldest segment is cleaned: blocks that were used since it
 * was filled move to its beginning, the others are evicted (the clock algorithm, by segments). A
 * segment is as large as a huge page if the budget allows it: with pages of 4 KiB most probes would
 * also miss the TLB. */
#include "probe/cache.h"

#include <stdlib.h>

enum { MIN_SEGMENTS = 2, SEGMENTS_WANTED = 8 };

static const size_t huge_page = (size_t)2 << 20;
static const size_t small_segment = (size_t)256 << 10; /* some blocks of any table */

/* Precedes a block in memory. */
struct entry {
    alignas(BLOCK_ALIGNMENT) struct cache_slot *slot; /* NULL: evicted */
    uint32_t n_bytes;                                 /* to the next entry */
    uint32_t flags;                                   /* of the slot, without SLOT_USED */
};

static struct entry *entry_at(const struct cache *cache, size_t segment, size_t at)
{
    return (struct entry *)(void *)(cache->memory + segment * cache->segment_size + at);
}

static struct block *entry_block(struct entry *entry)
{
    return (struct block *)(void *)(entry + 1);
}

/* Divides the budget into segments; false if there is no memory for it. */
static bool take_memory(struct cache *cache, size_t budget)
{
    size_t n = budget / small_segment; /* room for several blocks, if the budget allows */
    n = n < MIN_SEGMENTS ? MIN_SEGMENTS : n > SEGMENTS_WANTED ? SEGMENTS_WANTED : n;
    size_t size = budget / n / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    if (size >= huge_page) {
        size = huge_page;
        n = budget / size;
    }
    if (size == 0)
        return true;
    cache->segment_size = size;
    cache->filled = calloc(n, sizeof *cache->filled);
    cache->memory = os_alloc_aligned(size == huge_page ? huge_page : BLOCK_ALIGNMENT, n * size);
    if (cache->filled == NULL || cache->memory == NULL)
        return false;
    cache->n_segments = n;
    if (size == huge_page)
        os_advise_huge(cache->memory, n * size);
    return true;
}

struct cache *cache_create(size_t budget_bytes)
{
    struct cache *cache = os_alloc_aligned(CACHE_LINE, sizeof *cache);
    if (cache == NULL)
        return NULL;
    *cache = (struct cache){.epoch = 1};
    os_mutex_init(&cache->lock);
    if (!take_memory(cache, budget_bytes)) {
        cache_destroy(cache);
        return NULL;
    }
    return cache;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    os_free_aligned(cache->memory);
    free(cache->filled);
    os_mutex_destroy(&cache->lock);
    os_free_aligned(cache);
}

/* Each thread starts its search for a free reader at a different index, derived from the address of
 * its stack. */
struct cache_reader *cache_enter(struct cache *cache)
{
    const char here = 0;
    const uint64_t stack = (uint64_t)((uintptr_t)&here >> 16);
    size_t i = (size_t)(stack * 0x9e3779b97f4a7c15u >> 57);

    for (size_t n_tried = 1;; n_tried++, i = (i + 1) % N_READERS) {
        struct cache_reader *reader = &cache->readers[i];
        uint64_t free_mark = 0;
        if (atomic_load_explicit(&reader->since, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong(&reader->since, &free_mark, atomic_load(&cache->epoch)))
            return reader;
        if (n_tried % N_READERS == 0)
            os_yield();
    }
}

/* Returns when all threads that were inside at the call have left. */
static void wait_for_readers(struct cache *cache)
{
    const uint64_t before = atomic_fetch_add(&cache->epoch, 1);
    for (size_t i = 0; i < N_READERS; i++) {
        uint64_t since = atomic_load(&cache->readers[i].since);
        for (; since != 0 && since <= before; since = atomic_load(&cache->readers[i].since))
            os_yield();
    }
}

/* The bytes of a block with its entry. */
static size_t entry_bytes(const struct block *block)
{
    return sizeof(struct entry) +
           (block->n_bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

/* Publishes a block: points its slot at it. A partial block that the slot pointed at is
 * superseded. */
static void publish(struct entry *entry)
{
    atomic_store(&entry->slot->word, (uintptr_t)entry_block(entry) | entry->flags);
}

/* Clears the slots of all blocks of a segment. Blocks that were used, up to `max` bytes of them,
 * keep their entry's slot and will stay. */
static void unpublish(struct cache *cache, size_t segment, size_t max)
{
    size_t n_kept = 0;
    for (size_t at = 0; at < cache->filled[segment];) {
        struct entry *entry = entry_at(cache, segment, at);
        const struct block *block = entry_block(entry);
        const uintptr_t word = atomic_load(&entry->slot->word);
        at += entry->n_bytes;
        if (slot_block(word) != block) { /* a part that was replaced */
            entry->slot = NULL;
            continue;
        }
        atomic_store(&entry->slot->word, 0);
        if ((word & SLOT_USED) != 0 && entry->n_bytes <= max - n_kept)
            n_kept += entry->n_bytes;
        else
            entry->slot = NULL;
    }
}

/* Evicts the blocks of a segment except those used since it was filled. Afterwards at least half of
 * it and at least `room` bytes are free. */
static void clean(struct cache *cache, size_t segment, size_t room)
{
    const size_t half = cache->segment_size / 2;
    const size_t end = cache->filled[segment];
    size_t n_kept = 0;
    unpublish(cache, segment, cache->segment_size - (room > half ? room : half));
    wait_for_readers(cache);
    for (size_t at = 0; at < end;) {
        const struct entry *from = entry_at(cache, segment, at);
        const size_t n_bytes = from->n_bytes;
        at += n_bytes;
        if (from->slot == NULL)
            continue;
        struct entry *to = entry_at(cache, segment, n_kept);
        memmove(to, from, n_bytes);
        publish(to);
        n_kept += n_bytes;
    }
    cache->filled[segment] = n_kept;
}

/* Frees `room` bytes in the current segment, or makes another segment current. Blocks are evicted
 * for it only if they may be `pushed`. */
static bool make_room(struct cache *cache, size_t room, bool pushed)
{
    if (cache->n_segments == 0 || room > cache->segment_size)
        return false;
    if (room <= cache->segment_size - cache->filled[cache->current])
        return true;
    const size_t next = (cache->current + 1) % cache->n_segments;
    if (cache->filled[next] > 0 && !pushed)
        return false;
    cache->current = next;
    if (cache->filled[next] > 0)
        clean(cache, next, room);
    return true;
}

/* Inserts a copy of a block if there is space; the caller holds the lock. `placements` is the size
 * of a full block. */
static bool insert(struct cache *cache, struct cache_slot *slot, const struct block *block,
                   uint32_t placements, bool pushed)
{
    const size_t n_bytes = entry_bytes(block);
    if (cache_is_whole(slot) || (block->is_partial && atomic_load(&slot->word) != 0))
        return true; /* another thread was faster */
    if (!make_room(cache, n_bytes, pushed))
        return false;
    struct entry *entry = entry_at(cache, cache->current, cache->filled[cache->current]);
    *entry = (struct entry){
        .slot = slot,
        .n_bytes = (uint32_t)n_bytes,
        .flags = (block->is_wide ? (unsigned)SLOT_WIDE : 0) |
                 (block->n_placements < placements ? (unsigned)SLOT_SHORT : 0) |
                 (block->is_partial ? (unsigned)SLOT_PART : 0),
    };
    memcpy(entry_block(entry), block, block->n_bytes);
    cache->filled[cache->current] += n_bytes;
    publish(entry);
    return true;
}

einspul_status cache_decode(struct cache *cache, struct cache_slot *slot, const struct table *table,
                            uint64_t number, uint32_t place, struct block **block, bool *kept,
                            einspul_error *error)
{
    const bool missed = place != UINT32_MAX;
    const uint32_t last = atomic_load(&slot->word) == 0 ? place : UINT32_MAX;
    const einspul_status status = table_decode_block(table, number, last, block, error);

    *kept = false;
    if (missed)
        cache->misses++;
    if (status != EINSPUL_OK)
        return status;
    cache->decoded_blocks++;
    os_mutex_lock(&cache->lock);
    *kept = insert(cache, slot, *block, table->header.block_placements, missed);
    os_mutex_unlock(&cache->lock);
    return status;
}
