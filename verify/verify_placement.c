/* Moves come from the move generator and values of successors from the prober, and nothing from seeds or
 * solvers, so that errors in those are found. For distances this is a proof: a win or loss in d plies
 * depends on one in d - 1, down to a side without a move, so no set of wrong values can support itself.
 * Outcomes alone prove less: wins that depend on each other in a cycle would pass.
 *
 * A placement is checked for all its rule states at once: its moves are generated for every run of the
 * side to move, and each successor is probed once for every rule state it can have. Those are few: a
 * king's move leads to a run of 1, 2 or 3 of that king, a man's move to none. */
#include "verify/verify_placement.h"

#include <string.h>

#include "probe/program_handle.h"
#include "table/table_open.h"

void successors_init(struct successors *work)
{
    move_list_init(&work->moves);
    move_list_init(&work->legal);
}

void successors_free(struct successors *work)
{
    move_list_free(&work->moves);
    move_list_free(&work->legal);
}

static einspul_status value_after(const struct verified *verified, const struct state *state,
                                  value_t *value, einspul_error *error)
{
    if (verified->limited && placement_limit(verified->rules, &state->at) > 0)
        return probe_raw(verified->handle, state, value, error);
    return probe_state(verified->handle, state, verified->metric, 0, value, error);
}

einspul_status probe_after(const struct verified *verified, const struct state *state,
                           const struct move *move, value_t values[MAX_RUNS], einspul_error *error)
{
    const enum side other = side_other(state->at.side);
    const int n_other = verified->shape->n_runs[other];
    struct state before = *state;
    bool must_capture = false;

    for (int run = 0; run < n_other; run++) {
        /* A side that must capture loses its run whatever it was. */
        if (run > 0 && must_capture) {
            values[run] = values[0];
            continue;
        }
        before.run[other] = run_from_index(before.at.kings[other], run);
        const struct state after = state_after(verified->rules, &before, move);
        if (run == 0 && n_other > 1)
            must_capture = placement_has_capture(verified->rules, &after.at);
        const einspul_status status = value_after(verified, &after, &values[run], error);
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

/* The best values with one run of the side to move, for every run of the other side. */
static einspul_status implied_values(const struct verified *verified, struct successors *work,
                                     const struct state *state, value_t implied[MAX_RUNS],
                                     einspul_error *error)
{
    const enum side side = state->at.side;
    const int n_other = verified->shape->n_runs[side_other(side)];
    int known_move = 0;
    /* Bit per run of the other side: a move leads to the longest win, so that its value here, a loss
     * in 254 plies, cannot be represented. */
    uint32_t beyond = 0;

    memset(implied, VALUE_LOST, MAX_RUNS * sizeof *implied);
    const einspul_status listed = moves_generate(verified->rules, state, &work->legal);
    if (listed != EINSPUL_OK)
        return moves_error(listed, error);
    for (int i = 0; i < work->legal.n_moves; i++) {
        const struct move *move = &work->legal.moves[i];
        const struct state after = state_after(verified->rules, state, move);
        const int count = after.run[side].count;
        while (known_move < work->moves.n_moves && !move_same(&work->moves.moves[known_move], move))
            known_move++;
        if (known_move == work->moves.n_moves || known_move >= MAX_SIMPLE_MOVES)
            return error_set(error, EINSPUL_CORRUPT, "the order of moves depends on the king run");
        value_t *values = work->after[known_move][count];
        if (!work->known[known_move][count]) {
            const einspul_status status = probe_after(verified, state, move, values, error);
            if (status != EINSPUL_OK)
                return status;
            work->known[known_move][count] = true;
        }
        for (int run = 0; run < n_other; run++) {
            beyond |= (uint32_t)(values[run] == VALUE_LONGEST_WIN) << run;
            value_t value = value_before(values[run]);
            if (!verified->distances)
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

static void note_fault(struct findings *findings, uint64_t index, const struct state *state,
                       value_t stored, value_t implied)
{
    struct verify_report *report = &findings->report;
    report->n_faults++;
    if (report->n_faults > 1 && index >= findings->first_index)
        return;
    findings->first_index = index;
    report->first_fault = *state;
    report->stored = stored;
    report->implied = implied;
}

void findings_add(struct findings *all, const struct findings *part)
{
    const uint64_t n_states = all->report.n_states + part->report.n_states;
    const uint64_t n_faults = all->report.n_faults + part->report.n_faults;
    if (part->report.n_faults > 0 &&
        (all->report.n_faults == 0 || part->first_index < all->first_index))
        *all = *part;
    all->report.n_states = n_states;
    all->report.n_faults = n_faults;
}

einspul_status verify_placement(const struct verified *verified, struct successors *work,
                                const struct placement *at, const value_t *stored_values,
                                uint64_t index, struct findings *findings, einspul_error *error)
{
    const struct shape *shape = verified->shape;
    const enum side side = at->side;
    const enum side other = side_other(side);
    struct state state = {.at = *at};
    value_t implied[MAX_RUNS];

    const einspul_status listed = moves_generate(verified->rules, &state, &work->moves);
    if (listed != EINSPUL_OK)
        return moves_error(listed, error);
    /* Material has runs or clocks, never both, so one of the factors is 1. Successors probed at
     * one clock are of no use at another. */
    for (int i = 0; i < shape->n_runs[side] * shape->n_clocks; i++) {
        const int own = i / shape->n_clocks;
        state.clock = (uint8_t)(i % shape->n_clocks);
        state.run[side] = run_from_index(at->kings[side], own);
        state.run[other] = run_from_index(at->kings[other], 0);
        if (state.run[side].count > table_max_run(verified->table, side)) /* omitted */
            continue;
        if (i == 0 || shape->n_clocks > 1)
            memset(work->known, 0, sizeof work->known);
        const einspul_status status = implied_values(verified, work, &state, implied, error);
        if (status != EINSPUL_OK)
            return status;
        for (int run = 0; run < shape->n_runs[other]; run++) {
            const int rule_state = rule_state_index(shape, side, own, run) + state.clock;
            const value_t stored = stored_values[rule_state];
            findings->report.n_states++;
            if (stored != implied[run]) {
                state.run[other] = run_from_index(at->kings[other], run);
                note_fault(findings, index * (uint64_t)shape->n_rule_states + (uint64_t)rule_state,
                           &state, stored, implied[run]);
            }
        }
    }
    return EINSPUL_OK;
}
