/* Stopping inside the frame of kings alone, the largest of all: schedulers kill a process half a
 * minute after asking it to end. */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "gen/material/material_solve.h"
#include "gen/solver/word_solver.h"
#include "tests/support/solved_values.h"
#include "tests/support/tables.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static _Atomic int stop;
static _Atomic uint64_t stopped_at; /* nanoseconds */

static void *stop_later(void *microseconds)
{
    const long n = *(long *)microseconds;
    nanosleep(&(struct timespec){n / 1000000, n % 1000000 * 1000}, NULL);
    atomic_store(&stopped_at, (uint64_t)os_now_ns());
    atomic_store(&stop, 1);
    return NULL;
}

/* Fills the successors of a material with draws. */
static void fill_successors(struct store *store, const struct material *material,
                            einspul_metric metric)
{
    struct material list[MAX_MATERIALS];
    value_t draws[MAX_RULE_STATES];
    einspul_error error = {0};
    const int n = material_successors(material, CAPTURES_AND_PROMOTIONS, list);
    memset(draws, VALUE_DRAW, sizeof draws);
    for (int i = 0; i < n; i++) {
        struct solved *solved = NULL;
        cr_assert_eq(
            solved_create(store->rules, &list[i], metric, ORDER_TO_SOLVE, store->pager, &solved),
            EINSPUL_OK);
        cr_assert_eq(solved_fill(solved, draws, &error), EINSPUL_OK, "%s", error.text);
        store_set(store, &list[i], solved);
    }
}

/* Fails if a run that is to stop continues for more than two seconds, while it seeds or solves a
 * large frame, or puts it into chunks. */
Test(stop, within_two_seconds, .timeout = 300)
{
    static const long delays[] = {100000, 700000, 2000000};
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KKKKvKK");
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        static struct store store;
        store = (struct store){.rules = &rules};
        fill_successors(&store, &material, (einspul_metric)metric);
        for (size_t i = 0; i < sizeof delays / sizeof delays[0]; i++) {
            long delay = delays[i];
            pthread_t thread;
            einspul_error error = {0};
            const struct material_params params = {
                .store = &store,
                .material = material,
                .metric = (einspul_metric)metric,
                .solver = &word_solver,
                .n_threads = 1 + (int)i % 2,
                .stop = &stop,
            };
            atomic_store(&stop, 0);
            cr_assert_eq(pthread_create(&thread, NULL, stop_later, &delay), 0);
            const einspul_status status = material_solve(&params, &error);
            const uint64_t ended_at = (uint64_t)os_now_ns();
            pthread_join(thread, NULL);
            cr_assert_eq(status, EINSPUL_STOPPED, "it took less than %d us", (int)delay);
            cr_assert_lt(ended_at - atomic_load(&stopped_at), 2000000000u);
        }
    }
}
