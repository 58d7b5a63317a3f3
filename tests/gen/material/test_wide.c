/* Distances that one byte cannot tell. Hardly any game has them in few pieces, so here a byte is
 * taken to tell no more than a few plies: materials with longer distances are then solved again
 * with values of two bytes, and their tables have two bytes a value. What they tell must be what
 * they tell otherwise, to the last value. */
#include "gen/material/material_solve.h"
#include "gen/stats/stats.h"
#include "tests/support/solved.h"
#include "tests/support/tables.h"
#include "tests/support/verifying.h"

#include "core/random.h"
#include "probe/probe.h"
#include "tests/support/handle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(wide, .init = make_folder, .fini = drop_folder);

/* Solves all materials of up to `pieces`, a byte telling at most `byte_plies`. */
static void solve_all(const struct rules *rules, struct store *store, int pieces, int byte_plies,
                      const struct solver_type *solver)
{
    struct material list[MAX_MATERIALS];
    einspul_error error = {0};
    const int n = material_list(2, pieces, list);
    memset(store, 0, sizeof *store);
    store->rules = rules;
    for (int i = 0; i < n; i++) {
        const struct material_params params = {
            .store = store,
            .material = list[i],
            .metric = EINSPUL_DTW,
            .solver = solver,
            .byte_plies = byte_plies,
            .n_threads = 2,
        };
        cr_assert_eq(material_solve(&params, NULL, &error), EINSPUL_OK, "%s", error.text);
    }
}

/* Compares two solved materials; adds up the pages with values of two bytes in the second, whose
 * pages must all have the same size. */
static void compare(const struct solved *a, const struct solved *b, int *n_wide)
{
    const struct shape *shape = &a->shape;
    for (uint64_t page = 0; page < b->pages->n; page++) {
        const struct chunk *chunk = atomic_load(&b->chunks[page]);
        *n_wide += chunk != NULL && chunk->value_bytes == 2;
        cr_assert(chunk == NULL || chunk->value_bytes == b->pages->form.value_bytes);
    }
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t index = 0; index < shape->n_placements; index++) {
            struct placement placement;
            int a_bytes = 0;
            int b_bytes = 0;
            if (!shape_unrank(shape, index, (enum side)side, &placement))
                continue;
            const uint8_t *of_a = solved_values(a, side, index, &a_bytes);
            const uint8_t *of_b = solved_values(b, side, index, &b_bytes);
            for (size_t i = 0; i < (size_t)shape->n_run_states; i++)
                cr_assert_eq(value_load(of_a, a_bytes, i), value_load(of_b, b_bytes, i));
        }
    }
}

static void release(struct store *store, const struct material *list, int n)
{
    for (int i = 0; i < n; i++)
        solved_destroy(store_get(store, &list[i]));
}

/* How many plies a byte may tell, and what solves with that. */
struct telling {
    int byte_plies;
    const struct solver_type *solver;
};

static void solve_and_compare(const char *name, int pieces, const struct telling *tellings,
                              int n_tellings)
{
    static struct store narrow, wide;
    struct material list[MAX_MATERIALS];
    const struct rules rules = rules_named(name);
    const int n = material_list(2, pieces, list);
    solve_all(&rules, &narrow, pieces, 0, &solver_fast);
    for (int t = 0; t < n_tellings; t++) {
        int n_wide = 0;
        solve_all(&rules, &wide, pieces, tellings[t].byte_plies, tellings[t].solver);
        for (int i = 0; i < n; i++)
            compare(store_get(&narrow, &list[i]), store_get(&wide, &list[i]), &n_wide);
        release(&wide, list, n);
        cr_assert_gt(n_wide, 3, "%s: %d pages", name, n_wide);
    }
    release(&narrow, list, n);
}

/* Wrong: a frame that is solved again gets other values, or what reads its chunks takes two
 * bytes for one. */
Test(wide, frames_have_the_same_values)
{
    struct solver_type large = solver_fast;
    large.large_states = 1;
    const struct telling frisian[] = {
        {2, &solver_fast},  {2, &solver_plain},  {2, &large},
        {8, &solver_fast},  {8, &solver_plain},  {8, &large},
        {14, &solver_fast}, {14, &solver_plain}, {14, &large},
    };
    const struct telling english[] = {{16, &solver_fast}, {10, &large}};
    const struct telling international = {8, &solver_fast};
    solve_and_compare("frisian", 3, frisian, sizeof frisian / sizeof frisian[0]);
    solve_and_compare("english", 4, english, sizeof english / sizeof english[0]);
    solve_and_compare("international", 3, &international, 1);
}

/* All tables of up to three pieces as they are, in `narrow`, and with two bytes a value beyond a
 * few plies, in `wide`. */
static void make_both(const struct rules *rules, int pieces)
{
    char path[PATH_SIZE];
    struct generate_options options = options_in(rules, "narrow", path);
    options.pieces = pieces;
    generate_with(&options);
    options = options_in(rules, "wide", path);
    options.pieces = pieces;
    options.byte_plies = 6;
    options.parts = PARTS_ALL;
    generate_with(&options);
}

static const struct table *table_of(einspul *handle, const struct material *material,
                                    einspul_metric metric)
{
    const struct table *table = NULL;
    einspul_error error = {0};
    cr_assert_eq(probe_table(handle, material, metric, &table, &error), EINSPUL_OK, "%s",
                 error.text);
    return table;
}

static einspul *open_in(const struct rules *rules, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open_default(path, rules->name);
}

/* Every placement in every run state, by probes. */
static void probe_both(einspul *narrow, einspul *wide, const struct table *table)
{
    const struct shape *shape = table_shape(table);
    for (uint64_t index = 0; index < shape->n_placements; index++) {
        for (int i = 0; i < 2 * shape->n_run_states; i++) {
            struct state state = {0};
            einspul_error error = {0};
            value_t value = VALUE_NONE;
            value_t expected = VALUE_LOST;
            const int run_state = i / 2;
            if (!shape_unrank(shape, index, i % 2 == 0 ? WHITE : BLACK, &state.at))
                break;
            for (int side = WHITE; side <= BLACK; side++)
                state.run[side] = run_from_index(state.at.kings[side],
                                                 shape_run(shape, (enum side)side, run_state));
            cr_assert_eq(probe_state(narrow, &state, EINSPUL_DTW, 0, &expected, &error), EINSPUL_OK,
                         "%s", error.text);
            cr_assert_eq(probe_state(wide, &state, EINSPUL_DTW, 0, &value, &error), EINSPUL_OK,
                         "%s", error.text);
            cr_assert_eq(value, expected, "%s: %d plies instead of %d", table_path(table),
                         value_plies(value), value_plies(expected));
        }
    }
}

/* Wrong: a table with values of two bytes tells something else, is taken for damaged by its own
 * hash or the verifier, or grows another file when it is loaded and written again. */
Test(wide, tables_tell_the_same)
{
    static const char *const names[] = {"frisian", "english"};
    for (int which = 0; which < 2; which++) {
        const struct rules rules = rules_named(names[which]);
        struct material list[MAX_MATERIALS];
        const int n = material_list(2, 3, list);
        int n_wide = 0;
        make_both(&rules, 3);
        einspul *narrow = open_in(&rules, "narrow");
        einspul *wide = open_in(&rules, "wide");
        for (int i = 0; i < n; i++) {
            const struct table *table = table_of(wide, &list[i], EINSPUL_DTW);
            n_wide += table_header(table)->value_bytes == 2;
            cr_assert_eq(table_header(table_of(narrow, &list[i], EINSPUL_DTW))->value_bytes, 1);
            probe_both(narrow, wide, table);
            for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
                cr_assert_eq(verify(wide, &list[i], (einspul_metric)metric, 2, 0).n_faults, 0);
            if (!table_header(table_of(narrow, &list[i], EINSPUL_WDL))->has_distances)
                cr_assert_eq(table_header(table_of(narrow, &list[i], EINSPUL_WDL))->value_hash,
                             table_header(table_of(wide, &list[i], EINSPUL_WDL))->value_hash);
        }
        cr_assert_gt(n_wide, 4, "%d", n_wide);
        einspul_close(narrow);
        einspul_close(wide);
    }
}

/* Wrong: what is counted depends on how values are told. */
Test(wide, statistics_are_the_same)
{
    const struct rules rules = rules_named("frisian");
    static struct stats counted[2];
    struct material list[MAX_MATERIALS];
    einspul_error error = {0};
    const int n = material_list(2, 3, list);
    make_both(&rules, 3);
    einspul *handles[2] = {open_in(&rules, "narrow"), open_in(&rules, "wide")};
    struct stats_session *sessions[2];
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(stats_begin(handles[i], 3, 2, 10, &sessions[i], &error), EINSPUL_OK);
    }
    for (int i = 0; i < n; i++) {
        memset(counted, 0, sizeof counted);
        for (int j = 0; j < 2; j++)
            cr_assert_eq(stats_table(sessions[j], &list[i], EINSPUL_DTW, &counted[j], &error),
                         EINSPUL_OK, "%s", error.text);
        for (int side = WHITE; side <= BLACK; side++) {
            const struct stats_counts *a = &counted[0].all[side];
            const struct stats_counts *b = &counted[1].all[side];
            cr_assert_arr_eq(a->of_value, b->of_value, sizeof a->of_value);
            cr_assert(a->max_win == b->max_win && a->max_loss == b->max_loss);
            cr_assert_eq(counted[0].top[side].n, counted[1].top[side].n);
            for (int k = 0; k < counted[0].top[side].n; k++)
                cr_assert_eq(counted[0].top[side].win[k].plies, counted[1].top[side].win[k].plies);
        }
    }
    for (int i = 0; i < 2; i++) {
        stats_end(sessions[i]);
        einspul_close(handles[i]);
    }
}

/* Wrong: a run that reads such tables back makes another table than one run over all. */
Test(wide, runs_go_on_from_them)
{
    const struct rules rules = rules_named("frisian");
    char path[PATH_SIZE];
    struct generate_options options = options_in(&rules, "whole", path);
    options.pieces = 0;
    options.material = material_named("KMvKM");
    options.metrics = METRICS_DTW;
    options.byte_plies = 20;
    options.n_threads = 1;
    generate_with(&options);
    shell("mkdir again && cp -r whole/frisian again && rm again/frisian/KMvKM.dtw");
    options.root = path_of("again");
    generate_with(&options);
    shell("cmp whole/frisian/KMvKM.dtw again/frisian/KMvKM.dtw");
}

/* Wrong: to compress such a table, for which there is no model, spoils it. */
Test(wide, compress_leaves_them)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KvM");
    make_both(&rules, 2);
    shell("cp wide/frisian/KvM.dtw before");
    compress_table(&rules, &material, EINSPUL_DTW, COMPRESS_PLAIN, path_of("wide/frisian/KvM.dtw"));
    shell("cmp before wide/frisian/KvM.dtw");
}

/* Wrong: a table has two bytes a value that needs one, and readers that know of bytes only
 * cannot read it; or one byte where a distance needs two. */
Test(wide, tables_have_two_bytes_where_needed)
{
    static const struct {
        int plies, byte_plies, value_bytes;
    } cases[] = {
        {-1, 0, 1},  {0, 0, 1},    {251, 0, 1}, {252, 0, 1}, {253, 0, 2},
        {254, 0, 2}, {4092, 0, 2}, {6, 6, 1},   {7, 6, 2},   {8, 6, 2},
    };
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KvM");
    struct shape shape;
    shape_init(&shape, &rules, &material);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* The second pattern of the chunk has no placement. */
        const value_t value =
            cases[i].plies < 0 ? (value_t)VALUE_DRAW : value_from_plies(cases[i].plies);
        const value_t patterns[2] = {value, VALUE_LONGEST_WIN};
        const uint32_t count[2] = {3, 0};
        struct tally *tally = NULL;
        cr_assert_eq(tally_create(&rules, &shape, METRICS_BOTH, cases[i].byte_plies, &tally),
                     EINSPUL_OK);
        cr_assert_eq(tally_add(tally, WHITE, patterns, 2, count, 2), EINSPUL_OK);
        cr_assert_eq(tally->value_bytes[EINSPUL_DTW - 1], cases[i].value_bytes, "%d plies",
                     cases[i].plies);
        cr_assert_eq(tally->value_bytes[EINSPUL_WDL - 1], 1);
        cr_assert_eq(tally->sets[EINSPUL_DTW - 1].n, 1);
        cr_assert_eq(tally->sets[EINSPUL_DTW - 1].length, (size_t)cases[i].value_bytes);
        tally_free(tally);
    }
}
