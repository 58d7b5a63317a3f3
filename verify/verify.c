/* The verifier compares each stored value with the value that its successors imply.
 *
 * Placements with a capture are not stored. For the others every rule state is checked, or a random
 * sample of a large table. Moves come from the mover, values of successors from the prober, and
 * nothing from seeds or solvers, so that errors in those are found. For distances this is a proof:
 * a win or loss in d plies depends on one in d - 1, down to a side without a move, so no set of
 * wrong values can support itself. Outcomes alone prove less: wins that depend on each other in a
 * circle would pass.
 *
 * A placement is checked for all its rule states at once: its moves are generated for every run of
 * the mover, and each successor is probed once for every rule state it can have. Those are few: a
 * king's move leads to a run of 1, 2 or 3 of that king, a man's move to none. */
#include "verify/verify.h"

#include <string.h>

#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/random.h"
#include "probe/handle_facts.h"
#include "table/block_cursor.h"
#include "table/table_open.h"
#include "table/value_hash.h"

enum { MAX_SIMPLE_MOVES = 128 };

/* Consecutive placements of one block, a thread's share: blocks are large, and small tables have
 * few. Small enough to share the work evenly, large enough that decoding a block again on another
 * thread costs little. */
enum { SLICE_PLACEMENTS = 8192 };

/* A sample reads all slices of a table with fewer. */
enum { MANY_SLICES = 4096 };

struct verifier {
    einspul *handle;
    const struct rules *rules;
    const struct table *table;
    const struct shape *shape;
    bool decodes_only;     /* every block is decoded, no value is checked */
    einspul_metric metric; /* to probe successors in */
    bool distances;        /* the table has them */
    bool limited;
    uint64_t random_seed;
    uint64_t slice_share; /* share of the slices that are visited, of 2^64; 0: all */
    uint64_t share;       /* the same for the placements in a slice */

    struct verify_report report; /* guarded by the critical section */
    uint64_t first_index;        /* of report.first_fault: side, placement, rule state */
};

/* A share of 2^64 as used above. */
static uint64_t share_of(double part)
{
    return part >= 1.0 ? 0 : part <= 0.0 ? 1 : (uint64_t)(part * 18446744073709549568.0);
}

static bool drawn(uint64_t random_seed, uint64_t kind, uint64_t number, uint64_t share)
{
    return share == 0 || random_mix(random_mix(random_seed + kind) ^ number) < share;
}

static uint64_t slices_per_block(const struct table *table)
{
    return (table->header.block_placements + SLICE_PLACEMENTS - 1) / SLICE_PLACEMENTS;
}

/* The successors of one placement. */
struct successors {
    struct move_list moves; /* of the mover without a run: all that can occur */
    struct move_list legal; /* of one run of the mover */
    /* By move, count of the mover's run after it, run of the other side. */
    value_t after[MAX_SIMPLE_MOVES][MAX_RUN_COUNT + 1][MAX_RUNS];
    bool known[MAX_SIMPLE_MOVES][MAX_RUN_COUNT + 1];
};

static einspul_status value_after(const struct verifier *verifier, const struct state *state,
                                  value_t *value, einspul_error *error)
{
    if (verifier->limited && placement_limit(verifier->rules, &state->at) > 0)
        return probe_raw(verifier->handle, state, value, error);
    return probe_state(verifier->handle, state, verifier->metric, 0, value, error);
}

/* Probes the successor of a move, for every run of the other side. */
static einspul_status probe_after(const struct verifier *verifier, const struct state *state,
                                  const struct move *move, value_t values[MAX_RUNS],
                                  einspul_error *error)
{
    const enum side other = side_other(state->at.side);
    const int n_other = verifier->shape->n_runs[other];
    struct state before = *state;
    bool must_capture = false;

    for (int run = 0; run < n_other; run++) {
        /* A side that must capture loses its run whatever it was. */
        if (run > 0 && must_capture) {
            values[run] = values[0];
            continue;
        }
        before.run[other] = run_from_index(before.at.kings[other], run);
        const struct state after = state_after(verifier->rules, &before, move);
        if (run == 0 && n_other > 1)
            must_capture = placement_has_capture(verifier->rules, &after.at);
        const einspul_status status = value_after(verifier, &after, &values[run], error);
        if (status != EINSPUL_OK)
            return status;
    }
    return EINSPUL_OK;
}

static bool move_same(const struct move *a, const struct move *b)
{
    return a->from == b->from && a->to == b->to && a->captured == b->captured;
}

static int rule_state_index(const struct shape *shape, enum side side, int own, int other)
{
    return side == WHITE ? shape_rule_state(shape, own, other)
                         : shape_rule_state(shape, other, own);
}

/* Best values of one run of the mover, for every run of the other side. */
static einspul_status implied_values(const struct verifier *verifier, struct successors *work,
                                     const struct state *state, value_t implied[MAX_RUNS],
                                     einspul_error *error)
{
    const enum side side = state->at.side;
    const int n_other = verifier->shape->n_runs[side_other(side)];
    int known_move = 0;
    uint32_t beyond =
        0; /* by run: a move leads to the longest win, which no loss is a ply before */

    memset(implied, VALUE_LOST, MAX_RUNS * sizeof *implied);
    const einspul_status listed = moves_generate(verifier->rules, state, &work->legal);
    if (listed != EINSPUL_OK)
        return moves_error(listed, error);
    for (int i = 0; i < work->legal.n_moves; i++) {
        const struct move *move = &work->legal.moves[i];
        const struct state after = state_after(verifier->rules, state, move);
        const int count = after.run[side].count;
        while (known_move < work->moves.n_moves && !move_same(&work->moves.moves[known_move], move))
            known_move++;
        if (known_move == work->moves.n_moves || known_move >= MAX_SIMPLE_MOVES)
            return error_set(error, EINSPUL_CORRUPT, "the order of moves depends on the king run");
        value_t *values = work->after[known_move][count];
        if (!work->known[known_move][count]) {
            const einspul_status status = probe_after(verifier, state, move, values, error);
            if (status != EINSPUL_OK)
                return status;
            work->known[known_move][count] = true;
        }
        for (int run = 0; run < n_other; run++) {
            beyond |= (uint32_t)(values[run] == VALUE_LONGEST_WIN) << run;
            value_t value = value_before(values[run]);
            if (!verifier->distances)
                value = value_without_distance(value);
            if (value > implied[run])
                implied[run] = value;
        }
    }
    for (int run = 0; run < n_other; run++)
        if ((beyond >> run & 1) != 0 && implied[run] < VALUE_DRAW)
            implied[run] = VALUE_NONE;
    return EINSPUL_OK;
}

static void note_fault(struct verify_report *report, uint64_t *first_index, uint64_t index,
                       const struct state *state, value_t stored, value_t implied)
{
    report->n_faults++;
    if (index >= *first_index)
        return;
    *first_index = index;
    report->first_fault = *state;
    report->stored = stored;
    report->implied = implied;
}

/* Compares all rule states of a placement without captures. */
static einspul_status check_placement(const struct verifier *verifier, struct successors *work,
                                      const struct placement *at, const struct block *block,
                                      uint32_t place, uint64_t index, struct verify_report *report,
                                      uint64_t *first_index, einspul_error *error)
{
    const struct shape *shape = verifier->shape;
    const enum side side = at->side;
    const enum side other = side_other(side);
    struct state state = {.at = *at};
    value_t implied[MAX_RUNS];

    const einspul_status listed = moves_generate(verifier->rules, &state, &work->moves);
    if (listed != EINSPUL_OK)
        return moves_error(listed, error);
    /* Either runs or clocks: one of the two numbers is 1. What a move leads to is at another
     * clock. */
    for (int i = 0; i < shape->n_runs[side] * shape->n_clocks; i++) {
        const int own = i / shape->n_clocks;
        state.clock = (uint8_t)(i % shape->n_clocks);
        state.run[side] = run_from_index(at->kings[side], own);
        state.run[other] = run_from_index(at->kings[other], 0);
        if (i == 0 || shape->n_clocks > 1)
            memset(work->known, 0, sizeof work->known);
        const einspul_status status = implied_values(verifier, work, &state, implied, error);
        if (status != EINSPUL_OK)
            return status;
        for (int run = 0; run < shape->n_runs[other]; run++) {
            const int rule_state = rule_state_index(shape, side, own, run) + state.clock;
            const value_t stored = block_values(block, place, shape->n_rule_states)[rule_state];
            if (stored == VALUE_NONE) /* omitted: there is no stored value to check */
                continue;
            report->n_states++;
            if (stored != implied[run]) {
                state.run[other] = run_from_index(at->kings[other], run);
                note_fault(report, first_index,
                           index * (uint64_t)shape->n_rule_states + (uint64_t)rule_state, &state,
                           stored, implied[run]);
            }
        }
    }
    return EINSPUL_OK;
}

/* Checks the values of a slice of the block that the cursor has. */
static einspul_status check_slice(struct verifier *verifier, uint64_t number,
                                  const struct block_cursor *cursor, einspul_error *error)
{
    const struct shape *shape = verifier->shape;
    const struct table *table = verifier->table;
    const enum side side = table_block_side(table, cursor->number);
    const uint64_t first = cursor->number % table->blocks_per_side * table->header.block_placements;
    const uint64_t begin = number % slices_per_block(table) * SLICE_PLACEMENTS;
    const uint64_t side_offset = side == WHITE ? 0 : shape->n_placements;
    struct verify_report report = {0};
    uint64_t first_index = UINT64_MAX;
    einspul_status status = EINSPUL_OK;
    struct successors work;

    move_list_init(&work.moves);
    move_list_init(&work.legal);
    for (uint64_t place = begin; place < begin + SLICE_PLACEMENTS && status == EINSPUL_OK &&
                                 place < cursor->block->n_placements;
         place++) {
        struct placement at;
        const uint64_t index = first + place;
        if (drawn(verifier->random_seed, 1, side_offset + index, verifier->share) &&
            shape_unrank(shape, index, side, &at) && !placement_has_capture(verifier->rules, &at))
            status = check_placement(verifier, &work, &at, cursor->block, (uint32_t)place,
                                     side_offset + index, &report, &first_index, error);
    }
    move_list_free(&work.moves);
    move_list_free(&work.legal);
#pragma omp critical(verify_report)
    {
        verifier->report.n_states += report.n_states;
        const uint64_t n_faults = verifier->report.n_faults + report.n_faults;
        if (report.n_faults > 0 && first_index < verifier->first_index) {
            const uint64_t n_states = verifier->report.n_states;
            verifier->report = report;
            verifier->report.n_states = n_states;
            verifier->first_index = first_index;
        }
        verifier->report.n_faults = n_faults;
    }
    return status;
}

/* Visits the slices of the sample, or all. A thread keeps the last block it decoded. After an error
 * the slices before it are still visited, so the first error is the same for any number of
 * threads. */
static einspul_status visit_slices(struct verifier *verifier, int n_threads, einspul_error *error)
{
    const uint64_t per_block = slices_per_block(verifier->table);
    const uint64_t n_slices = verifier->table->header.n_blocks * per_block;
    einspul_error first_error = {EINSPUL_OK, ""};
    uint64_t first_failed = UINT64_MAX;

#pragma omp parallel num_threads(n_threads)
    {
        struct block_cursor cursor = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint64_t number = 0; number < n_slices; number++) {
            einspul_error own = {EINSPUL_OK, ""};
            uint64_t limit;
#pragma omp atomic read
            limit = first_failed;
            if (number > limit || !drawn(verifier->random_seed, 0, number, verifier->slice_share))
                continue;
            einspul_status status =
                block_cursor_go(&cursor, verifier->table, number / per_block, &own);
            if (status == EINSPUL_OK && !verifier->decodes_only)
                status = check_slice(verifier, number, &cursor, &own);
            if (status != EINSPUL_OK) {
#pragma omp critical(verify_error)
                if (number < first_failed) {
#pragma omp atomic write
                    first_failed = number;
                    first_error = own;
                    first_error.status = status;
                }
            }
        }
        block_cursor_free(&cursor);
    }
    if (first_error.status != EINSPUL_OK && error != NULL)
        *error = first_error;
    return first_error.status;
}

static void plan_sample(struct verifier *verifier, uint64_t n_samples)
{
    const struct table *table = verifier->table;
    uint64_t n_placements = 1; /* stored; or else none would be a division by 0 */
    for (int side = WHITE; side <= BLACK; side++)
        n_placements += table_stores(table, (enum side)side) ? table->header.n_stored[side] : 0;
    const double n_stored = (double)n_placements * verifier->shape->n_rule_states;
    const double part = (double)n_samples / n_stored;
    double slices = 1.0;
    /* Only some slices of a large table are decoded. The square root of the share is taken twice,
     * of slices and of placements within them, but never too few slices. */
    const double n_slices = (double)(table->header.n_blocks * slices_per_block(table));
    if (part < 1.0 && n_slices > MANY_SLICES) {
        slices = MANY_SLICES / n_slices;
        while (slices * slices < part)
            slices *= 2.0;
        slices = slices < 1.0 ? slices : 1.0;
    }
    verifier->slice_share = share_of(slices);
    verifier->share = share_of(part / slices);
}

einspul_status verify_table(einspul *handle, const struct material *material, einspul_metric metric,
                            const struct verify_options *options, struct verify_report *report,
                            einspul_error *error)
{
    struct verifier verifier = {
        .handle = handle,
        .rules = probe_rules(handle),
        .metric = metric,
        .random_seed = options->random_seed,
        .first_index = UINT64_MAX,
    };
    einspul_status status = probe_table(handle, material, metric, &verifier.table, error);

    *report = (struct verify_report){0};
    if (status != EINSPUL_OK)
        return status;
    const struct table *table = verifier.table;
    verifier.shape = &table->shape;
    verifier.distances = table->header.has_distances;
    if (verifier.distances)
        verifier.metric = EINSPUL_DTW; /* also in a .wdl that has them */
    verifier.limited = material_has_two_kings_limit(verifier.rules, material);
    if (options->depth == VERIFY_HEADER)
        return EINSPUL_OK; /* checked when the table was opened */
    if (options->depth == VERIFY_CHECKSUMS && table_is_complete(table))
        return value_hash_check(table, verifier.rules, options->n_threads, error);
    if (options->depth == VERIFY_CHECKSUMS)
        verifier.decodes_only = true;
    else if (options->n_samples > 0)
        plan_sample(&verifier, options->n_samples);
    status = visit_slices(&verifier, options->n_threads, error);
    if (status == EINSPUL_OK)
        *report = verifier.report;
    if (status == EINSPUL_OK && report->n_faults == 0 && options->n_samples == 0 &&
        table_is_complete(table))
        status = value_hash_check(table, verifier.rules, options->n_threads, error);
    return status;
}
