/* The verifier must find planted faults: one changed value, values with another hash, and a wrong
 * value next to an omitted side to move. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/program/index.h"
#include "probe/program_handle.h"
#include "table/block_values.h"
#include "table/table_open.h"
#include "tests/support/handle.h"
#include "tests/support/ranks.h"
#include "tests/support/table_sides.h"
#include "tests/support/tables.h"
#include "tests/support/verify_table.h"

TestSuite(verify_faults, .init = make_folder, .fini = drop_folder);

enum { N_THREADS = 2, MOST_PATTERNS = 20000 };

/* A table in memory, as table_write expects it. */
struct copy {
    struct shape shape;
    struct table_side sides[2];
    uint8_t *patterns[2];
    uint16_t *numbers[2];
    uint64_t *stored[2];
};

static void copy_free(struct copy *copy)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(copy->patterns[side]);
        free(copy->numbers[side]);
        free(copy->stored[side]);
    }
}

/* The number of a pattern in the copy; adds the pattern if it is new. */
static uint32_t copy_pattern(struct copy *copy, int side, const uint8_t *pattern)
{
    const size_t size = (size_t)copy->shape.n_rule_states;
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
    for (uint32_t place = 0; place < block->n_placements; place++) {
        struct placement at;
        const uint64_t index = first + place;
        if (!shape_unrank(&copy->shape, index, (enum side)side, &at) ||
            placement_has_capture(rules, &at))
            continue;
        value_t values[MAX_RULE_STATES];
        block_values(block, place, copy->shape.n_rule_states, values);
        copy->numbers[side][index] = (uint16_t)copy_pattern(copy, side, values);
        copy->stored[side][index / 64] |= (uint64_t)1 << index % 64;
    }
}

static void copy_table(struct copy *copy, const struct rules *rules, const struct table *table)
{
    memset(copy, 0, sizeof *copy);
    copy->shape = table->shape;
    for (int side = WHITE; side < copy->shape.n_sides; side++) {
        const size_t n = (size_t)copy->shape.n_placements;
        copy->patterns[side] = calloc(MOST_PATTERNS, (size_t)copy->shape.n_rule_states);
        copy->numbers[side] = calloc(n, sizeof *copy->numbers[side]);
        copy->stored[side] = calloc((n + 63) / 64, sizeof *copy->stored[side]);
        cr_assert(copy->patterns[side] != NULL && copy->numbers[side] != NULL &&
                  copy->stored[side] != NULL);
        copy->sides[side].patterns = copy->patterns[side];
        copy->sides[side].low = copy->numbers[side];
        copy->sides[side].stored = copy->stored[side];
        for (uint64_t i = 0; i < table->blocks_per_side; i++) {
            struct block *block = NULL;
            cr_assert_eq(table_decode_block(table, (uint64_t)side * table->blocks_per_side + i,
                                            UINT32_MAX, &block, NULL),
                         EINSPUL_OK);
            copy_block(copy, rules, side, i * table->header.block_placements, block);
            free(block);
        }
    }
}

/* A value of the table to change. */
struct change {
    int side;
    uint64_t index;
    int rule_state;
    uint8_t value;
};

/* Changes a value; returns the number of the pattern before. */
static uint16_t change_value(struct copy *copy, const struct change *change)
{
    const size_t size = (size_t)copy->shape.n_rule_states;
    struct table_side *out = &copy->sides[change->side];
    const uint16_t number = copy->numbers[change->side][change->index];
    uint8_t *changed = copy->patterns[change->side] + out->n_patterns * size;
    cr_assert_lt(out->n_patterns, MOST_PATTERNS);
    memcpy(changed, copy->patterns[change->side] + number * size, size);
    changed[change->rule_state] = change->value;
    copy->numbers[change->side][change->index] = (uint16_t)out->n_patterns++;
    return number;
}

/* Writes the table with some values changed, and verifies it. */
static struct verify_report verify_changed(struct copy *copy, const struct rules *rules,
                                           einspul_metric metric, const struct change *changes,
                                           int n, int n_threads)
{
    uint16_t numbers[2];
    char path[PATH_SIZE];
    einspul_error error = {0};

    cr_assert_leq(n, 2);
    for (int i = 0; i < n; i++)
        numbers[i] = change_value(copy, &changes[i]);
    const struct table_id id = {rules, copy->shape.material, metric};
    cr_assert_eq(table_path_below(folder, id, path, sizeof path, &error), EINSPUL_OK, "%s",
                 error.text);
    cr_assert_eq(table_write_sides(path, id, copy->sides, 1, 1, &error), EINSPUL_OK, "%s",
                 error.text);
    for (int i = n - 1; i >= 0; i--) {
        copy->sides[changes[i].side].n_patterns--;
        copy->numbers[changes[i].side][changes[i].index] = numbers[i];
    }
    einspul *handle = open_default(folder, rules->name);
    const struct verify_report report = verify(handle, &copy->shape.material, metric, n_threads, 0);
    const struct verify_report probed =
        verify_by_probes(handle, &copy->shape.material, metric, n_threads);
    einspul_close(handle);
    cr_assert(reports_equal(&report, &probed), "in memory %llu faults, by probes %llu",
              (unsigned long long)report.n_faults, (unsigned long long)probed.n_faults);
    return report;
}

static uint64_t next_stored(const struct copy *copy, int side, uint64_t index)
{
    do
        index = (index + 1) % copy->shape.n_placements;
    while ((copy->stored[side][index / 64] >> index % 64 & 1) == 0);
    return index;
}

/* Of two faults in one slice, or in two distant ones, the first is reported, whichever thread finds
 * it. */
static void expect_first(struct copy *copy, const struct rules *rules, einspul_metric metric,
                         const struct change *change)
{
    for (int i = 0; i < 3; i++) {
        struct change both[2] = {*change, *change};
        const uint64_t from = i == 0 ? change->index : change->index + copy->shape.n_placements / 3;
        both[1].index = next_stored(copy, change->side, from % copy->shape.n_placements);
        const uint64_t first = both[0].index < both[1].index ? both[0].index : both[1].index;
        const struct verify_report report =
            verify_changed(copy, rules, metric, both, 2, 1 + i % N_THREADS);
        cr_assert_geq(report.n_faults, 2);
        cr_assert((int)report.first_fault.at.side < change->side ||
                      shape_rank(&copy->shape, &report.first_fault.at) <= first,
                  "pair %d: another fault is told first", i);
    }
}

/* Changes values at some states. Each change is found; if no other position needs the value for its
 * own, only that one is reported, with both values. */
static void change_values(const char *material_name, einspul_metric metric)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named(material_name);
    struct copy copy;
    const struct table *table = NULL;
    int n_exact = 0;
    uint64_t index = 12345;

    generate(&rules, 0, material_name, METRICS_BOTH);
    einspul *handle = open_default(folder, "frisian");
    cr_assert_eq(probe_table(handle, &material, metric, &table, NULL), EINSPUL_OK);
    copy_table(&copy, &rules, table);
    einspul_close(handle);

    for (int attempt = 0; attempt < 5; attempt++) {
        const int side = attempt % copy.shape.n_sides;
        const int rule_state = (5 * attempt + 3) % copy.shape.n_rule_states;
        index = next_stored(&copy, side, (index * 48271 + 10) % copy.shape.n_placements);
        const uint8_t before =
            copy.patterns[side][copy.numbers[side][index] * (size_t)copy.shape.n_rule_states +
                                (size_t)rule_state];
        /* Better for the side to move, so that no opponent with a choice moves here. */
        const uint8_t after = before != VALUE_WIN_IN_1 ? VALUE_WIN_IN_1 : VALUE_DRAW;
        const struct change change = {side, index, rule_state, after};
        const struct verify_report report =
            verify_changed(&copy, &rules, metric, &change, 1, 1 + attempt % N_THREADS);
        cr_assert_gt(report.n_faults, 0, "%s: attempt %d is not found", material_name, attempt);
        if (report.n_faults == 1) {
            cr_assert_eq(report.stored, after);
            cr_assert_eq(report.implied, before);
            cr_assert_eq((int)report.first_fault.at.side, side);
            cr_assert_eq(shape_rank(&copy.shape, &report.first_fault.at), index);
            cr_assert_eq(shape_run_index(&copy.shape, &report.first_fault), rule_state);
            if (n_exact++ == 0 && metric == EINSPUL_DTW)
                expect_first(&copy, &rules, metric, &change);
        }
    }
    cr_assert_gt(n_exact, 0, "%s: no change was found alone", material_name);
    copy_free(&copy);
}

Test(verify_faults, a_changed_distance_is_found)
{
    change_values("KMvK", EINSPUL_DTW);
}

Test(verify_faults, a_changed_outcome_is_found)
{
    change_values("KMvM", EINSPUL_WDL);
}

/* Fails if a fault in symmetric material, which stores one side to move, is missed or counted twice. */
Test(verify_faults, a_changed_outcome_of_symmetric_material_is_found)
{
    change_values("MMvMM", EINSPUL_WDL);
}

/* Two kings against one stores distances without the limit, also in the .wdl file. */
Test(verify_faults, a_changed_raw_distance_is_found)
{
    change_values("KKvK", EINSPUL_WDL);
}

/* Fails if values that were changed consistently with all their predecessors, or a table generated
 * from other values than it names, count as right. */
Test(verify_faults, values_of_another_hash_are_found)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KvM");
    char path[PATH_SIZE];
    uint8_t header[HEADER_SIZE];
    generate(&rules, 2, NULL, METRICS_BOTH);
    snprintf(path, sizeof path, "%s/frisian/KvM.dtw", folder);
    const int file = open(path, O_RDWR);
    cr_assert(file >= 0 && pread(file, header, HEADER_SIZE, 0) == HEADER_SIZE);
    header[AT_VALUE_HASH] ^= 1;
    store_u64(header + AT_HEADER_CHECKSUM, format_checksum(header, AT_HEADER_CHECKSUM));
    cr_assert(pwrite(file, header, HEADER_SIZE, 0) == HEADER_SIZE && close(file) == 0);
    for (int depth = VERIFY_HEADER; depth <= VERIFY_VALUES; depth++) {
        const struct verify_options options = {.depth = (enum verify_depth)depth, .n_threads = 2};
        struct verify_report report;
        einspul_error error = {0};
        einspul *handle = open_default(folder, "frisian");
        const einspul_status status =
            verify_table(handle, &material, EINSPUL_DTW, &options, &report, &error);
        cr_assert_eq(status, depth == VERIFY_HEADER ? EINSPUL_OK : EINSPUL_CORRUPT, "%s",
                     error.text);
        cr_assert(depth == VERIFY_HEADER ||
                  (strstr(error.text, "KvM.dtw") != NULL && strstr(error.text, "hash") != NULL));
        einspul_close(handle);
    }
}

/* A wrong value of the stored side is wrong for all predecessors of the omitted side: it is found
 * two plies earlier. */
Test(verify_faults, a_changed_value_beside_a_side_omitted_is_found)
{
    const struct rules rules = rules_named("frisian");
    enum { N_ATTEMPTS = 5 };
    const struct material material = material_named("MMvK");
    const struct table_id id = {&rules, material, EINSPUL_DTW};
    struct copy copy;
    const struct table *table = NULL;
    einspul_error error = {0};
    uint64_t index = 12345;

    generate(&rules, 0, "MMvK", METRICS_DTW);
    einspul *handle = open_default(folder, "frisian");
    cr_assert_eq(probe_table(handle, &material, EINSPUL_DTW, &table, NULL), EINSPUL_OK);
    copy_table(&copy, &rules, table);
    einspul_close(handle);
    const int omitted = leave_out(&rules, &material, folder);
    const int side = omitted == WHITE ? BLACK : WHITE;
    cr_assert_geq(omitted, 0);

    for (int attempt = 0; attempt < N_ATTEMPTS; attempt++) {
        char path[PATH_SIZE];
        index = next_stored(&copy, side, (index * 48271 + 10) % copy.shape.n_placements);
        const uint16_t number = copy.numbers[side][index];
        const uint8_t before = copy.patterns[side][number];
        const uint8_t after = before != VALUE_WIN_IN_1 ? VALUE_WIN_IN_1 : VALUE_DRAW;
        copy.numbers[side][index] = (uint16_t)copy_pattern(&copy, side, &after);
        cr_assert_eq(table_path_below(folder, id, path, sizeof path, &error), EINSPUL_OK);
        cr_assert_eq(table_write_sides(path, id, copy.sides, 1, 1, &error), EINSPUL_OK, "%s",
                     error.text);
        copy.numbers[side][index] = number;
        cr_assert_eq(leave_out(&rules, &material, folder), omitted);

        handle = open_default(folder, "frisian");
        const struct verify_report report =
            verify(handle, &material, EINSPUL_DTW, 1 + attempt % N_THREADS, 0);
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
