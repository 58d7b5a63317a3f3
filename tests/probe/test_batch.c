/* Many probes in one call give the same answers and errors as single probes. */
#include "tests/support/synthetic_fixture.h"

TestSuite(batch, .init = create_synthetic_set, .fini = drop_synthetic_set);

enum { N_BATCH = 1500, UNTOUCHED = 77 };

/* Random positions, some of which have no answer: one in `bad_in` is illegal. */
static void random_positions(einspul_position positions[N_BATCH], int bad_in, uint64_t seed)
{
    for (int i = 0; i < N_BATCH; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        probe_position_from_state(&state, &positions[i]);
        if (random_next(&seed) % (uint64_t)bad_in == 0)
            positions[i].men[0] |= 1;
    }
}

/* Batches of every size answer like single probes. `flags` as for a probe. */
static void expect_batch(einspul *handle, const einspul_position *positions, size_t n,
                         unsigned flags, bool distances)
{
    static einspul_outcome outcomes[N_BATCH];
    static int plies[N_BATCH];
    static einspul_status statuses[N_BATCH];
    size_t n_expected = 0;

    for (size_t i = 0; i < n; i++)
        outcomes[i] = plies[i] = UNTOUCHED;
    const size_t n_ok = einspul_probe_many(handle, positions, n, flags, outcomes,
                                           distances ? plies : NULL, statuses);
    for (size_t i = 0; i < n; i++) {
        int single_plies = UNTOUCHED;
        einspul_outcome outcome = EINSPUL_DRAW;
        const einspul_status status = einspul_probe(handle, &positions[i], flags, &outcome,
                                                    distances ? &single_plies : NULL, NULL);
        cr_assert_eq(statuses[i], status, "%zu", i);
        cr_assert_eq(outcomes[i], outcome, "%zu", i);
        cr_assert_eq(plies[i], single_plies, "%zu", i);
        n_expected += status == EINSPUL_OK;
    }
    cr_assert_eq(n_ok, n_expected);
}

/* Fails if positions get other answers in a batch than alone, or a failing one affects others. */
Test(batch, equals_single_probes)
{
    static const size_t budgets[] = {0, 40000, (size_t)16 << 20};
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 100, N_BATCH};
    static einspul_position positions[N_BATCH];
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        einspul *handle = open_synthetic(budgets[b]);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            random_positions(positions, 100, 40 + i);
            expect_batch(handle, positions, sizes[i], 0, true);
            expect_batch(handle, positions, sizes[i], 0, false);
        }
        einspul_close(handle);
    }
}

/* Fails if a cache-only batch reads from disk, or one miss affects other answers. */
Test(batch, respects_cache_only)
{
    static einspul_position positions[N_BATCH];
    einspul *handle = open_synthetic((size_t)16 << 20);
    random_positions(positions, 100, 60);
    expect_batch(handle, positions, N_BATCH, EINSPUL_CACHE_ONLY, true);
    expect_batch(handle, positions, 20, 0, true);
    expect_batch(handle, positions, N_BATCH, EINSPUL_CACHE_ONLY, true);
    expect_batch(handle, positions, N_BATCH, 0, true);
    expect_batch(handle, positions, N_BATCH, EINSPUL_CACHE_ONLY, true);
    einspul_close(handle);
}

/* Fails if EINSPUL_NO_CAPTURE changes the answer of a position without captures. Without NDEBUG:
 * if a probe of one with captures accepts it. */
Test(batch, answers_without_looking_for_captures)
{
    static einspul_position positions[N_BATCH];
    einspul *handle = open_synthetic((size_t)16 << 20);
    size_t n = 0;
    random_positions(positions, 100, 70);
    for (size_t i = 0; i < N_BATCH; i++) {
        struct state state;
        einspul_outcome outcome = EINSPUL_DRAW, expected = EINSPUL_DRAW;
        int plies = UNTOUCHED, expected_plies = UNTOUCHED;
        const einspul_position position = positions[i];
        if (state_from_position(probe_rules(handle), &position, &state, NULL) != EINSPUL_OK)
            continue;
        const einspul_status status =
            einspul_probe(handle, &position, EINSPUL_NO_CAPTURE, &outcome, &plies, NULL);
        if (placement_has_capture(probe_rules(handle), &state.at)) {
#ifndef NDEBUG
            cr_assert_eq(status, EINSPUL_BAD_ARGUMENT);
#endif
            continue;
        }
        positions[n++] = position;
        cr_assert_eq(einspul_probe(handle, &position, 0, &expected, &expected_plies, NULL), status);
        cr_assert(outcome == expected && plies == expected_plies);
    }
    cr_assert(n > N_BATCH / 4 && n < N_BATCH);
    expect_batch(handle, positions, n, EINSPUL_NO_CAPTURE, true);
    expect_batch(handle, positions, n, EINSPUL_NO_CAPTURE, false);
    einspul_close(handle);
}

/* Fails if a missing or damaged table or block affects other answers in a batch than in single
 * probes. */
Test(batch, same_errors_as_single_probes)
{
    static einspul_position positions[N_BATCH];
    remove_table("KKvM", EINSPUL_WDL);
    remove_table("KKvM", EINSPUL_DTW);
    remove_table("KMvK", EINSPUL_DTW);
    damage_table("KvM", EINSPUL_DTW, 100);
    damage_table("KvK", EINSPUL_WDL, -1);
    damage_table("MMvM", EINSPUL_DTW, -1);
    damage_table("KMvM", EINSPUL_WDL, -1);
    einspul *handle = open_synthetic((size_t)16 << 20);
    random_positions(positions, 100, 70);
    expect_batch(handle, positions, N_BATCH, 0, true);
    expect_batch(handle, positions, N_BATCH, 0, false);
    einspul_close(handle);
}
