/* The block cache: a block stays in place while a thread reads it. */
#include "probe/handle.h"
#include "table/table_open.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

TestSuite(cache, .init = make_folder, .fini = drop_folder);

enum { BUDGET = 64 * 1024, N_ROUNDS = 3 };

struct decoding {
    struct cache *cache;
    struct table *table;
    struct cache_slot *slots;
    _Atomic uint64_t n_decoded;
};

/* Decodes all blocks of a table several times; the cache cannot hold all of them. */
static void *decode_all(void *context)
{
    struct decoding *decoding = context;
    const uint64_t n_blocks = decoding->table->header.n_blocks;
    for (uint64_t i = 0; i < N_ROUNDS * n_blocks; i++) {
        einspul_error error = {0};
        struct block *block = NULL;
        bool kept = false;
        if (cache_decode(decoding->cache, &decoding->slots[i % n_blocks], decoding->table,
                         i % n_blocks, 0, &block, &kept, &error) == EINSPUL_OK)
            atomic_fetch_add(&decoding->n_decoded, 1);
        free(block);
    }
    return NULL;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Fails if memory is reused for another block while a thread may still read the earlier one. */
Test(cache, a_block_in_use_is_not_overwritten, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    einspul_error error = {0};
    struct decoding decoding = {0};
    pthread_t thread;
    generate(&rules, 0, "KMvM", METRICS_DTW);
    const struct table_id id = {&rules, material_named("KMvM"), EINSPUL_DTW};
    cr_assert_eq(
        table_open(table_name(&rules, "KMvM", EINSPUL_DTW), id, NULL, &decoding.table, &error),
        EINSPUL_OK, "%s", error.text);
    const uint64_t n_all = N_ROUNDS * decoding.table->header.n_blocks;
    decoding.cache = cache_create(BUDGET);
    decoding.slots = calloc(decoding.table->header.n_blocks, sizeof *decoding.slots);
    cr_assert(decoding.cache != NULL && decoding.slots != NULL);

    struct cache_reader *reader = cache_enter(decoding.cache);
    cr_assert_eq(pthread_create(&thread, NULL, decode_all, &decoding), 0);
    sleep_ms(500);
    const uint64_t n_meanwhile = atomic_load(&decoding.n_decoded);
    cache_leave(reader);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_lt(n_meanwhile, n_all, "nothing waited for the reader");
    cr_assert_eq(atomic_load(&decoding.n_decoded), n_all);
    cache_destroy(decoding.cache);
    free(decoding.slots);
    table_close(decoding.table);
}

/* Fails if the value cache is allocated beyond the memory limit of a handle. */
Test(cache, blocks_and_values_share_the_memory)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 2, NULL, METRICS_WDL);
    for (size_t bytes = (size_t)8 << 20; bytes <= (size_t)128 << 20; bytes *= 4) {
        einspul *handle = open_tables(folder, rules.name, bytes);
        const size_t blocks = handle->cache->n_segments * handle->cache->segment_size;
        cr_assert(blocks <= bytes - bytes / 16 && blocks > bytes / 8 * 7, "%zu of %zu", blocks,
                  bytes);
        einspul_close(handle);
    }
}
