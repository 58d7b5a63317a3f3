/* Whole sets of small tables: every value follows from the moves, the counts are those of other
 * programs, and one changed value is found. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/fen.h"
#include "gen/generate.h"
#include "gen/stats.h"
#include "table/bytes.h"
#include "table/table_compress.h"
#include "table/table_format.h"
#include "verify/verify.h"

#include <criterion/criterion.h>

enum { N_THREADS = 2, PATH_SIZE = 512, N_TOP = 7 };

static char folder[] = "/tmp/einspul-verify-XXXXXX";

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[PATH_SIZE];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static struct material material_named(const char *name)
{
    struct material material;
    cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
    return material;
}

/* Makes all tables of 2..pieces, or those of one material. */
static void generate(const char *rules_name, int pieces, const char *material, unsigned metrics)
{
    struct rules rules;
    struct generate_plan plan;
    struct error error = {0};
    cr_assert_eq(rules_by_name(&rules, rules_name, &error), STATUS_OK);
    struct generate_options options = {
        .rules = &rules,
        .root = folder,
        .pieces = pieces,
        .metrics = metrics,
        .n_threads = N_THREADS,
        .level = 1,
        .solver = SOLVER_PLAIN,
    };
    if (material != NULL)
        options.material = material_named(material);
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(generate_run(&options, &plan, &error), STATUS_OK, "%s", error.text);
}

static einspul *open_tables(const char *rules_name)
{
    const char *const folders[1] = {folder};
    einspul *handle = NULL;
    einspul_options options;
    einspul_error error;
    einspul_options_init(&options);
    options.folders = folders;
    options.n_folders = 1;
    options.rules = rules_name;
    cr_assert_eq(einspul_open(&options, &handle, &error), EINSPUL_OK, "%s", error.text);
    return handle;
}

static struct verify_report verify(einspul *handle, const struct material *material,
                                   enum metric metric, int n_threads, uint64_t n_samples)
{
    const struct verify_options options = {
        .level = VERIFY_VALUES,
        .n_threads = n_threads,
        .n_samples = n_samples,
        .seed = 7,
    };
    struct verify_report report;
    struct error error = {0};
    cr_assert_eq(verify_table(handle, material, metric, &options, &report, &error), STATUS_OK, "%s",
                 error.text);
    return report;
}

static struct stats_run *begin(einspul *handle, int most_pieces, int n_threads)
{
    struct stats_run *run = NULL;
    struct error error = {0};
    cr_assert_eq(stats_begin(handle, most_pieces, n_threads, &run, &error), STATUS_OK, "%s",
                 error.text);
    stats_list_top(run, N_TOP);
    return run;
}

/* Compares the lines of data/counts.tsv for one rule set; returns how many there were. */
static int compare_counts(const char *rules_name, einspul *handle)
{
    FILE *file = fopen(EINSPUL_SOURCE_DIR "/data/counts.tsv", "r");
    struct stats_run *runs[N_THREADS];
    char line[512];
    int n_lines = 0;

    cr_assert_not_null(file);
    for (int i = 0; i < N_THREADS; i++)
        runs[i] = begin(handle, 3, 1 + i);
    while (fgets(line, sizeof line, file) != NULL) {
        char rules[32];
        char name[MATERIAL_NAME_SIZE];
        char side[8];
        char states[8];
        char max_win[8];
        unsigned long long wins, draws, losses;
        struct stats stats;
        struct error error = {0};
        if (line[0] == '#')
            continue;
        cr_assert_eq(sscanf(line, "%31s %11s %7s %7s %llu %llu %llu %7s", rules, name, side, states,
                            &wins, &draws, &losses, max_win),
                     8, "%s", line);
        if (strcmp(rules, rules_name) != 0)
            continue;

        struct material material = material_named(name);
        const bool turned = !material_is_canonical(&material);
        if (turned)
            material = material_turn(&material);
        cr_assert_eq(stats_table(runs[n_lines % N_THREADS], &material, METRIC_DTW, &stats, &error),
                     STATUS_OK, "%s", error.text);
        const enum side named = strcmp(side, "white") == 0 ? WHITE : BLACK;
        const enum side which = turned ? side_other(named) : named;
        const struct stats_counts *counts = strcmp(states, "fresh") == 0 ? &stats.fresh[which]
                                            : strcmp(states, "all") == 0 ? &stats.all[which]
                                                                         : &stats.raw[which];
        cr_assert(counts->wins == wins && counts->draws == draws && counts->losses == losses,
                  "%s: %llu/%llu/%llu", line, (unsigned long long)counts->wins,
                  (unsigned long long)counts->draws, (unsigned long long)counts->losses);
        if (max_win[0] != '?')
            cr_assert_eq(counts->max_win, atoi(max_win), "%s: %d", line, counts->max_win);
        if (counts->max_win > 0 && counts != &stats.raw[which]) {
            value_t value = VALUE_NONE;
            cr_assert_eq(probe_state(handle, &counts->longest_win, METRIC_DTW, 0, &value, &error),
                         STATUS_OK, "%s", error.text);
            cr_assert_eq(value_plies(value), counts->max_win, "%s", line);
        }
        n_lines++;
    }
    for (int i = 0; i < N_THREADS; i++)
        stats_end(runs[i]);
    fclose(file);
    return n_lines;
}

/* --- counted state by state ------------------------------------------------------------------- */

enum kind { FRESH, ALL, RAW };

static void count_value(struct stats_counts *counts, const struct state *state, value_t value,
                        bool distances)
{
    const int plies = value_plies(value);
    counts->of_value[value]++;
    counts->wins += value > VALUE_DRAW;
    counts->draws += value == VALUE_DRAW;
    counts->losses += value < VALUE_DRAW;
    if (distances && value > VALUE_DRAW && plies > counts->max_win) {
        counts->max_win = plies;
        counts->longest_win = *state;
    }
    if (distances && value < VALUE_DRAW && plies > counts->max_loss)
        counts->max_loss = plies;
}

/* Counts one side to move by probing every state: with kind ALL in every run state. */
static struct stats_counts count_probes(einspul *handle, const struct shape *shape, enum side side,
                                        enum metric metric, enum kind kind)
{
    const int n_run_states = kind == ALL ? shape->n_run_states : 1;
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    struct error error = {0};

    for (uint64_t index = 0; index < shape->n_placements; index++) {
        struct state state = {0};
        if (!shape_unrank(shape, index, side, &state.at))
            continue;
        for (int run_state = 0; run_state < n_run_states; run_state++) {
            value_t value = VALUE_NONE;
            for (int s = WHITE; s <= BLACK; s++)
                state.run[s] =
                    run_from_index(state.at.kings[s], shape_run(shape, (enum side)s, run_state));
            const enum status status = kind == RAW
                                           ? probe_raw(handle, &state, &value, &error)
                                           : probe_state(handle, &state, metric, 0, &value, &error);
            cr_assert_eq(status, STATUS_OK, "%s", error.text);
            count_value(&counts, &state, value, metric == METRIC_DTW);
        }
    }
    return counts;
}

static void assert_same_counts(const struct rules *rules, const char *label,
                               const struct stats_counts *counts,
                               const struct stats_counts *expected)
{
    char fen[FEN_SIZE] = "-";
    char expected_fen[FEN_SIZE] = "-";
    cr_assert(counts->wins == expected->wins && counts->draws == expected->draws &&
                  counts->losses == expected->losses,
              "%s: %llu/%llu/%llu", label, (unsigned long long)counts->wins,
              (unsigned long long)counts->draws, (unsigned long long)counts->losses);
    cr_assert_arr_eq(counts->of_value, expected->of_value, sizeof counts->of_value, "%s", label);
    cr_assert_eq(counts->max_win, expected->max_win, "%s: %d", label, counts->max_win);
    cr_assert_eq(counts->max_loss, expected->max_loss, "%s: %d", label, counts->max_loss);
    if (counts->max_win > 0) {
        fen_write(rules, &counts->longest_win, fen);
        fen_write(rules, &expected->longest_win, expected_fen);
    }
    cr_assert_str_eq(fen, expected_fen, "%s: %s", label, fen);
}

static bool state_equal(const struct rules *rules, const struct state *a, const struct state *b)
{
    char fens[2][FEN_SIZE];
    fen_write(rules, a, fens[0]);
    fen_write(rules, b, fens[1]);
    return strcmp(fens[0], fens[1]) == 0;
}

/* The longest wins are as long as they are said to be, in their order, and no longer one is left
 * out. */
static void check_top(einspul *handle, const char *label, const struct stats *stats, enum side side)
{
    const struct rules *rules = probe_rules(handle);
    const struct stats_counts *counts = &stats->fresh[side];
    const struct stats_top *top = &stats->top[side];
    const uint64_t n_wins = counts->max_win > 0 ? counts->wins : 0;
    uint64_t n_longer = 0;

    cr_assert_eq(top->n, n_wins < N_TOP ? (int)n_wins : N_TOP, "%s: %d wins listed", label, top->n);
    for (int i = 0; i < top->n; i++) {
        value_t value = VALUE_NONE;
        struct error error = {0};
        cr_assert_eq(probe_state(handle, &top->win[i].state, METRIC_DTW, 0, &value, &error),
                     STATUS_OK, "%s", error.text);
        cr_assert_eq(value_plies(value), top->win[i].plies, "%s: win %d", label, i);
        cr_assert_eq(top->win[i].state.at.side, side, "%s: win %d", label, i);
        cr_assert(i == 0 || top->win[i].plies <= top->win[i - 1].plies, "%s: win %d", label, i);
        for (int j = 0; j < i; j++)
            cr_assert(!state_equal(rules, &top->win[i].state, &top->win[j].state),
                      "%s: win %d is win %d", label, i, j);
    }
    for (int value = VALUE_DRAW + 1; top->n > 0 && value <= VALUE_WIN_IN_1; value++)
        if (value_plies((value_t)value) > top->win[top->n - 1].plies)
            n_longer += counts->of_value[value];
    cr_assert(n_longer < N_TOP, "%s: a longer win is left out", label);
    cr_assert(top->n == 0 || state_equal(rules, &top->win[0].state, &counts->longest_win), "%s",
              label);
}

/* Compares the counts of a material with those of its probes, side by side. The longest win of the
 * side that symmetric material does not store is the other one's turned round. */
static void compare_with_probes(einspul *handle, struct stats_run *run, const char *name,
                                enum metric metric)
{
    const struct rules *rules = probe_rules(handle);
    const struct material material = material_named(name);
    const struct table *table = NULL;
    struct stats stats;
    struct error error = {0};

    cr_assert_eq(probe_table(handle, &material, metric, &table, &error), STATUS_OK, "%s",
                 error.text);
    const struct shape *shape = table_shape(table);
    const enum metric known = table_has_distances(table) ? METRIC_DTW : METRIC_WDL;
    cr_assert_eq(stats_table(run, &material, metric, &stats, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(stats.limited, material_is_limited(rules, &material));
    for (int kind = FRESH; kind <= (stats.limited ? RAW : ALL); kind++) {
        const struct stats_counts *counts = kind == FRESH ? stats.fresh
                                            : kind == ALL ? stats.all
                                                          : stats.raw;
        struct stats_counts expected[2];
        for (int side = WHITE; side <= BLACK; side++) {
            char label[64];
            snprintf(label, sizeof label, "%s, metric %d, kind %d, side %d", name, (int)metric,
                     kind, side);
            expected[side] = count_probes(handle, shape, (enum side)side, known, (enum kind)kind);
            if (side == BLACK && shape->n_sides == 1 && expected[WHITE].max_win > 0)
                expected[BLACK].longest_win =
                    state_turn(&rules->board, &expected[WHITE].longest_win);
            assert_same_counts(rules, label, &counts[side], &expected[side]);
            if (kind == FRESH)
                check_top(handle, label, &stats, (enum side)side);
        }
    }
}

/* Every value of the rule set's tables follows from the moves, for any number of threads. */
static void verify_all(einspul *handle)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    for (int i = 0; i < n_materials; i++) {
        for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++) {
            char name[MATERIAL_NAME_SIZE];
            material_write(&materials[i], name);
            const struct verify_report report =
                verify(handle, &materials[i], (enum metric)metric, 1 + i % N_THREADS, 0);
            cr_assert_eq(report.n_faults, 0, "%s: %llu faults", name,
                         (unsigned long long)report.n_faults);
            cr_assert_gt(report.n_states, 0, "%s: nothing was compared", name);
        }
    }
}

static void check_rules(const char *rules_name, int n_lines)
{
    generate(rules_name, 3, NULL, METRICS_BOTH);
    einspul *handle = open_tables(rules_name);
    verify_all(handle);
    cr_assert_eq(compare_counts(rules_name, handle), n_lines, "lines of data/counts.tsv");
    einspul_close(handle);
}

/* A difference: wrong tables, and every engine that trusts them plays wrongly. */
Test(verify, frisian_follows_from_the_rules, .init = make_folder, .fini = remove_folder)
{
    check_rules("frisian", 24);
}

Test(verify, frisian_without_the_two_rules, .init = make_folder, .fini = remove_folder)
{
    check_rules("frisian-free", 4);
}

/* Captures come from the seeds here and from the prober there: a difference is a fault of one. */
Test(verify, counts_are_those_of_the_probes, .init = make_folder, .fini = remove_folder)
{
    static const char *const names[] = {"KvK", "KvM", "MvM", "KKvK", "KMvK", "KMvM", "MMvK"};
    generate("frisian", 3, NULL, METRICS_BOTH);
    einspul *handle = open_tables("frisian");
    struct stats_run *run = begin(handle, 3, N_THREADS);
    for (int metric = METRIC_DTW; metric >= METRIC_WDL; metric--)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            compare_with_probes(handle, run, names[i], (enum metric)metric);
    /* Back to distances, after outcomes were in memory. */
    compare_with_probes(handle, run, "MMvK", METRIC_DTW);
    stats_end(run);
    einspul_close(handle);
}

static void remove_table(const char *file)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/frisian/%s", folder, file);
    cr_assert_eq(remove(path), 0, "%s", path);
}

/* Captures of KMvK lead to KvM, turned round: Black's king takes White's. */
Test(verify, a_table_that_counts_need_is_named, .init = make_folder, .fini = remove_folder)
{
    const struct material material = material_named("KMvK");
    struct stats stats;
    struct error error = {0};
    generate("frisian", 0, "KMvK", METRICS_BOTH);
    remove_table("KvM.dtw");

    einspul *handle = open_tables("frisian");
    struct stats_run *run = begin(handle, 3, N_THREADS);
    cr_assert_eq(stats_table(run, &material, METRIC_DTW, &stats, &error), STATUS_NO_METRIC);
    cr_assert_not_null(strstr(error.text, "KvM"), "%s", error.text);
    compare_with_probes(handle, run, "KMvK", METRIC_WDL);
    stats_end(run);
    einspul_close(handle);

    remove_table("KvM.wdl");
    handle = open_tables("frisian");
    run = begin(handle, 3, N_THREADS);
    cr_assert_eq(stats_table(run, &material, METRIC_WDL, &stats, &error), STATUS_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "KvM"), "%s", error.text);
    stats_end(run);
    einspul_close(handle);
}

/* Distances that are there for some tables only are no matter for outcomes. */
Test(verify, outcomes_are_counted_with_tables_of_either_kind, .init = make_folder,
     .fini = remove_folder)
{
    generate("frisian", 3, NULL, METRICS_BOTH);
    remove_table("KvM.wdl");
    remove_table("MMvK.dtw");
    remove_table("KMvK.dtw");
    einspul *handle = open_tables("frisian");
    struct stats_run *run = begin(handle, 3, N_THREADS);
    compare_with_probes(handle, run, "KMvK", METRIC_WDL);
    compare_with_probes(handle, run, "MMvK", METRIC_WDL);
    stats_end(run);
    einspul_close(handle);
}

Test(verify, a_sample_is_about_as_large_as_asked, .init = make_folder, .fini = remove_folder)
{
    generate("frisian", 0, "KMvK", METRICS_BOTH);
    einspul *handle = open_tables("frisian");
    const struct material material = material_named("KMvK");
    const struct verify_report all = verify(handle, &material, METRIC_DTW, N_THREADS, 0);
    const struct verify_report one = verify(handle, &material, METRIC_DTW, 1, 20000);
    const struct verify_report two = verify(handle, &material, METRIC_DTW, 2, 20000);
    cr_assert_gt(all.n_states, 100000);
    cr_assert(one.n_states > 17000 && one.n_states < 23000, "%llu",
              (unsigned long long)one.n_states);
    cr_assert_eq(one.n_states, two.n_states);
    cr_assert_eq(one.n_faults, 0);
    cr_assert_eq(verify(handle, &material, METRIC_DTW, 2, UINT64_MAX).n_states, all.n_states);
    einspul_close(handle);
}

/* --- one changed value ------------------------------------------------------------------------ */

/* A table in memory, as table_write wants it. */
struct copy {
    struct shape shape;
    struct table_side sides[2];
    value_t *patterns[2];
    uint16_t *numbers[2];
    uint64_t *stored[2];
};

enum { MOST_PATTERNS = 20000 };

static void copy_free(struct copy *copy)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(copy->patterns[side]);
        free(copy->numbers[side]);
        free(copy->stored[side]);
    }
}

/* The number of a pattern in the copy, a new one where it is not there yet. */
static uint32_t copy_pattern(struct copy *copy, int side, const value_t *pattern)
{
    const size_t size = (size_t)copy->shape.n_run_states;
    struct table_side *out = &copy->sides[side];
    for (uint32_t i = 0; i < out->n_patterns; i++)
        if (memcmp(copy->patterns[side] + i * size, pattern, size) == 0)
            return i;
    cr_assert_lt(out->n_patterns, MOST_PATTERNS);
    memcpy(copy->patterns[side] + out->n_patterns * size, pattern, size);
    return out->n_patterns++;
}

static void copy_block(struct copy *copy, const struct rules *rules, int side, uint64_t first,
                       const struct block *block)
{
    const size_t size = (size_t)copy->shape.n_run_states;
    uint32_t *known = malloc(block->n_patterns * sizeof *known);
    cr_assert_not_null(known);
    memset(known, 0xff, block->n_patterns * sizeof *known);
    for (uint32_t place = 0; place < block->n_placements; place++) {
        struct placement at;
        const uint64_t index = first + place;
        const uint32_t number = block_pattern(block, block_is_wide(block), place);
        if (!shape_unrank(&copy->shape, index, (enum side)side, &at) ||
            placement_has_capture(rules, &at))
            continue;
        if (known[number] == UINT32_MAX)
            known[number] = copy_pattern(copy, side, block->patterns + number * size);
        copy->numbers[side][index] = (uint16_t)known[number];
        copy->stored[side][index / 64] |= (uint64_t)1 << index % 64;
    }
    free(known);
}

static void copy_table(struct copy *copy, const struct rules *rules, const struct table *table)
{
    memset(copy, 0, sizeof *copy);
    copy->shape = *table_shape(table);
    for (int side = WHITE; side < copy->shape.n_sides; side++) {
        const size_t n = (size_t)copy->shape.n_placements;
        copy->patterns[side] = calloc(MOST_PATTERNS, (size_t)copy->shape.n_run_states);
        copy->numbers[side] = calloc(n, sizeof *copy->numbers[side]);
        copy->stored[side] = calloc((n + 63) / 64, sizeof *copy->stored[side]);
        cr_assert(copy->patterns[side] != NULL && copy->numbers[side] != NULL &&
                  copy->stored[side] != NULL);
        copy->sides[side].patterns = copy->patterns[side];
        copy->sides[side].low = copy->numbers[side];
        copy->sides[side].stored = copy->stored[side];
        for (uint64_t i = 0; i < table_blocks_per_side(table); i++) {
            struct block *block = NULL;
            cr_assert_eq(table_decode_block(table,
                                            (uint64_t)side * table_blocks_per_side(table) + i,
                                            &block, NULL),
                         STATUS_OK);
            copy_block(copy, rules, side, i * table_block_placements(table), block);
            free(block);
        }
    }
}

/* Writes the table with one value changed, and verifies it. */
static struct verify_report verify_changed(struct copy *copy, const struct rules *rules,
                                           enum metric metric, int side, uint64_t index,
                                           int run_state, value_t value, int n_threads)
{
    const size_t size = (size_t)copy->shape.n_run_states;
    struct table_side *out = &copy->sides[side];
    const uint16_t number = copy->numbers[side][index];
    value_t *changed = copy->patterns[side] + out->n_patterns * size;
    char path[PATH_SIZE];
    struct error error = {0};

    cr_assert_lt(out->n_patterns, MOST_PATTERNS);
    memcpy(changed, copy->patterns[side] + number * size, size);
    changed[run_state] = value;
    copy->numbers[side][index] = (uint16_t)out->n_patterns++;
    cr_assert_eq(
        generate_path(folder, rules, &copy->shape.material, metric, path, sizeof path, &error),
        STATUS_OK, "%s", error.text);
    cr_assert_eq(table_write(path, rules, &copy->shape, metric, copy->sides, 1, 1, &error),
                 STATUS_OK, "%s", error.text);
    out->n_patterns--;
    copy->numbers[side][index] = number;

    einspul *handle = open_tables(rules->name);
    const struct verify_report report = verify(handle, &copy->shape.material, metric, n_threads, 0);
    einspul_close(handle);
    return report;
}

/* Changes values here and there. Each change is found; where no other position needs the value for
 * its own, that one is all that is reported, with both values. */
static void change_values(const char *material_name, enum metric metric)
{
    const struct material material = material_named(material_name);
    struct rules rules;
    struct copy copy;
    const struct table *table = NULL;
    int n_exact = 0;
    uint64_t index = 12345;

    cr_assert_eq(rules_by_name(&rules, "frisian", NULL), STATUS_OK);
    generate("frisian", 0, material_name, METRICS_BOTH);
    einspul *handle = open_tables("frisian");
    cr_assert_eq(probe_table(handle, &material, metric, &table, NULL), STATUS_OK);
    copy_table(&copy, &rules, table);
    einspul_close(handle);

    for (int attempt = 0; attempt < 12; attempt++) {
        const int side = attempt % copy.shape.n_sides;
        const int run_state = (5 * attempt + 3) % copy.shape.n_run_states;
        index = (index * 48271 + 11) % copy.shape.n_placements;
        while ((copy.stored[side][index / 64] >> index % 64 & 1) == 0)
            index = (index + 1) % copy.shape.n_placements;
        const value_t before =
            copy.patterns[side][copy.numbers[side][index] * (size_t)copy.shape.n_run_states +
                                (size_t)run_state];
        /* Better for the side to move: whoever can choose does not come here. */
        const value_t after = before != VALUE_WIN_IN_1 ? VALUE_WIN_IN_1 : VALUE_DRAW;
        const struct verify_report report = verify_changed(
            &copy, &rules, metric, side, index, run_state, after, 1 + attempt % N_THREADS);
        cr_assert_gt(report.n_faults, 0, "%s: attempt %d is not found", material_name, attempt);
        if (report.n_faults == 1) {
            cr_assert_eq(report.stored, after);
            cr_assert_eq(report.implied, before);
            cr_assert_eq((int)report.first_fault.at.side, side);
            cr_assert_eq(shape_rank(&copy.shape, &report.first_fault.at), index);
            cr_assert_eq(shape_run_index(&copy.shape, &report.first_fault), run_state);
            n_exact++;
        }
    }
    cr_assert_gt(n_exact, 0, "%s: no change was found alone", material_name);
    copy_free(&copy);
}

Test(verify, a_changed_distance_is_found, .init = make_folder, .fini = remove_folder)
{
    change_values("KMvK", METRIC_DTW);
}

Test(verify, a_changed_outcome_is_found, .init = make_folder, .fini = remove_folder)
{
    change_values("KMvM", METRIC_WDL);
}

/* Two kings against one holds distances without the limit, in the .wdl too. */
Test(verify, a_changed_raw_distance_is_found, .init = make_folder, .fini = remove_folder)
{
    change_values("KKvK", METRIC_WDL);
}

/* Wrong: values that were changed together with all that follows from them, or a table that was not
 * made of the values it says, pass for right. */
Test(verify, values_of_another_hash_are_found, .init = make_folder, .fini = remove_folder)
{
    enum { AT_VALUE_HASH = 136, AT_HEADER_CHECKSUM = 248 };
    const struct material material = material_named("KvM");
    char path[PATH_SIZE];
    uint8_t header[HEADER_SIZE];
    generate("frisian", 2, NULL, METRICS_BOTH);
    snprintf(path, sizeof path, "%s/frisian/KvM.dtw", folder);
    const int file = open(path, O_RDWR);
    cr_assert(file >= 0 && pread(file, header, HEADER_SIZE, 0) == HEADER_SIZE);
    header[AT_VALUE_HASH] ^= 1;
    store_u64(header + AT_HEADER_CHECKSUM, format_checksum(header, AT_HEADER_CHECKSUM));
    cr_assert(pwrite(file, header, HEADER_SIZE, 0) == HEADER_SIZE && close(file) == 0);
    for (int level = VERIFY_HEADER; level <= VERIFY_VALUES; level++) {
        const struct verify_options options = {.level = (enum verify_level)level, .n_threads = 2};
        struct verify_report report;
        struct error error = {0};
        einspul *handle = open_tables("frisian");
        const enum status status =
            verify_table(handle, &material, METRIC_DTW, &options, &report, &error);
        cr_assert_eq(status, level == VERIFY_HEADER ? STATUS_OK : STATUS_CORRUPT, "%s", error.text);
        cr_assert(level == VERIFY_HEADER ||
                  (strstr(error.text, "KvM.dtw") != NULL && strstr(error.text, "hash") != NULL));
        einspul_close(handle);
    }
}

/* --- tables that leave a side out ------------------------------------------------------------- */

/* Compresses the distances of a material over themselves; returns the side to move that is left
 * out, -1 for none. */
static int leave_out(const struct rules *rules, const struct material *material)
{
    char path[PATH_SIZE];
    struct table *table = NULL;
    struct error error = {0};
    uint64_t n_bytes = 0;
    int left_out = -1;
    cr_assert_eq(generate_path(folder, rules, material, METRIC_DTW, path, sizeof path, &error),
                 STATUS_OK);
    cr_assert_eq(table_open(path, rules, material, METRIC_DTW, &file_io_map, &table, &error),
                 STATUS_OK, "%s", error.text);
    cr_assert_eq(table_compress(table, rules, METRIC_DTW, false, path, N_THREADS, &n_bytes, &error),
                 STATUS_OK, "%s", error.text);
    table_close(table);
    cr_assert_eq(table_open(path, rules, material, METRIC_DTW, &file_io_map, &table, &error),
                 STATUS_OK, "%s", error.text);
    for (int side = WHITE; side < table_shape(table)->n_sides; side++)
        if (!table_stores(table, (enum side)side))
            left_out = side;
    table_close(table);
    return left_out;
}

static void leave_all_out(const char *rules_name)
{
    struct rules rules;
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    int n_left_out = 0;
    cr_assert_eq(rules_by_name(&rules, rules_name, NULL), STATUS_OK);
    for (int i = 0; i < n_materials; i++)
        n_left_out += leave_out(&rules, &materials[i]) >= 0;
    cr_assert_geq(n_left_out, 6);
}

/* A difference: what is not in a file is wrong, or a right table is called faulty. */
Test(verify, a_side_that_is_left_out_follows, .init = make_folder, .fini = remove_folder)
{
    generate("frisian", 3, NULL, METRICS_BOTH);
    leave_all_out("frisian");
    einspul *handle = open_tables("frisian");
    verify_all(handle);
    cr_assert_eq(compare_counts("frisian", handle), 24, "lines of data/counts.tsv");
    einspul_close(handle);
}

/* Outcomes may come from distances, and those of smaller materials from .wdl files. */
Test(verify, a_side_that_is_left_out_is_counted, .init = make_folder, .fini = remove_folder)
{
    static const char *const names[] = {"KMvM", "MMvK", "KMvK", "MvM", "KvM", "KKvM", "KKvK"};
    generate("frisian", 3, NULL, METRICS_BOTH);
    leave_all_out("frisian");
    einspul *handle = open_tables("frisian");
    struct stats_run *run = begin(handle, 3, N_THREADS);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        compare_with_probes(handle, run, names[i], METRIC_DTW);
    compare_with_probes(handle, run, "MMvK", METRIC_WDL);
    compare_with_probes(handle, run, "KMvM", METRIC_DTW);
    stats_end(run);
    einspul_close(handle);

    remove_table("KMvK.wdl");
    remove_table("KvM.wdl");
    remove_table("KMvM.wdl");
    remove_table("KKvM.wdl");
    handle = open_tables("frisian");
    run = begin(handle, 4, 1);
    compare_with_probes(handle, run, "MMvK", METRIC_WDL);
    compare_with_probes(handle, run, "KMvM", METRIC_WDL);
    compare_with_probes(handle, run, "KvM", METRIC_WDL);
    compare_with_probes(handle, run, "KMvK", METRIC_WDL);
    stats_end(run);
    einspul_close(handle);
}

/* Promotions of KMvK lead to KKvK: without its table White's side of KMvK cannot be had. */
Test(verify, a_table_that_solving_again_needs_is_named, .init = make_folder, .fini = remove_folder)
{
    const struct material material = material_named("KMvK");
    struct rules rules;
    struct stats stats;
    struct error error = {0};
    cr_assert_eq(rules_by_name(&rules, "frisian", NULL), STATUS_OK);
    generate("frisian", 0, "KMvK", METRICS_DTW);
    cr_assert_geq(leave_out(&rules, &material), 0);
    remove_table("KKvK.dtw");
    einspul *handle = open_tables("frisian");
    struct stats_run *run = begin(handle, 3, N_THREADS);
    cr_assert_eq(stats_table(run, &material, METRIC_DTW, &stats, &error), STATUS_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "KKvK"), "%s", error.text);
    stats_end(run);
    einspul_close(handle);
}

/* Half as large as asked where half of the values are there: fewer faults are found than
 * thought. */
Test(verify, a_sample_of_one_side_is_about_as_large_as_asked, .init = make_folder,
     .fini = remove_folder)
{
    const struct material material = material_named("KMvK");
    struct rules rules;
    cr_assert_eq(rules_by_name(&rules, "frisian", NULL), STATUS_OK);
    generate("frisian", 0, "KMvK", METRICS_DTW);
    cr_assert_geq(leave_out(&rules, &material), 0);
    einspul *handle = open_tables("frisian");
    const struct verify_report all = verify(handle, &material, METRIC_DTW, N_THREADS, 0);
    const struct verify_report some = verify(handle, &material, METRIC_DTW, N_THREADS, 20000);
    cr_assert_eq(all.n_faults, 0);
    cr_assert(some.n_states > 17000 && some.n_states < 23000, "%llu of %llu",
              (unsigned long long)some.n_states, (unsigned long long)all.n_states);
    cr_assert_eq(some.n_faults, 0);
    einspul_close(handle);
}

/* A wrong value of the side that is stored is wrong for all that the other one leads to: it is
 * found two plies before. */
Test(verify, a_changed_value_beside_a_side_left_out_is_found, .init = make_folder,
     .fini = remove_folder)
{
    enum { N_ATTEMPTS = 12 };
    const struct material material = material_named("MMvK");
    struct rules rules;
    struct copy copy;
    const struct table *table = NULL;
    struct error error = {0};
    uint64_t index = 12345;

    cr_assert_eq(rules_by_name(&rules, "frisian", NULL), STATUS_OK);
    generate("frisian", 0, "MMvK", METRICS_DTW);
    einspul *handle = open_tables("frisian");
    cr_assert_eq(probe_table(handle, &material, METRIC_DTW, &table, NULL), STATUS_OK);
    copy_table(&copy, &rules, table);
    einspul_close(handle);
    const int left_out = leave_out(&rules, &material);
    const int side = left_out == WHITE ? BLACK : WHITE;
    cr_assert_geq(left_out, 0);

    for (int attempt = 0; attempt < N_ATTEMPTS; attempt++) {
        char path[PATH_SIZE];
        index = (index * 48271 + 11) % copy.shape.n_placements;
        while ((copy.stored[side][index / 64] >> index % 64 & 1) == 0)
            index = (index + 1) % copy.shape.n_placements;
        const uint16_t number = copy.numbers[side][index];
        const value_t before = copy.patterns[side][number];
        const value_t after = before != VALUE_WIN_IN_1 ? VALUE_WIN_IN_1 : VALUE_DRAW;
        copy.numbers[side][index] = (uint16_t)copy_pattern(&copy, side, &after);
        cr_assert_eq(
            generate_path(folder, &rules, &material, METRIC_DTW, path, sizeof path, &error),
            STATUS_OK);
        cr_assert_eq(table_write(path, &rules, &copy.shape, METRIC_DTW, copy.sides, 1, 1, &error),
                     STATUS_OK, "%s", error.text);
        copy.numbers[side][index] = number;
        cr_assert_eq(leave_out(&rules, &material), left_out);

        handle = open_tables("frisian");
        const struct verify_report report =
            verify(handle, &material, METRIC_DTW, 1 + attempt % N_THREADS, 0);
        einspul_close(handle);
        cr_assert_gt(report.n_faults, 0, "attempt %d is not found", attempt);
        cr_assert_eq((int)report.first_fault.at.side, side);
        if (report.n_faults == 1) {
            cr_assert_eq(shape_rank(&copy.shape, &report.first_fault.at), index);
            cr_assert_eq(report.stored, after);
            cr_assert_eq(report.implied, before);
        }
    }
    copy_free(&copy);
}
