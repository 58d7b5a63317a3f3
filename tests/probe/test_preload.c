/* What an engine asks for before it searches: to have tables in memory. */
#include "probe/handle_facts.h"
#include "tests/support/probing.h"

#include <string.h>
#include <unistd.h>

TestSuite(preload, .init = create_world, .fini = drop_world);

/* Wrong: outcomes alone do not count where a rule set has clocks of its own. */
Test(preload, outcomes_are_enough_under_all_rules)
{
    for (const char *const *name = rules_names(); *name != NULL; name++) {
        uint64_t seed = 13;
        world_free(&world);
        world_create(&world, *name, EINSPUL_BINARY_DIR "/probe-XXXXXX", 9);
        for (int i = 0; i < world.n_materials; i++) {
            char path[1024];
            world_path(&world, &world.materials[i], EINSPUL_DTW, path);
            cr_assert_eq(unlink(path), 0);
        }
        einspul *handle = open_world((size_t)16 << 20);
        for (int i = 0; i < 1000; i++) {
            const struct state state = world_random_state(&world, &seed);
            einspul_position position;
            probe_position_from_state(&state, &position);
            cr_assert_neq(einspul_probe(handle, &position, 0, NULL), EINSPUL_UNKNOWN, "%s", *name);
        }
        einspul_close(handle);
    }
}

/* Probes random states from the cache alone; returns how many are refused, and no other error is
 * one. */
static int n_refused(einspul *handle, einspul_metric metric, int n)
{
    uint64_t seed = 11;
    int refused = 0;
    for (int i = 0; i < n; i++) {
        const struct state state = world_random_state(&world, &seed);
        einspul_error error = {0};
        value_t value = VALUE_NONE;
        const einspul_status status =
            probe_state(handle, &state, metric, EINSPUL_CACHE_ONLY, &value, &error);
        cr_assert(status == EINSPUL_OK || status == EINSPUL_NOT_CACHED, "%s", error.text);
        refused += status != EINSPUL_OK;
    }
    return refused;
}

static uint64_t preload(einspul *handle, const char *material, einspul_metric metric, size_t most)
{
    einspul_error error = {0};
    uint64_t n_left = 77;
    cr_assert_eq(probe_preload(handle, material, 3, metric, most, &n_left, &error), EINSPUL_OK,
                 "%s", error.text);
    return n_left;
}

/* Wrong: a search that asks the cache alone is refused what it had loaded, or it counts as
 * misses. */
Test(preload, what_is_loaded_is_answered)
{
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        einspul *handle = open_world((size_t)16 << 20);
        struct probe_counters counters;
        cr_assert_gt(n_refused(handle, (einspul_metric)metric, 100), 50);
        einspul_close(handle);
        handle = open_world((size_t)16 << 20);
        cr_assert_eq(preload(handle, NULL, (einspul_metric)metric, SIZE_MAX), 0);
        probe_count(handle, &counters);
        cr_assert(counters.misses == 0 && counters.decoded_blocks > 0);
        cr_assert_eq(n_refused(handle, (einspul_metric)metric, 20000), 0);
        if (metric == EINSPUL_WDL)
            expect_answers(handle, 2000, false);
        cr_assert_eq(preload(handle, NULL, (einspul_metric)metric, SIZE_MAX), 0);
        const uint64_t n_blocks = counters.decoded_blocks;
        probe_count(handle, &counters);
        cr_assert_eq(counters.decoded_blocks, n_blocks); /* none of them twice */
        einspul_close(handle);
    }
}

/* Wrong: loading goes beyond its limit, or pushes out what was loaded before it. */
Test(preload, limits)
{
    enum { MOST_BLOCK = 100000 };
    struct probe_counters counters;
    einspul *handle = open_world((size_t)16 << 20);
    const uint64_t n_left = preload(handle, NULL, EINSPUL_WDL, 50000);
    probe_count(handle, &counters);
    cr_assert_gt(n_left, 0);
    cr_assert(counters.decoded_bytes >= 50000 && counters.decoded_bytes < 50000 + MOST_BLOCK);
    cr_assert_eq(preload(handle, NULL, EINSPUL_WDL, 0), n_left);
    cr_assert_eq(preload(handle, NULL, EINSPUL_WDL, SIZE_MAX), 0);
    einspul_close(handle);

    handle = open_world(700000);
    cr_assert_eq(preload(handle, "MvKM", EINSPUL_WDL, SIZE_MAX), 0); /* the other way round */
    cr_assert_gt(preload(handle, NULL, EINSPUL_WDL, SIZE_MAX), 0);
    probe_count(handle, &counters);
    cr_assert_leq(counters.cached_bytes, 700000);
    cr_assert_eq(preload(handle, "KMvM", EINSPUL_WDL, 0), 0); /* still there */
    einspul_close(handle);

    handle = open_world(0);
    cr_assert_gt(preload(handle, NULL, EINSPUL_WDL, SIZE_MAX), 0);
    expect_answers(handle, 100, true);
    einspul_close(handle);
}

/* Wrong: a damaged table keeps the others out of memory, or goes unsaid. */
Test(preload, failures)
{
    einspul_error error = {0};
    uint64_t n_left = 0;
    damage_table("KMvM", EINSPUL_WDL, -100); /* in its last block */
    remove_table("MMvK", EINSPUL_WDL);
    remove_table("MMvK", EINSPUL_DTW);
    remove_table("MMvM", EINSPUL_DTW);
    einspul *handle = open_world((size_t)16 << 20);
    cr_assert_eq(probe_preload(handle, NULL, 3, EINSPUL_WDL, SIZE_MAX, &n_left, &error),
                 EINSPUL_BAD_BLOCK);
    cr_assert_not_null(strstr(error.text, "KMvM"), "%s", error.text);
    cr_assert_eq(n_left, 1);
    cr_assert_eq(probe_preload(handle, "KMvM", 0, EINSPUL_WDL, SIZE_MAX, NULL, NULL),
                 EINSPUL_BAD_BLOCK);
    cr_assert_eq(probe_preload(handle, "MMvK", 0, EINSPUL_WDL, SIZE_MAX, NULL, &error),
                 EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "MMvK"), "%s", error.text);
    cr_assert_eq(probe_preload(handle, "MMvM", 0, EINSPUL_DTW, SIZE_MAX, NULL, NULL),
                 EINSPUL_NO_METRIC);
    cr_assert_eq(probe_preload(handle, "KxK", 0, EINSPUL_WDL, SIZE_MAX, NULL, NULL),
                 EINSPUL_BAD_MATERIAL);
    cr_assert_eq(einspul_preload(handle, 3, EINSPUL_WDL, SIZE_MAX, &error), EINSPUL_BAD_BLOCK);
    einspul_close(handle);
}
