/* einspul_preload. */
#include "probe/program_handle.h"
#include "tests/support/synthetic_fixture.h"

#include <string.h>
#include <unistd.h>

TestSuite(preload, .init = create_synthetic_set, .fini = drop_synthetic_set);

/* Fails if outcome tables do not suffice under a rule set with its own clocks. */
Test(preload, outcomes_are_enough_under_all_rules)
{
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        uint64_t seed = 13;
        synthetic_set_free(&synthetic);
        synthetic_set_create(&synthetic, *name, EINSPUL_BINARY_DIR "/probe-XXXXXX", 9);
        for (int i = 0; i < synthetic.n_materials; i++) {
            char path[1024];
            synthetic_set_path(&synthetic, &synthetic.materials[i], EINSPUL_DTW, path);
            cr_assert_eq(unlink(path), 0);
        }
        einspul *handle = open_synthetic((size_t)16 << 20);
        for (int i = 0; i < 1000; i++) {
            const struct state state = synthetic_set_random_state(&synthetic, &seed);
            einspul_position position;
            probe_position_from_state(&state, &position);
            cr_assert_eq(einspul_probe(handle, &position, 0, NULL, NULL, NULL), EINSPUL_OK, "%s",
                         *name);
        }
        einspul_close(handle);
    }
}

/* Probes random states from the cache only; returns the number refused. Other errors fail. */
static int n_refused(einspul *handle, einspul_metric metric, int n)
{
    uint64_t seed = 11;
    int refused = 0;
    for (int i = 0; i < n; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        einspul_error error = {0};
        value_t value = VALUE_NONE;
        const einspul_status status =
            probe_state(handle, &state, metric, EINSPUL_CACHE_ONLY, &value, &error);
        cr_assert(status == EINSPUL_OK || status == EINSPUL_NOT_CACHED, "%s", error.text);
        refused += status != EINSPUL_OK;
    }
    return refused;
}

static void preload(einspul *handle, einspul_metric metric, size_t most)
{
    einspul_error error = {0};
    cr_assert_eq(einspul_preload(handle, 3, metric, most, &error), EINSPUL_OK, "%s", error.text);
}

/* Fails if cache-only probes of preloaded tables return NOT_CACHED, or are counted as misses. */
Test(preload, preloaded_tables_answer)
{
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        einspul *handle = open_synthetic((size_t)16 << 20);
        struct probe_counters counters;
        cr_assert_gt(n_refused(handle, (einspul_metric)metric, 100), 50);
        einspul_close(handle);
        handle = open_synthetic((size_t)16 << 20);
        preload(handle, (einspul_metric)metric, SIZE_MAX);
        probe_count(handle, &counters);
        cr_assert(counters.misses == 0 && counters.decoded_blocks > 0);
        cr_assert_eq(n_refused(handle, (einspul_metric)metric, 20000), 0);
        if (metric == EINSPUL_WDL)
            expect_answers(handle, 2000, false);
        preload(handle, (einspul_metric)metric, SIZE_MAX);
        const uint64_t n_blocks = counters.decoded_blocks;
        probe_count(handle, &counters);
        cr_assert_eq(counters.decoded_blocks, n_blocks); /* none of them twice */
        einspul_close(handle);
    }
}

/* Fails if preloading exceeds its limit, or evicts blocks loaded earlier. */
Test(preload, limits)
{
    enum { MAX_BLOCK = 100000 };
    struct probe_counters counters;
    einspul *handle = open_synthetic((size_t)16 << 20);
    preload(handle, EINSPUL_WDL, 50000);
    probe_count(handle, &counters);
    cr_assert(counters.cached_bytes >= 50000 && counters.cached_bytes < 50000 + MAX_BLOCK);
    cr_assert_gt(n_refused(handle, EINSPUL_WDL, 1000), 0);
    const uint64_t n_decoded = counters.decoded_blocks;
    preload(handle, EINSPUL_WDL, 0);
    probe_count(handle, &counters);
    cr_assert_eq(counters.decoded_blocks, n_decoded);
    preload(handle, EINSPUL_WDL, SIZE_MAX);
    cr_assert_eq(n_refused(handle, EINSPUL_WDL, 1000), 0);
    einspul_close(handle);

    handle = open_synthetic(700000);
    preload(handle, EINSPUL_WDL, SIZE_MAX);
    probe_count(handle, &counters);
    const uint64_t cached_bytes = counters.cached_bytes;
    cr_assert(cached_bytes > 300000 && cached_bytes <= 700000);
    const int refused = n_refused(handle, EINSPUL_WDL, 1000);
    cr_assert_gt(refused, 0);
    preload(handle, EINSPUL_WDL, SIZE_MAX);
    probe_count(handle, &counters);
    cr_assert_eq(counters.cached_bytes, cached_bytes);
    cr_assert_eq(n_refused(handle, EINSPUL_WDL, 1000), refused);
    einspul_close(handle);

    handle = open_synthetic(0);
    preload(handle, EINSPUL_WDL, SIZE_MAX);
    expect_answers(handle, 100, true);
    einspul_close(handle);
}

/* Fails if a damaged table prevents the loading of others, or is not reported. */
Test(preload, failures)
{
    einspul_error error = {0};
    struct probe_counters counters[2];
    damage_table("KMvM", EINSPUL_WDL, -100); /* in its last block */
    remove_table("MMvK", EINSPUL_WDL);
    remove_table("MMvK", EINSPUL_DTW);
    remove_table("MMvM", EINSPUL_DTW);
    einspul *handle = open_synthetic((size_t)16 << 20);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(einspul_preload(handle, 3, EINSPUL_WDL, SIZE_MAX, &error), EINSPUL_BAD_BLOCK);
        cr_assert_not_null(strstr(error.text, "KMvM"), "%s", error.text);
        probe_count(handle, &counters[i]);
    }
    cr_assert_gt(counters[0].decoded_blocks, 10);
    cr_assert_eq(counters[0].decoded_blocks,
                 counters[1].decoded_blocks); /* all others were loaded */
    cr_assert_eq(einspul_preload(handle, 3, EINSPUL_DTW, SIZE_MAX, &error), EINSPUL_NO_METRIC);
    cr_assert_not_null(strstr(error.text, "MMvM"), "%s", error.text);
    einspul_close(handle);
}
