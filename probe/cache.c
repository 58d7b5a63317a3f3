#include "probe/cache.h"

#include "probe/table_format.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_SHARDS = 64 };
static const size_t shard_budget_wanted = (size_t)2 << 20; /* some dozens of blocks */

/* A cached block. */
struct entry {
    struct cache_slot *slot;
    struct block *block;
};

/* Slots are spread over shards, each with a lock and a budget of its own. Evicts by the clock
 * algorithm: the hand goes round the cached blocks, passes by once what was used since its last
 * round, and frees the others. */
struct shard {
    alignas(CACHE_LINE) pthread_mutex_t lock;
    struct entry *ring; /* the cached blocks */
    size_t n_ring, capacity, hand;
    size_t budget, n_bytes;
    uint64_t misses, decoded_blocks, decoded_bytes, decoding_ns;
};

struct cache *cache_create(size_t budget_bytes)
{
    struct cache *cache = aligned_alloc(CACHE_LINE, sizeof *cache);
    if (cache == NULL)
        return NULL;
    *cache = (struct cache){.epoch = 1, .n_shards = 1};
    while (cache->n_shards < MAX_SHARDS &&
           budget_bytes / cache->n_shards >= 2 * shard_budget_wanted)
        cache->n_shards *= 2;
    cache->shards = aligned_alloc(CACHE_LINE, cache->n_shards * sizeof *cache->shards);
    for (size_t i = 0; cache->shards != NULL && i < cache->n_shards; i++) {
        cache->shards[i] = (struct shard){.budget = budget_bytes / cache->n_shards};
        if (pthread_mutex_init(&cache->shards[i].lock, NULL) != 0) {
            cache->n_shards = i;
            cache_destroy(cache);
            return NULL;
        }
    }
    if (cache->shards == NULL) {
        free(cache);
        return NULL;
    }
    return cache;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->n_shards; i++) {
        struct shard *shard = &cache->shards[i];
        for (size_t j = 0; j < shard->n_ring; j++)
            free(shard->ring[j].block);
        free(shard->ring);
        pthread_mutex_destroy(&shard->lock);
    }
    free(cache->shards);
    free(cache);
}

/* Neighbouring slots of any table fall into different shards. */
static struct shard *shard_of(const struct cache *cache, const struct cache_slot *slot)
{
    return &cache->shards[((uintptr_t)slot / sizeof *slot) & (cache->n_shards - 1)];
}

/* --- readers ------------------------------------------------------------------------------------
 */

/* A thread begins to look for a free reader at a place of its own: stacks of threads lie apart. */
struct reader *cache_enter(struct cache *cache)
{
    const char here = 0;
    const uint64_t stack = (uint64_t)((uintptr_t)&here >> 16);
    size_t i = (size_t)(stack * 0x9e3779b97f4a7c15u >> 57);

    for (size_t n_tried = 1;; n_tried++, i = (i + 1) % N_READERS) {
        struct reader *reader = &cache->readers[i];
        uint64_t nobody = 0;
        if (atomic_load_explicit(&reader->since, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong(&reader->since, &nobody, atomic_load(&cache->epoch)))
            return reader;
        if (n_tried % N_READERS == 0)
            sched_yield();
    }
}

/* Returns when all who were inside at the call have left. */
static void wait_for_readers(struct cache *cache)
{
    const uint64_t before = atomic_fetch_add(&cache->epoch, 1);
    for (size_t i = 0; i < N_READERS; i++) {
        uint64_t since = atomic_load(&cache->readers[i].since);
        for (; since != 0 && since <= before; since = atomic_load(&cache->readers[i].since))
            sched_yield();
    }
}

/* --- taking blocks in ---------------------------------------------------------------------------
 */

/* Evicts until `n_bytes` more are within the budget. */
static void make_room(struct cache *cache, struct shard *shard, size_t n_bytes)
{
    const size_t n_before = shard->n_ring;
    while (shard->n_ring > 0 && shard->n_bytes + n_bytes > shard->budget) {
        if (shard->hand >= shard->n_ring)
            shard->hand = 0;
        const struct entry entry = shard->ring[shard->hand];
        if ((atomic_fetch_and(&entry.slot->word, ~(uintptr_t)SLOT_USED) & SLOT_USED) != 0) {
            shard->hand++;
            continue;
        }
        /* Out of sight, and behind the end of the ring until it can be freed. */
        atomic_store(&entry.slot->word, 0);
        shard->n_bytes -= entry.block->n_bytes;
        shard->ring[shard->hand] = shard->ring[--shard->n_ring];
        shard->ring[shard->n_ring] = entry;
    }
    if (shard->n_ring == n_before)
        return;
    wait_for_readers(cache);
    for (size_t i = shard->n_ring; i < n_before; i++)
        free(shard->ring[i].block);
}

/* Takes a block in, under the lock; `shared` are its table's patterns. False when it stays the
 * caller's: there is no room for it, or another thread was faster. */
static bool insert(struct cache *cache, struct shard *shard, struct cache_slot *slot,
                   struct block *block, const value_t *shared)
{
    if (atomic_load(&slot->word) != 0 || block->n_bytes > shard->budget)
        return false;
    if (shard->n_ring == shard->capacity) {
        const size_t capacity = shard->capacity == 0 ? 64 : 2 * shard->capacity;
        struct entry *ring = realloc(shard->ring, capacity * sizeof(*ring));
        if (ring == NULL)
            return false;
        shard->ring = ring;
        shard->capacity = capacity;
    }
    make_room(cache, shard, block->n_bytes);
    shard->ring[shard->n_ring++] = (struct entry){slot, block};
    shard->n_bytes += block->n_bytes;
    atomic_store(&slot->word, (uintptr_t)block | SLOT_USED |
                                  (block_is_wide(block) ? SLOT_WIDE : 0) |
                                  (block->patterns != shared ? SLOT_OWN : 0));
    return true;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

enum status cache_decode(struct cache *cache, struct cache_slot *slot, const struct table *table,
                         uint64_t number, uint32_t place, int run_state, value_t *value,
                         struct error *error)
{
    struct shard *shard = shard_of(cache, slot);
    struct block *block = NULL;
    const uint64_t begin = now_ns();
    const enum status status = table_decode_block(table, number, &block, error);
    const uint64_t end = now_ns();

    pthread_mutex_lock(&shard->lock);
    shard->misses++;
    shard->decoding_ns += end - begin;
    if (status == STATUS_OK) {
        *value = block_value(block, place, table_shape(table)->n_run_states, run_state);
        shard->decoded_blocks++;
        shard->decoded_bytes += block->n_bytes;
        if (insert(cache, shard, slot, block, table_patterns(table)))
            block = NULL;
    }
    pthread_mutex_unlock(&shard->lock);
    free(block);
    return status;
}

void cache_refuse(struct cache *cache)
{
    pthread_mutex_lock(&cache->shards[0].lock);
    cache->shards[0].misses++;
    pthread_mutex_unlock(&cache->shards[0].lock);
}

void cache_count(struct cache *cache, struct cache_counters *counters)
{
    *counters = (struct cache_counters){0};
    for (size_t i = 0; i < N_READERS; i++)
        counters->hits += atomic_load_explicit(&cache->readers[i].hits, memory_order_relaxed);
    for (size_t i = 0; i < cache->n_shards; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        counters->misses += shard->misses;
        counters->decoded_blocks += shard->decoded_blocks;
        counters->decoded_bytes += shard->decoded_bytes;
        counters->decoding_ns += shard->decoding_ns;
        counters->cached_bytes += shard->n_bytes;
        pthread_mutex_unlock(&shard->lock);
    }
}
