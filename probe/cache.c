/* Shards of slots and of the memory for their blocks, each with a lock of its own. */
#include "probe/cache.h"

#include "core/array.h"
#include "core/os.h"

#include <stdlib.h>

enum { MAX_SHARDS = 64, LEAST_SEGMENTS = 2, SEGMENTS_WANTED = 8, BLOCK_ALIGNMENT = 16 };

static const size_t shard_budget_wanted = (size_t)64 << 20;
static const size_t huge_page = (size_t)2 << 20;
static const size_t small_segment = (size_t)256 << 10; /* some blocks of any table */

/* A cached block. */
struct cache_entry {
    struct cache_slot *slot;
    size_t at;
};

/* Memory that holds blocks one after the other. As large as a huge page if the budget allows it:
 * with pages of 4 KiB most probes would also miss the TLB. */
struct segment {
    uint8_t *bytes;
    size_t n_bytes; /* in use */
    struct cache_entry *entries;
    size_t n_entries, capacity;
};

/* Slots are distributed over shards, each with its own lock and budget. A shard fills its segments
 * in turn. When it returns to a segment, blocks that were used since it was filled are copied into
 * the spare segment, the others are evicted, and the two segments are exchanged (the clock
 * algorithm, by segments). */
struct shard {
    alignas(CACHE_LINE) struct os_mutex lock;
    size_t segment_size;
    size_t n_segments, most_segments; /* without the spare one */
    size_t current;
    struct segment *segments;
    uint8_t *spare;
};

/* Divides a shard's budget into segments. */
static bool shard_init(struct shard *shard, size_t budget)
{
    *shard = (struct shard){.segment_size = budget / SEGMENTS_WANTED};
    if (shard->segment_size >= huge_page)
        shard->segment_size = huge_page;
    else if (shard->segment_size < small_segment)
        shard->segment_size =
            budget / LEAST_SEGMENTS < small_segment ? budget / LEAST_SEGMENTS : small_segment;
    shard->segment_size -= shard->segment_size % BLOCK_ALIGNMENT;
    if (shard->segment_size > 0)
        shard->most_segments = budget / shard->segment_size - 1;
    return os_mutex_init(&shard->lock) == 0;
}

struct cache *cache_create(size_t budget_bytes)
{
    struct cache *cache = os_alloc_aligned(CACHE_LINE, sizeof *cache);
    if (cache == NULL)
        return NULL;
    *cache = (struct cache){.epoch = 1, .n_shards = 1, .budget = budget_bytes};
    while (cache->n_shards < MAX_SHARDS &&
           budget_bytes / cache->n_shards >= 2 * shard_budget_wanted)
        cache->n_shards *= 2;
    cache->shards = os_alloc_aligned(CACHE_LINE, cache->n_shards * sizeof *cache->shards);
    if (cache->shards == NULL) {
        os_free_aligned(cache);
        return NULL;
    }
    for (size_t i = 0; i < cache->n_shards; i++) {
        if (!shard_init(&cache->shards[i], budget_bytes / cache->n_shards)) {
            cache->n_shards = i;
            cache_destroy(cache);
            return NULL;
        }
    }
    return cache;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->n_shards; i++) {
        struct shard *shard = &cache->shards[i];
        for (size_t j = 0; j < shard->n_segments; j++) {
            os_free_aligned(shard->segments[j].bytes);
            free(shard->segments[j].entries);
        }
        free(shard->segments);
        os_free_aligned(shard->spare);
        os_mutex_destroy(&shard->lock);
    }
    os_free_aligned(cache->shards);
    os_free_aligned(cache);
}

/* Neighbouring slots of a table belong to different shards. */
static struct shard *shard_of(const struct cache *cache, const struct cache_slot *slot)
{
    return &cache->shards[((uintptr_t)slot / sizeof *slot) & (cache->n_shards - 1)];
}

/* --- readers ---------------------------------------------------------------------------------- */

/* Each thread starts its search for a free reader at a different index, derived from the address of
 * its stack. */
struct cache_reader *cache_enter(struct cache *cache)
{
    const char here = 0;
    const uint64_t stack = (uint64_t)((uintptr_t)&here >> 16);
    size_t i = (size_t)(stack * 0x9e3779b97f4a7c15u >> 57);

    for (size_t n_tried = 1;; n_tried++, i = (i + 1) % N_READERS) {
        struct cache_reader *reader = &cache->readers[i];
        uint64_t nobody = 0;
        if (atomic_load_explicit(&reader->since, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong(&reader->since, &nobody, atomic_load(&cache->epoch)))
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

/* --- inserting blocks ------------------------------------------------------------------------- */

/* Allocates a segment; NULL if there is no memory, which is told the first time. */
static uint8_t *segment_memory(struct cache *cache, const struct shard *shard)
{
    const bool huge = shard->segment_size >= huge_page;
    uint8_t *bytes = os_alloc_aligned(huge ? huge_page : BLOCK_ALIGNMENT, shard->segment_size);
    if (bytes == NULL) {
        cache_shortage *tell = atomic_exchange(&cache->tell, NULL);
        if (tell != NULL)
            tell(cache->told, cache->budget, atomic_load(&cache->had));
        return NULL;
    }
    atomic_fetch_add(&cache->had, shard->segment_size);
    if (huge)
        os_advise_huge(bytes, huge_page);
    return bytes;
}

/* Appends a block to a segment and sets its slot; false if there is no room. */
static bool put_block(struct cache *cache, const struct shard *shard, struct segment *segment,
                      uint8_t *bytes, struct cache_slot *slot, const struct block *block,
                      unsigned flags)
{
    if (block->n_bytes > shard->segment_size - segment->n_bytes)
        return false;
    struct cache_entry *entries =
        array_room(segment->entries, segment->n_entries, &segment->capacity, 64, sizeof *entries);
    if (entries == NULL)
        return false;
    segment->entries = entries;
    struct block *copy = (struct block *)(void *)(bytes + segment->n_bytes);
    memcpy(copy, block, block->n_bytes);
    segment->entries[segment->n_entries++] = (struct cache_entry){slot, segment->n_bytes};
    segment->n_bytes += (block->n_bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    cache_add(&cache->counts.cached_bytes, block->n_bytes);
    atomic_store(&slot->word, (uintptr_t)copy | flags);
    return true;
}

/* Evicts the blocks of a segment except those used since it was filled. Afterwards at least half of
 * it and at least `room` bytes are free. */
static bool clean(struct cache *cache, struct shard *shard, struct segment *segment, size_t room)
{
    const size_t half = shard->segment_size / 2;
    const size_t most = shard->segment_size - (room > half ? room : half);
    struct segment kept = {.entries = segment->entries, .capacity = segment->capacity};
    if (shard->spare == NULL)
        shard->spare = segment_memory(cache, shard);
    if (shard->spare == NULL)
        return false;
    for (size_t i = 0; i < segment->n_entries; i++) {
        const struct cache_entry entry =
            segment->entries[i]; /* kept blocks were moved to the front */
        const struct block *block = (const struct block *)(void *)(segment->bytes + entry.at);
        const uintptr_t word = atomic_load(&entry.slot->word);
        const unsigned flags = (unsigned)(word & SLOT_FLAGS);
        if ((word & ~(uintptr_t)SLOT_FLAGS) != (uintptr_t)block)
            continue; /* a part that was replaced */
        atomic_fetch_sub_explicit(&cache->counts.cached_bytes, block->n_bytes,
                                  memory_order_relaxed);
        if ((flags & SLOT_USED) == 0 || block->n_bytes > most - kept.n_bytes ||
            !put_block(cache, shard, &kept, shard->spare, entry.slot, block,
                       flags & ~(unsigned)SLOT_USED))
            atomic_store(&entry.slot->word, 0);
    }
    wait_for_readers(cache);
    kept.bytes = shard->spare;
    shard->spare = segment->bytes;
    *segment = kept;
    return true;
}

/* Adds a segment, if the budget and the system have memory for it. */
static bool add_segment(struct cache *cache, struct shard *shard)
{
    if (shard->n_segments == shard->most_segments)
        return false;
    struct segment *segments = realloc(shard->segments, (shard->n_segments + 1) * sizeof *segments);
    if (segments == NULL)
        return false;
    shard->segments = segments;
    segments[shard->n_segments] = (struct segment){.bytes = segment_memory(cache, shard)};
    if (segments[shard->n_segments].bytes == NULL)
        return false;
    shard->current = shard->n_segments++;
    return true;
}

/* Frees `room` bytes in the current segment, or makes another segment current. Blocks are evicted
 * for it only if they may be `pushed`. */
static bool make_room(struct cache *cache, struct shard *shard, size_t room, bool pushed)
{
    if (shard->n_segments > 0 &&
        room <= shard->segment_size - shard->segments[shard->current].n_bytes)
        return true;
    if (room > shard->segment_size)
        return false;
    if (add_segment(cache, shard))
        return true;
    if (shard->n_segments == 0 || !pushed)
        return false;
    shard->current = (shard->current + 1) % shard->n_segments;
    return clean(cache, shard, &shard->segments[shard->current], room);
}

/* Forgets the part of a block that a slot holds; its memory is reused with the segment. */
static void drop_part(struct cache *cache, struct cache_slot *slot)
{
    const uintptr_t word = atomic_exchange(&slot->word, 0);
    if (word != 0)
        atomic_fetch_sub_explicit(&cache->counts.cached_bytes,
                                  ((const struct block *)(word & ~(uintptr_t)SLOT_FLAGS))->n_bytes,
                                  memory_order_relaxed);
}

/* Inserts a copy of a block, under the lock, if there is room for it; the table's blocks have
 * `placements`, the last of a side fewer. */
static bool insert(struct cache *cache, struct shard *shard, struct cache_slot *slot,
                   const struct block *block, uint32_t placements, bool pushed)
{
    const unsigned flags = (block_is_wide(block) ? (unsigned)SLOT_WIDE : 0) |
                           (block->n_placements < placements ? (unsigned)SLOT_SHORT : 0) |
                           (block->is_part ? (unsigned)SLOT_PART : 0);
    if (cache_is_whole(slot) || (block->is_part && atomic_load(&slot->word) != 0))
        return true; /* another thread was faster */
    if (!make_room(cache, shard, block->n_bytes, pushed))
        return false;
    drop_part(cache, slot);
    struct segment *segment = &shard->segments[shard->current];
    return put_block(cache, shard, segment, segment->bytes, slot, block, flags);
}

/* Decodes a block, to be released by the caller, and caches a copy. A part to the row of `place`
 * will do if a probe `missed` it and nothing of the block is in memory; who comes again gets the
 * whole. `*kept`: whether the cache holds one afterwards. */
static einspul_status decode_block(struct cache *cache, struct cache_slot *slot,
                                   const struct table *table, uint64_t number, uint32_t place,
                                   bool missed, struct block **block, bool *kept,
                                   einspul_error *error)
{
    struct shard *shard = shard_of(cache, slot);
    const einspul_status status = missed && atomic_load(&slot->word) == 0
                                      ? table_decode_part(table, number, place, block, error)
                                      : table_decode_block(table, number, block, error);

    *kept = false;
    cache_add(&cache->counts.misses, missed);
    if (status != EINSPUL_OK)
        return status;
    cache_add(&cache->counts.decoded_blocks, 1);
    cache_add(&cache->counts.decoded_bytes, (*block)->n_bytes);
    os_mutex_lock(&shard->lock);
    *kept = insert(cache, shard, slot, *block, table_header(table)->block_placements, missed);
    os_mutex_unlock(&shard->lock);
    return status;
}

einspul_status cache_decode(struct cache *cache, struct cache_slot *slot, const struct table *table,
                            uint64_t number, uint32_t place, int run_state, value_t *value,
                            einspul_error *error)
{
    struct block *block = NULL;
    bool kept = false;
    const einspul_status status =
        decode_block(cache, slot, table, number, place, true, &block, &kept, error);
    if (status == EINSPUL_OK)
        *value = block_values(block, place, table_shape(table)->n_run_states)[run_state];
    free(block);
    return status;
}

einspul_status cache_load(struct cache *cache, struct cache_slot *slot, const struct table *table,
                          uint64_t number, size_t *n_bytes, einspul_error *error)
{
    struct block *block = NULL;
    bool kept = false;
    const einspul_status status =
        decode_block(cache, slot, table, number, 0, false, &block, &kept, error);
    *n_bytes = kept ? block->n_bytes : 0;
    free(block);
    return status;
}
