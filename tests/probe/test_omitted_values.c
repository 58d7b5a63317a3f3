/* Compressed tables with omitted values: a side to move, last runs, or both. Probes must give the
 * values of the whole table. */
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/run/plan_make.h"
#include "probe/list_moves.h"
#include "probe/probe.h"
#include "probe/program_handle.h"
#include "table/table_open.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(omitted, .init = make_folder, .fini = drop_folder, .timeout = 300);

enum { SAMPLE_STEP = 23 }; /* odd: every other placement is probed with the board rotated */

/* The form of compression; a test may change it, as it runs in its own process. */
static enum compress_form form = COMPRESS_DEFAULT;

/* The byte of a table's header that gives the omitted side to move; 0: none. */
static int omitted_of(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    const int omitted = bytes[AT_SIDE_OMITTED];
    free(bytes);
    return omitted;
}

/* Compresses a table in place, and checks the new size of the file. */
static void compress_file(const struct rules *rules, const char *name, einspul_metric metric,
                          enum compress_form to, const char *path)
{
    const struct material material = material_named(name);
    const uint64_t n_bytes = compress_table(rules, &material, metric, to, path);
    struct stat info;
    cr_assert_eq(stat(path, &info), 0);
    cr_assert_eq((uint64_t)info.st_size, n_bytes, "%s", path);
}

/* Copies a table's file into the folder "left"; `path` receives its name. */
static void copy_left(const struct rules *rules, const char *name, einspul_metric metric,
                      char path[1024])
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(table_name(rules, name, metric), &n_bytes);
    (void)mkdir(path_of("left"), 0777); /* may exist */
    snprintf(path, 1024, "%s/left/%s", folder, rules->name);
    (void)mkdir(path, 0777);
    snprintf(path, 1024, "%s/left/%s/%s.%s", folder, rules->name, name,
             metric == EINSPUL_WDL ? "wdl" : "dtw");
    write_whole(path, bytes, n_bytes);
    free(bytes);
}

/* Checks that a compressed table omits all it may, and records it. */
static void expect_omitted(const struct rules *rules, const char *name, einspul_metric metric,
                           const char *path)
{
    struct table *from = open_whole(rules, name, metric, table_name(rules, name, metric));
    struct table *table = open_whole(rules, name, metric, path);
    const struct shape *shape = &from->shape;
    const struct material *material = &shape->material;
    const bool may = (metric == EINSPUL_DTW || form == COMPRESS_SMALLEST) && shape->n_sides == 2 &&
                     !table_always_has_distances(rules, material);
    const bool runs =
        rules->king_run_limit > 0 && ((material->kings[WHITE] > 0 && material->men[WHITE] > 0) ||
                                      (material->kings[BLACK] > 0 && material->men[BLACK] > 0));
    const int omitted = omitted_of(path);
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);

    cr_assert(may && table->header.dictionary == DICTIONARY_MODEL ? omitted == 1 || omitted == 2
                                                                  : omitted == 0,
              "%s: %d is omitted", path, omitted);
    const bool runs_omitted = runs && table->header.dictionary == DICTIONARY_MODEL;
    cr_assert_eq(bytes[AT_RUNS_OMITTED], runs_omitted, "%s", path);
    cr_assert_eq(table_is_complete(table), omitted == 0 && !runs_omitted);
    cr_assert_eq(table_is_complete(from), true);
    for (int side = WHITE; side <= BLACK; side++)
        cr_assert_eq(table_stores(table, (enum side)side),
                     side < from->shape.n_sides && (omitted >> side & 1) == 0);
    for (int side = WHITE; side < from->shape.n_sides; side++)
        cr_assert_eq(table->header.n_stored[side], from->header.n_stored[side]);
    cr_assert_eq(table->header.value_hash, from->header.value_hash);
    cr_assert_eq(bytes[48], from->shape.n_sides);
    cr_assert_eq(load_u64(bytes + 64), table->header.n_blocks);
    cr_assert_eq(table->header.n_blocks,
                 table->blocks_per_side * (uint64_t)(from->shape.n_sides - (omitted != 0)));
    cr_assert_eq(load_u16(bytes + 8), FORMAT_VERSION);
    cr_assert_eq(load_u16(bytes + 10), FORMAT_VERSION);
    if (!table_is_complete(table))
        expect_header(path);
    free(bytes);
    table_close(from);
    table_close(table);
}

/* Handles on whole tables and on those that may omit a side. */
struct pair {
    struct rules rules;
    einspul *whole, *left;
};

static struct pair open_pair(const struct rules *rules)
{
    char left[1024];
    snprintf(left, sizeof left, "%s/left", folder);
    const struct pair pair = {
        .rules = *rules,
        .whole = open_tables(folder, rules->name, (size_t)64 << 20),
        .left = open_tables(left, rules->name, (size_t)64 << 20),
    };
    return pair;
}

static void close_pair(const struct pair *pair)
{
    einspul_close(pair->whole);
    einspul_close(pair->left);
}

/* The state of a placement and a rule state, every other placement flipped. Returns false if the
 * placement is impossible. */
static bool state_of(const struct rules *rules, const struct shape *shape, enum side side,
                     uint64_t index, int rule_state, struct state *state)
{
    *state = (struct state){0};
    if (!shape_unrank(shape, index, side, &state->at))
        return false;
    state->run[WHITE] = run_from_index(state->at.kings[WHITE], shape_run(shape, WHITE, rule_state));
    state->run[BLACK] = run_from_index(state->at.kings[BLACK], shape_run(shape, BLACK, rule_state));
    if (placement_limit(rules, &state->at) > 0)
        state->clock = (uint8_t)(index % 17);
    if (index % 2 == 1)
        *state = state_flip(&rules->board, state);
    return true;
}

/* True if both handles give the same value of a state, in both metrics. */
static bool same_answers(const struct pair *pair, const struct state *state)
{
    value_t whole = VALUE_NONE;
    value_t left = VALUE_NONE;
    value_t outcome = VALUE_NONE;
    return probe_state(pair->whole, state, EINSPUL_DTW, 0, &whole, NULL) == EINSPUL_OK &&
           probe_state(pair->left, state, EINSPUL_DTW, 0, &left, NULL) == EINSPUL_OK &&
           probe_state(pair->left, state, EINSPUL_WDL, 0, &outcome, NULL) == EINSPUL_OK &&
           whole == left && outcome == value_without_distance(whole);
}

/* True if a probe that keeps every value it meets gives the same value. */
static bool same_remembered(const struct pair *pair, const struct state *state)
{
    struct query query = {.handle = pair->left, .metric = EINSPUL_DTW, .n_states = QUICK_STATES};
    value_t whole = VALUE_NONE;
    value_t left = VALUE_NONE;
    const einspul_status status = query_state(&query, state, &left);
    return status == EINSPUL_OK &&
           probe_state(pair->whole, state, EINSPUL_DTW, 0, &whole, NULL) == EINSPUL_OK &&
           whole == left;
}

/* Compares every `step`-th placement of a material, captures included, both sides to move, all rule
 * states. Returns the number of states. */
static uint64_t expect_same_answers(const struct pair *pair, const struct material *material,
                                    uint64_t step)
{
    struct shape shape;
    uint64_t n_states = 0;
    uint64_t n_wrong = 0;
    char name[MATERIAL_NAME_SIZE];
    shape_init(&shape, &pair->rules, material);
    material_write(material, name);
#pragma omp parallel for num_threads(2) schedule(dynamic, 1024) reduction(+ : n_states, n_wrong)
    for (uint64_t index = 0; index < shape.n_placements; index += step) {
        struct state state;
        for (int side = WHITE; side <= BLACK; side++) {
            for (int run = 0; run < shape.n_rule_states; run++) {
                if (!state_of(&pair->rules, &shape, (enum side)side, index, run, &state))
                    continue;
                n_states++;
                n_wrong += !same_answers(pair, &state);
                if (index % 64 == 0)
                    n_wrong += !same_remembered(pair, &state);
            }
        }
    }
    cr_assert_eq(n_wrong, 0, "%s %s: %llu of %llu states", pair->rules.name, name,
                 (unsigned long long)n_wrong, (unsigned long long)n_states);
    return n_states;
}

/* A random state of a random one of the materials. */
static struct state random_state(const struct rules *rules, const struct material *materials,
                                 int n_materials, uint64_t *seed)
{
    for (;;) {
        struct shape shape;
        struct state state;
        shape_init(&shape, rules, &materials[random_below(seed, n_materials)]);
        const enum side side = random_below(seed, 2) == 0 ? WHITE : BLACK;
        const uint64_t index = random_next(seed) % shape.n_placements;
        const int run = random_below(seed, shape.n_rule_states);
        if (state_of(rules, &shape, side, index, run, &state))
            return state;
    }
}

/* Copies a table, and omits all values that may be omitted. */
static void leave_out_of_copy(const struct rules *rules, const struct material *material,
                              einspul_metric metric, char path[1024])
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    copy_left(rules, name, metric, path);
    compress_file(rules, name, metric, form, path);
    expect_omitted(rules, name, metric, path);
}

/* Generates the tables of two and three pieces, and a copy of each with omitted values. Returns the
 * number of copies without a side to move. */
static int make_left(const struct rules *rules, const struct material *materials, int n_materials,
                     unsigned metrics)
{
    int n_omitted = 0;
    char path[1024];
    generate(rules, 3, NULL, metrics);
    for (int i = 0; i < n_materials; i++) {
        if ((metrics & METRICS_WDL) != 0)
            leave_out_of_copy(rules, &materials[i], EINSPUL_WDL, path);
        leave_out_of_copy(rules, &materials[i], EINSPUL_DTW, path);
        n_omitted += omitted_of(path) != 0;
    }
    return n_omitted;
}

/* Fails if compressed tables give wrong answers for omitted positions. */
static void expect_recovered_every(uint64_t step, const char *rule_set)
{
    const struct rules rules = rules_named(rule_set);
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    uint64_t n_states = 0;
    const int n_omitted = make_left(&rules, materials, n_materials, METRICS_BOTH);
    const struct pair pair = open_pair(&rules);
    for (int i = 0; i < n_materials; i++)
        n_states += expect_same_answers(&pair, &materials[i], step);
    close_pair(&pair);
    cr_assert_geq(n_omitted, 6, "%d tables leave a side out", n_omitted);
    cr_assert_gt(n_states, 200000 / step);
}

/* Tables of outcomes also omit a side. */
Test(omitted, smallest_recovered_in_frisian)
{
    form = COMPRESS_SMALLEST;
    expect_recovered_every(SAMPLE_STEP, "frisian");
}

Test(omitted, recovered_in_english_draughts)
{
    expect_recovered_every(SAMPLE_STEP, "english");
}

Test(omitted, long_recovered_everywhere)
{
    for (int i = 0; i < 2; i++) {
        form = i == 0 ? COMPRESS_DEFAULT : COMPRESS_SMALLEST;
        expect_recovered_every(1, "frisian");
        expect_recovered_every(1, "english");
        expect_recovered_every(1, "international");
        shell("rm -r left");
    }
}

/* Two kings against one may omit a side if no clock counts. */
Test(omitted, recovered_where_no_clock_counts)
{
    const struct rules rules = rules_named("frisian-no18");
    const struct material material = material_named("KKvK");
    char path[1024];
    generate(&rules, 0, "KKvK", METRICS_BOTH);
    leave_out_of_copy(&rules, &material, EINSPUL_WDL, path);
    leave_out_of_copy(&rules, &material, EINSPUL_DTW, path);
    cr_assert_neq(omitted_of(path), 0);
    const struct material smaller = material_named("KvK");
    leave_out_of_copy(&rules, &smaller, EINSPUL_WDL, path);
    leave_out_of_copy(&rules, &smaller, EINSPUL_DTW, path);
    const struct pair pair = open_pair(&rules);
    cr_assert_gt(expect_same_answers(&pair, &material, 1), 50000);
    close_pair(&pair);
}

/* The other Frisian rule sets, which differ in the rule state, not in moves. */
Test(omitted, long_recovered_in_the_other_frisian_rule_sets)
{
    static const char *const names[] = {"frisian-no17", "frisian-no18", "frisian-free"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        expect_recovered_every(1, names[i]);
        shell("rm -r %s left", names[i]);
    }
}

static const char *material_named_as(const struct material *material)
{
    static char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    return name;
}

/* Compares random states of a four-piece material. Other four-piece tables stay whole. */
static void expect_recovered(const char *name, unsigned metrics, int n_states)
{
    const struct rules rules = rules_named("frisian");
    struct generate_options options = {
        .rules = &rules, .root = folder, .metrics = metrics, .n_threads = 2};
    struct generate_plan plan;
    uint64_t seed = 3;
    cr_assert_eq(material_read(name, &options.material, NULL), EINSPUL_OK);
    generate(&rules, 0, name, metrics);
    cr_assert_eq(generate_plan(&options, &plan, NULL), EINSPUL_OK);
    for (int i = 0; i < plan.n_materials; i++) {
        const struct material *material = &plan.materials[i].material;
        char path[1024];
        if (material_pieces(material) == 4 && strcmp(material_named_as(material), name) != 0) {
            copy_left(&rules, material_named_as(material), EINSPUL_DTW, path); /* costs time */
            continue;
        }
        if ((metrics & METRICS_WDL) != 0)
            leave_out_of_copy(&rules, material, EINSPUL_WDL, path);
        leave_out_of_copy(&rules, material, EINSPUL_DTW, path);
    }
    const struct pair pair = open_pair(&rules);
    for (int i = 0; i < n_states; i++) {
        const struct state state = random_state(&rules, &options.material, 1, &seed);
        char fen[FEN_SIZE];
        fen_write(&rules, &state, fen);
        cr_assert(same_answers(&pair, &state), "%s", fen);
        struct state other = state; /* like an index, number and side of other pieces */
        other.at.side = side_other(other.at.side);
        other = state_flip(&rules.board, &other);
        cr_assert(same_answers(&pair, &other), "the other side after %s", fen);
    }
    close_pair(&pair);
}

/* Fails if an omitted value of four pieces, with runs of two kings, is not recovered from its
 * moves. */
Test(omitted, long_recovered_of_four_pieces)
{
    form = COMPRESS_SMALLEST;
    expect_recovered("KKMvK", METRICS_BOTH, 200000);
}

/* Fails if, where both sides have a king that must not move again, the search for a value does not
 * end, or a distance is that of another run. format_reader probes a sample of them. */
Test(omitted, long_last_runs_of_both_sides_recovered)
{
    expect_recovered("KMvKM", METRICS_BOTH, 200000);
}

/* Fails if positions of an omitted side get other answers in a batch, or as moves, than alone. */
static void expect_same_in_batches_and_moves(const struct pair *pair,
                                             const struct material *materials, int n_materials)
{
    enum { N_POSITIONS = 3000, MAX_MOVES = 64 };
    static einspul_position positions[N_POSITIONS];
    static einspul_outcome outcomes[2][N_POSITIONS];
    static int plies[N_POSITIONS];
    static struct probed_move moves[2][MAX_MOVES];
    einspul_error error = {0};
    uint64_t seed = 5;

    for (int i = 0; i < N_POSITIONS; i++) {
        const struct state state = random_state(&pair->rules, materials, n_materials, &seed);
        probe_position_from_state(&state, &positions[i]);
    }
    cr_assert_eq(
        einspul_probe_many(pair->left, positions, N_POSITIONS, 0, outcomes[0], plies, NULL),
        N_POSITIONS);
    cr_assert_eq(einspul_probe_many(pair->left, positions, N_POSITIONS, 0, outcomes[1], NULL, NULL),
                 N_POSITIONS);
    for (int i = 0; i < N_POSITIONS; i++) {
        einspul_outcome outcome = EINSPUL_DRAW;
        size_t n_moves[2] = {0};
        int single = 0;
        cr_assert_eq(einspul_probe(pair->left, &positions[i], 0, &outcome, &single, &error),
                     EINSPUL_OK, "%s", error.text);
        cr_assert(outcomes[0][i] == outcome && outcomes[1][i] == outcome && plies[i] == single);
        cr_assert_eq(einspul_probe(pair->whole, &positions[i], 0, &outcome, &single, &error),
                     EINSPUL_OK, "%s", error.text);
        cr_assert(outcomes[0][i] == outcome && plies[i] == single);
        for (int j = 0; j < 2; j++)
            cr_assert_eq(probe_moves(j == 0 ? pair->whole : pair->left, &positions[i], moves[j],
                                     MAX_MOVES, &n_moves[j], &error),
                         EINSPUL_OK, "%s", error.text);
        cr_assert(n_moves[0] == n_moves[1] && n_moves[0] <= MAX_MOVES);
        for (size_t j = 0; j < n_moves[0]; j++)
            cr_assert(strcmp(moves[0][j].text, moves[1][j].text) == 0 &&
                          moves[0][j].outcome == moves[1][j].outcome &&
                          moves[0][j].plies == moves[1][j].plies,
                      "%s", moves[0][j].text);
    }
}

/* Fails if a cache-only probe reads from disk one ply later, or never gets an answer. */
static void expect_kept_to_the_cache(const struct pair *pair)
{
    enum { N_STATES = 300 };
    const struct material material = material_named("KMvM");
    uint64_t seed = 7;
    int n_refused = 0;
    const enum side omitted = omitted_of(path_of("left/frisian/KMvM.dtw")) == 1 ? WHITE : BLACK;
    for (int i = 0; i < N_STATES;) {
        const struct state state = random_state(&pair->rules, &material, 1, &seed);
        const struct material as_is = material_of(&state.at);
        const enum side side =
            material_is_canonical(&as_is) ? state.at.side : side_other(state.at.side);
        value_t whole = VALUE_NONE;
        value_t left = VALUE_NONE;
        struct probe_counters before;
        struct probe_counters after;
        if (side != omitted || placement_has_capture(&pair->rules, &state.at))
            continue;
        cr_assert_eq(probe_state(pair->whole, &state, EINSPUL_DTW, 0, &whole, NULL), EINSPUL_OK);
        probe_count(pair->left, &before);
        einspul_status status =
            probe_state(pair->left, &state, EINSPUL_DTW, EINSPUL_CACHE_ONLY, &left, NULL);
        probe_count(pair->left, &after);
        cr_assert_eq(before.decoded_blocks, after.decoded_blocks, "a block was decoded");
        cr_assert(status == EINSPUL_NOT_CACHED || (status == EINSPUL_OK && left == whole), "%s",
                  einspul_status_name(status));
        cr_assert(i > 0 || status == EINSPUL_NOT_CACHED, "nothing was in memory");
        n_refused += status == EINSPUL_NOT_CACHED;
        cr_assert_eq(probe_state(pair->left, &state, EINSPUL_DTW, 0, &left, NULL), EINSPUL_OK);
        status = probe_state(pair->left, &state, EINSPUL_DTW, EINSPUL_CACHE_ONLY, &left, NULL);
        cr_assert(status == EINSPUL_OK && left == whole, "%s", einspul_status_name(status));
        i++;
    }
    cr_assert_gt(n_refused, N_STATES / 10, "%d were refused", n_refused);
}

/* Fails if a value computed from many look-ups is computed again, or if values of stored states are
 * kept, too. */
static void expect_answers_kept(const struct pair *pair, const struct material *materials,
                                int n_materials)
{
    enum { N_STATES = 2000 };
    uint64_t seed = 13;
    int n_kept = 0;
    for (int i = 0; i < N_STATES; i++) {
        const struct state state = random_state(&pair->rules, materials, n_materials, &seed);
        struct probe_counters counters[3];
        value_t values[2];
        for (int j = 0; j < 3; j++) {
            probe_count(pair->left, &counters[j]);
            if (j < 2)
                cr_assert_eq(probe_state(pair->left, &state, EINSPUL_DTW, 0, &values[j], NULL),
                             EINSPUL_OK);
        }
        const uint64_t n_first =
            counters[1].hits + counters[1].misses - counters[0].hits - counters[0].misses;
        const uint64_t n_again =
            counters[2].hits + counters[2].misses - counters[1].hits - counters[1].misses;
        cr_assert_eq(values[0], values[1]);
        cr_assert(n_again == 0 || n_again == n_first);
        n_kept += n_first > 8 && n_again == 0;
    }
    cr_assert_gt(n_kept, N_STATES / 50, "%d", n_kept);
}

/* Fails if, with a cache for few blocks or none, the blocks of the next ply evict each other while
 * in use. */
static void expect_same_with_little_memory(const struct pair *all, const struct material *materials,
                                           int n_materials)
{
    static const size_t budgets[] = {0, 20000, 100000};
    enum { N_STATES = 400 };
    const struct rules rules = all->rules;
    char left[1024];
    snprintf(left, sizeof left, "%s", path_of("left"));
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        const struct pair pair = {rules, all->whole, open_tables(left, rules.name, budgets[i])};
        uint64_t seed = 9;
        for (int j = 0; j < N_STATES; j++) {
            const struct state state = random_state(&rules, materials, n_materials, &seed);
            char fen[FEN_SIZE];
            fen_write(&rules, &state, fen);
            cr_assert(same_answers(&pair, &state), "%s with %zu bytes", fen, budgets[i]);
        }
        einspul_close(pair.left);
    }
}

/* Runs the checks above on one set of tables, outcomes and distances without a side, since
 * generating them is slow. */
Test(omitted, same_answers_by_every_call)
{
    const struct rules rules = rules_named("frisian");
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    form = COMPRESS_SMALLEST;
    make_left(&rules, materials, n_materials, METRICS_BOTH);
    struct pair pair = open_pair(&rules);
    expect_kept_to_the_cache(&pair);
    close_pair(&pair);
    pair = open_pair(&rules);
    expect_answers_kept(&pair, materials, n_materials);
    expect_same_in_batches_and_moves(&pair, materials, n_materials);
    expect_same_with_little_memory(&pair, materials, n_materials);
    close_pair(&pair);
}
