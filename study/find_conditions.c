/* Conditions are tested in turn, cheapest first. */
#include "study/find_conditions.h"

#include "core/program/materials.h"
#include "probe/list_moves.h"
#include "probe/position.h"
#include "probe/program_handle.h"

static bool is_quiet(const struct rules *rules, const struct placement *at)
{
    struct placement passed = *at;
    passed.side = side_other(at->side);
    return !placement_has_capture(rules, at) && !placement_has_capture(rules, &passed);
}

/* True if a state has another outcome than a given one. */
static einspul_status differs(einspul *handle, const struct state *state, einspul_outcome outcome,
                              bool *holds, einspul_error *error)
{
    einspul_position position;
    einspul_outcome found = EINSPUL_UNKNOWN;
    probe_position_from_state(state, &position);
    const einspul_status status = einspul_probe(handle, &position, 0, &found, NULL, error);
    *holds = status == EINSPUL_OK && found != outcome;
    return status;
}

/* Checks the number of moves, and whether exactly one keeps the outcome (its successor has the
 * opposite outcome). */
static einspul_status check_moves(einspul *handle, const struct find_query *query,
                                  const struct state *state, einspul_outcome outcome,
                                  struct move_list *moves, bool *holds, einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    int n_keeping = 0;
    einspul_status status = moves_generate(rules, state, moves);
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    *holds = !query->moves.given ||
             (moves->n_moves >= query->moves.min && moves->n_moves <= query->moves.max);
    if (!*holds || !query->only_move)
        return EINSPUL_OK;
    for (int i = 0; i < moves->n_moves && n_keeping < 2 && status == EINSPUL_OK; i++) {
        const struct state after = state_after(rules, state, &moves->moves[i]);
        bool other = false;
        status = differs(handle, &after, (einspul_outcome)(-(int)outcome), &other, error);
        n_keeping += !other;
    }
    *holds = n_keeping == 1;
    return status;
}

/* Follows the line of best moves to its end. The last move need not be unique: a capturing king can
 * often stop on several squares. */
static einspul_status check_study(einspul *handle, const struct state *state, bool *holds,
                                  einspul_error *error)
{
    einspul_position position;
    probe_position_from_state(state, &position);
    for (;;) {
        struct probed_move best[2];
        size_t n = 0;
        const einspul_status status = probe_moves(handle, &position, best, 2, &n, error);
        if (status != EINSPUL_OK || n == 0 || best[0].plies == 1)
            return status;
        *holds = best[0].outcome != EINSPUL_WIN || n == 1 || best[1].outcome != EINSPUL_WIN;
        if (!*holds)
            return EINSPUL_OK;
        position = best[0].after;
    }
}

/* A longer run never helps its owner, so only states with one exhausted king need testing. */
static einspul_status check_runs(einspul *handle, const struct state *state,
                                 einspul_outcome outcome, bool *holds, einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    einspul_status status = EINSPUL_OK;
    *holds = false;
    for (int side = WHITE; side <= BLACK; side++) {
        squares_t kings =
            placement_has_runs(rules, &state->at, (enum side)side) ? state->at.kings[side] : 0;
        for (; kings != 0 && !*holds && status == EINSPUL_OK; kings &= kings - 1) {
            struct state tired = {.at = state->at};
            tired.run[side] =
                (struct run){(uint8_t)bits_first(kings), (uint8_t)rules->king_run_limit};
            status = differs(handle, &tired, outcome, holds, error);
        }
    }
    return status;
}

/* A higher clock only makes wins come too late, so only the last ply before the limit needs
 * testing. */
static einspul_status check_clock(einspul *handle, const struct state *state,
                                  einspul_outcome outcome, bool *holds, einspul_error *error)
{
    struct state late = *state;
    late.clock = (uint8_t)(placement_limit(probe_rules(handle), &state->at) - 1);
    return differs(handle, &late, outcome, holds, error);
}

bool find_may_depend(const struct rules *rules, enum find_depends depends,
                     const struct material *material)
{
    const uint8_t *men = material->men;
    const uint8_t *kings = material->kings;
    if (depends == DEPENDS_ON_CLOCK)
        return material_has_two_kings_limit(rules, material) ||
               material_clocks(rules, material) > 1;
    return rules->king_run_limit > 0 &&
           (men[WHITE] * kings[WHITE] > 0 || men[BLACK] * kings[BLACK] > 0);
}

const char *find_independence_reason(const struct rules *rules, enum find_depends depends)
{
    if (depends == DEPENDS_ON_RUN)
        return rules->king_run_limit > 0
                   ? "none of these materials can depend on a king run: it needs a side with a man "
                     "and a king"
                   : "none of these materials can depend on a king run: the rule set has no king "
                     "runs";
    if (rules->two_kings_limit > 0)
        return "none of these materials has a clock: only two kings against one do";
    if (rules->quiet_limit > 0)
        return "the tables cannot tell whether these depend on a clock: only materials with a lone "
               "king store clock values";
    return rules->lone_king_limit[1] > 0
               ? "none of these materials has a clock: only kings against a lone king do"
               : "none of these materials has a clock: the rule set has none";
}

einspul_status find_conditions(einspul *handle, const struct find_query *query,
                               const struct state *state, einspul_outcome outcome,
                               struct move_list *moves, bool *holds, einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    einspul_status status = EINSPUL_OK;
    *holds = !query->quiet || is_quiet(rules, &state->at);
    if (*holds && query->only_move)
        *holds = outcome != EINSPUL_LOSS;
    if (*holds && query->study)
        *holds = outcome == EINSPUL_WIN;
    if (*holds && query->depends != DEPENDS_NOT_ASKED) {
        const struct material material = material_of(&state->at);
        *holds = find_may_depend(rules, query->depends, &material);
    }
    if (*holds && (query->moves.given || query->only_move))
        status = check_moves(handle, query, state, outcome, moves, holds, error);
    if (status == EINSPUL_OK && *holds && query->study)
        status = check_study(handle, state, holds, error);
    if (status == EINSPUL_OK && *holds && query->depends == DEPENDS_ON_RUN)
        status = check_runs(handle, state, outcome, holds, error);
    if (status == EINSPUL_OK && *holds && query->depends == DEPENDS_ON_CLOCK)
        status = check_clock(handle, state, outcome, holds, error);
    return status;
}
