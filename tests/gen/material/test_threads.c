/* How threads are shared among frames: as many frames in parallel as memory and the level allow,
 * remaining threads inside frames. Results must not depend on the division. */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/material/material_solve.h"
#include "gen/material/material_threads.h"
#include "gen/solver/word_solver.h"
#include "tests/support/solved_values.h"
#include "tests/support/tables.h"

#include <criterion/criterion.h>
#include <string.h>

static void find_threads(const char *name, bool loading, int n_threads, uint64_t n_bytes,
                         int *n_workers, int *n_threads_per_frame)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named(name);
    struct shape shape;
    shape_init(&shape, &rules, &material);
    const struct frame_params work = {&shape, EINSPUL_WDL, &word_solver, loading};
    material_threads(&work, n_threads, n_bytes, n_workers, n_threads_per_frame);
}

Test(threads, shared_by_a_level)
{
    int n_workers = 0;
    int n_threads_per_frame = 0;
    find_threads("KKKMvK", false, 16, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 5, "a row has five squares");
    cr_expect_eq(n_threads_per_frame, 3);
    find_threads("KKKMvK", false, 2, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 1, "two workers would need the time of three frames for five");
    cr_expect_eq(n_threads_per_frame, 2);
    find_threads("KKKMvK", false, 8, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 1, "five workers would leave three threads idle");
    cr_expect_eq(n_threads_per_frame, 8);
    find_threads("KKKMvK", true, 16, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 16, "loading knows no order");
    find_threads("KKMvKM", false, 16, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 16, "a level of two men has more frames");
    find_threads("KKKvK", false, 16, 0, &n_workers, &n_threads_per_frame);
    cr_expect_eq(n_workers, 1, "kings alone are a frame");
    cr_expect_eq(n_threads_per_frame, 16);
}

/* Fails if several threads inside a frame need more than the memory for frames. */
Test(threads, within_memory)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KKKMvK");
    struct shape shape;
    shape_init(&shape, &rules, &material);
    const struct frame_params work = {&shape, EINSPUL_WDL, &word_solver, false};
    const uint64_t most = material_work_bytes(&work, 5, 3);
    const uint64_t least = material_work_bytes(&work, 2, 1);
    const uint64_t beside = material_work_bytes(&work, 0, 1);
    for (uint64_t n_bytes = least - beside; n_bytes < most; n_bytes += most / 64) {
        int n_workers = 0;
        int n_threads_per_frame = 0;
        material_threads(&work, 16, n_bytes, &n_workers, &n_threads_per_frame);
        cr_expect_geq(n_workers * n_threads_per_frame, 2);
        cr_expect_leq(material_work_bytes(&work, n_workers, n_threads_per_frame) - beside, n_bytes);
    }
}

/* Solves a material and all its successors. */
static void solve(const struct rules *rules, const struct material *list, int n,
                  einspul_metric metric, int n_threads, struct store *store)
{
    einspul_error error = {0};
    *store = (struct store){.rules = rules};
    for (int i = 0; i < n; i++) {
        const struct material_params params = {.store = store,
                                               .material = list[i],
                                               .metric = metric,
                                               .solver = &word_solver,
                                               .n_threads = n_threads};
        cr_assert_eq(material_solve(&params, &error), EINSPUL_OK, "%s", error.text);
    }
}

static void compare(const struct solved *a, const struct solved *b)
{
    const struct shape *shape = &a->shape;
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t index = 0; index < shape->n_placements; index++) {
            struct placement placement;
            if (!shape_unrank(shape, index, (enum side)side, &placement))
                continue;
            cr_assert_eq(memcmp(solved_values(a, side, index), solved_values(b, side, index),
                                (size_t)shape->n_rule_states),
                         0);
        }
    }
}

/* Frames larger than a page, four per level here: of twelve threads, three in each. */
Test(threads, inside_several_frames)
{
    const struct rules rules = rules_named("english");
    const struct material material = material_named("KKKMvK");
    struct material list[MAX_MATERIALS];
    const int n = material_closure(&material, list);
    for (einspul_metric metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        struct store one, many;
        solve(&rules, list, n, metric, 1, &one);
        solve(&rules, list, n, metric, 12, &many);
        compare(store_get(&one, &material), store_get(&many, &material));
        for (int i = 0; i < n; i++) {
            solved_destroy(store_get(&one, &list[i]));
            solved_destroy(store_get(&many, &list[i]));
        }
    }
}
