#include "probe/cache.h"

#include "probe/table_format.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>

enum { MAX_SHARDS = 64, CACHE_LINE = 64 };
static const size_t shard_budget_wanted = (size_t)2 << 20; /* some dozens of blocks */

/* Evicts by the clock algorithm: the hand goes round the cached slots, passes by once what was used
 * since its last round, and frees the others. */
struct shard {
    alignas(CACHE_LINE) pthread_mutex_t lock;
    struct cache_slot **ring; /* the cached slots */
    size_t n_ring, capacity, hand;
    size_t budget, n_bytes;
    uint64_t hits, misses, decoded_bytes;
};

struct cache {
    size_t n_shards; /* a power of two */
    struct shard *shards;
};

struct cache *cache_create(size_t budget_bytes)
{
    struct cache *cache = malloc(sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->n_shards = 1;
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

static void drop(struct shard *shard, size_t at)
{
    struct cache_slot *slot = shard->ring[at];
    shard->n_bytes -= slot->block->n_bytes;
    free(slot->block);
    *slot = (struct cache_slot){NULL, false};
    shard->ring[at] = shard->ring[--shard->n_ring];
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->n_shards; i++) {
        struct shard *shard = &cache->shards[i];
        while (shard->n_ring > 0)
            drop(shard, shard->n_ring - 1);
        free(shard->ring);
        pthread_mutex_destroy(&shard->lock);
    }
    free(cache->shards);
    free(cache);
}

static void make_room(struct shard *shard, size_t n_bytes)
{
    while (shard->n_ring > 0 && shard->n_bytes + n_bytes > shard->budget) {
        if (shard->hand >= shard->n_ring)
            shard->hand = 0;
        if (shard->ring[shard->hand]->used)
            shard->ring[shard->hand++]->used = false;
        else
            drop(shard, shard->hand);
    }
}

/* Takes a block in, under the lock. False when it stays the caller's: there is no room for it, or
 * another thread was faster. */
static bool insert(struct shard *shard, struct cache_slot *slot, struct block *block)
{
    if (slot->block != NULL || block->n_bytes > shard->budget)
        return false;
    if (shard->n_ring == shard->capacity) {
        const size_t capacity = shard->capacity == 0 ? 64 : 2 * shard->capacity;
        struct cache_slot **ring = realloc(shard->ring, capacity * sizeof(*ring));
        if (ring == NULL)
            return false;
        shard->ring = ring;
        shard->capacity = capacity;
    }
    make_room(shard, block->n_bytes);
    shard->ring[shard->n_ring++] = slot;
    shard->n_bytes += block->n_bytes;
    slot->block = block;
    slot->used = true;
    return true;
}

enum status cache_value(struct cache *cache, struct cache_slot *slot, const struct table *table,
                        uint64_t number, uint32_t place, int run_state, bool cached_only,
                        value_t *value, struct error *error)
{
    const int n_run_states = table_shape(table)->n_run_states;
    /* Neighbouring slots of any table fall into different shards. */
    struct shard *shard = &cache->shards[((uintptr_t)slot / sizeof *slot) & (cache->n_shards - 1)];
    struct block *block = NULL;

    pthread_mutex_lock(&shard->lock);
    if (slot->block != NULL) {
        *value = block_value(slot->block, place, n_run_states, run_state);
        if (!slot->used)
            slot->used = true;
        shard->hits++;
        pthread_mutex_unlock(&shard->lock);
        return STATUS_OK;
    }
    shard->misses++;
    pthread_mutex_unlock(&shard->lock);
    if (cached_only)
        return error_set(error, STATUS_NOT_CACHED, "%s: block %llu is not in memory",
                         path_text(table_path(table)), (unsigned long long)number);

    const enum status status = table_decode_block(table, number, &block, error);
    if (status != STATUS_OK)
        return status;
    *value = block_value(block, place, n_run_states, run_state);
    pthread_mutex_lock(&shard->lock);
    shard->decoded_bytes += block->n_bytes;
    const bool taken = insert(shard, slot, block);
    pthread_mutex_unlock(&shard->lock);
    if (!taken)
        free(block);
    return STATUS_OK;
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
    for (size_t i = 0; i < cache->n_shards; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        counters->hits += shard->hits;
        counters->misses += shard->misses;
        counters->decoded_bytes += shard->decoded_bytes;
        counters->cached_bytes += shard->n_bytes;
        pthread_mutex_unlock(&shard->lock);
    }
}
