/* The production seeds and solver against the reference ones: every value of every state, captures
 * included; and their form for large frames, here used for small ones. Fails if a value differs,
 * which only a full verification could detect in a table. */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/material/material_solve.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/word_solver.h"
#include "tests/support/moves_text.h"
#include "tests/support/oracle_solver.h"
#include "tests/support/solved_values.h"

/* All frames but those of one state are large, except outcomes of very many rule states. */
static struct solver_ops solver_large(void)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KMvK");
    struct solver_ops type = word_solver;
    struct shape shape;
    type.large_states = 1;
    type.key_placements = 1;
    shape_init(&shape, &rules, &material);
    cr_assert_eq(solver_form(&type, &shape, EINSPUL_WDL, false), FRAME_LARGE);
    return type;
}

static void solve_list(const struct rules *rules, struct store *store, const struct material *list,
                       int n, einspul_metric metric, const struct solver_ops *solver)
{
    einspul_error error = {0};
    store->rules = rules;
    for (int i = 0; i < n; i++) {
        struct material_params params = {
            .store = store,
            .material = list[i],
            .metric = metric,
            .solver = solver,
            .n_threads = 2,
        };
        cr_assert_eq(material_solve(&params, &error), EINSPUL_OK, "%s", error.text);
    }
}

/* Like solve_list, for all materials of a number of pieces. */
static void solve_all(const struct rules *rules, struct store *store, int pieces,
                      einspul_metric metric, const struct solver_ops *solver)
{
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, pieces, list);
    solve_list(rules, store, list, n, metric, solver);
}

static void release_list(struct store *store, const struct material *list, int n)
{
    for (int i = 0; i < n; i++)
        solved_destroy(store_get(store, &list[i]));
}

static void release(struct store *store, int pieces)
{
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, pieces, list);
    release_list(store, list, n);
}

/* Compares all values of two solved materials; returns the number of states. */
static uint64_t compare(const struct solved *a, const struct solved *b, const char *rules_name)
{
    const struct shape *shape = &a->shape;
    const size_t length = (size_t)shape->n_rule_states;
    uint64_t n_states = 0;
    char name[MATERIAL_NAME_SIZE];

    material_write(&shape->material, name);
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t index = 0; index < shape->n_placements; index++) {
            struct placement placement;
            if (!shape_unrank(shape, index, (enum side)side, &placement))
                continue;
            if (memcmp(solved_values(a, side, index), solved_values(b, side, index), length) != 0)
                cr_assert_fail("%s %s side %d placement %llu differs", rules_name, name, side,
                               (unsigned long long)index);
            n_states += length;
        }
    }
    return n_states;
}

/* By Article 18 the values of 2K v 1K depend on the rule state; a WDL run has distances there, so
 * that material is compared in the DTW run only. */
static void compare_all(const char *rules_name, int pieces, einspul_metric metric)
{
    static struct store plain, fast, large;
    const struct solver_ops type = solver_large();
    const struct rules rules = rules_named(rules_name);
    struct material list[MAX_MATERIALS];
    uint64_t n_states = 0;
    uint64_t n_expected = 0;
    const int n = material_list(2, pieces, list);

    memset(&plain, 0, sizeof plain);
    memset(&fast, 0, sizeof fast);
    memset(&large, 0, sizeof large);
    solve_all(&rules, &plain, pieces, metric, &solver_plain);
    solve_all(&rules, &fast, pieces, metric, &word_solver);
    solve_all(&rules, &large, pieces, metric, &type);
    for (int i = 0; i < n; i++) {
        struct shape shape;
        shape_init(&shape, &rules, &list[i]);
        n_expected += shape_states(&shape);
        n_states += compare(store_get(&plain, &list[i]), store_get(&fast, &list[i]), rules_name);
        compare(store_get(&plain, &list[i]), store_get(&large, &list[i]), rules_name);
    }
    cr_assert_eq(n_states, n_expected);
    cr_assert_gt(n_states, 1000);
    release(&plain, pieces);
    release(&fast, pieces);
    release(&large, pieces);
}

/* Rule sets that together cover all differences: king runs, a limit on the moves of two kings,
 * flying kings, both boards. */
Test(solvers, three_pieces_of_every_kind_of_rules)
{
    static const char *const names[] = {"frisian", "international", "english", "brazilian"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        compare_all(names[i], 3, EINSPUL_DTW);
    compare_all("frisian", 3, EINSPUL_WDL);
    compare_all("english", 3, EINSPUL_WDL);
}

Test(solvers, long_three_pieces_of_every_rule_set)
{
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && rules.table_rules == rules.id;
             metric++)
            compare_all(*name, 3, (einspul_metric)metric);
    }
}

/* Solves a material again and compares. */
static void solve_again(struct store *store, const char *name, einspul_metric metric,
                        const struct solver_ops *type, int n_threads)
{
    struct material_params params = {
        .store = store, .metric = metric, .solver = type, .n_threads = n_threads};
    einspul_error error = {0};
    cr_assert_eq(material_read(name, &params.material, NULL), EINSPUL_OK);
    struct solved *before = store_get(store, &params.material);
    cr_assert_eq(material_solve(&params, &error), EINSPUL_OK, "%s", error.text);
    struct solved *after = store_get(store, &params.material);
    compare(after, before, store->rules->name);
    store_set(store, &params.material, before);
    solved_destroy(after);
}

/* Kings and men on one side and on both, two and three kings, runs of both sides, all frames in the
 * form for large ones; values_on_record checks the hashes of all four-piece tables. */
Test(solvers, frisian_four_pieces)
{
    static const char *const names[] = {"KKvKK", "KKKvM", "KKvKM"};
    static const char *const needed[] = {"KKvKM", "KKKvM"}; /* with what they lead to */
    const struct solver_ops large = solver_large();
    const struct rules rules = rules_named("frisian");
    static struct store store;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        const struct material material = material_named(needed[i]);
        struct material list[MAX_MATERIALS];
        const int n = material_closure(&material, list);
        int n_missing = 0;
        for (int j = 0; j < n; j++)
            if (store_get(&store, &list[j]) == NULL)
                list[n_missing++] = list[j];
        solve_list(&rules, &store, list, n_missing, EINSPUL_DTW, &word_solver);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        solve_again(&store, names[i], EINSPUL_DTW, &large, 1 + (int)i);
    release(&store, 4);
}

/* Runs of both sides, king frames on several threads, and outcomes. */
Test(solvers, long_frisian_four_pieces)
{
    static const char *const names[] = {"KKvKK", "KKKvM", "KKvKM", "KKMvM", "KMvMM",
                                        "MMvMM", "KKKvK", "KKMvK", "KMvKM"};
    const struct solver_ops large = solver_large();
    const struct rules rules = rules_named("frisian");
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        static struct store store;
        memset(&store, 0, sizeof store);
        solve_all(&rules, &store, 4, (einspul_metric)metric, &word_solver);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            solve_again(&store, names[i], (einspul_metric)metric, &large, 1 + (int)(i % 3));
        release(&store, 4);
    }
}

/* Three kings of a side that has men: the running king and two others. Five pieces are the fewest
 * that have it against a king and a man, but one frame of KKKMvK tests as much. */
Test(solvers, three_kings_with_runs)
{
    static struct store store;
    const struct solver_ops *const solvers[3] = {&solver_plain, &word_solver, &word_solver};
    const struct rules rules = rules_named("frisian");
    struct material list[MAX_MATERIALS];
    struct material material;
    struct frame_context contexts[3];
    struct frame frames[3];
    einspul_error error = {0};

    /* All that its captures lead to. */
    cr_assert_eq(material_read("KKMvK", &material, NULL), EINSPUL_OK);
    const int n_smaller = material_closure(&material, list);
    solve_list(&rules, &store, list, n_smaller, EINSPUL_DTW, &word_solver);
    cr_assert_eq(material_read("KKKMvK", &material, NULL), EINSPUL_OK);
    /* The five-piece tables after promotions are missing; a frame without a man on the last row but
     * one has no promotion, and man moves are taken as draws. */
    struct solved *drawn = NULL;
    cr_assert_eq(solved_create(&rules, &material, EINSPUL_DTW, ORDER_TO_SOLVE, store.pager, &drawn),
                 EINSPUL_OK);
    value_t draws[MAX_RULE_STATES];
    memset(draws, VALUE_DRAW, sizeof draws);
    cr_assert_eq(solved_fill(drawn, draws, &error), EINSPUL_OK, "%s", error.text);
    store_set(&store, &material, drawn);
    const struct shape *shape = &contexts[0].shape;
    for (int i = 0; i < 3; i++) {
        struct frame_context *context = &contexts[i];
        const struct solver_ops *type = solvers[i];
        void *solver = NULL;
        void *seeders = NULL;
        cr_assert_eq(frame_context_init(context, &store, &material, EINSPUL_DTW,
                                        i == 2 ? FRAME_LARGE : FRAME_VALUES),
                     EINSPUL_OK);
        cr_assert_eq(seed_tables_create(context), EINSPUL_OK);
        cr_assert_eq(frame_create(&frames[i], context, 1), EINSPUL_OK);
        frame_set(&frames[i], 22);
        cr_assert_eq(type->create(context, 1, &solver), EINSPUL_OK);
        if (type->seeds->create != NULL)
            cr_assert_eq(type->seeds->create(context, 1, &seeders), EINSPUL_OK);
        cr_assert_eq(type->seeds->make(seeders, &frames[i], &error), EINSPUL_OK, "%s", error.text);
        cr_assert_eq(type->solve(solver, &frames[i], &error), EINSPUL_OK, "%s", error.text);
        for (int side = WHITE; side <= BLACK; side++)
            frame_copy_captures(&frames[i], side, 0, shape->frame_size);
        type->destroy(solver);
        free(seeders);
    }
    const size_t n_values = shape->frame_size * (size_t)shape->n_rule_states;
    for (int side = WHITE; side <= BLACK; side++) {
        uint64_t n_wins = 0;
        for (size_t i = 0; i < n_values; i++) {
            const size_t kings = i / (size_t)shape->n_rule_states;
            const enum placement_class class = frame_class(&frames[0], side, kings);
            cr_assert_eq(class, frame_class(&frames[1], side, kings));
            cr_assert_eq(class, frame_class(&frames[2], side, kings));
            if (class == CLASS_IMPOSSIBLE)
                continue;
            const value_t value = frames[0].value[side][i];
            cr_assert_eq(value, frames[1].value[side][i], "side %d value %zu", side, i);
            cr_assert_eq(value, frames[2].value[side][i], "large: side %d value %zu", side, i);
            n_wins += value > VALUE_DRAW;
        }
        cr_assert_gt(n_wins, 1000);
    }
    for (int i = 0; i < 3; i++) {
        frame_free(&frames[i]);
        frame_context_free(&contexts[i]);
    }
    solved_destroy(drawn);
    store_set(&store, &material, NULL);
    release_list(&store, list, n_smaller);
}
