/* Walks the disproof depth first, on the same paths as the search, so that disproofs that depend on
 * the path are still valid; where an entry was replaced, the position is searched again on its path.
 * Positions already in the set count as disproved. That is sound, and no move has to be taken back:
 * the root holds, so all positions of a strategy for it do, and a position from which the defender
 * reaches only such positions or good leaves holds too. Play that never leaves the set is not a win. */
#include "prove/hold.h"

#include "core/program/array.h"

#include <stdlib.h>

enum { MAX_DEPTH = 256 /* of the walk, in plies; it is continued from there with a new path */ };

struct hold {
    struct strategy *strategy;
    uint32_t *deferred; /* positions that still need a move */
    size_t n_deferred, capacity;
};

static void hold_from(struct hold *hold, const struct state *state, int ply, bool reversible);

static void defer(struct hold *hold, uint32_t number)
{
    uint32_t *deferred = array_reserve(hold->deferred, hold->n_deferred, &hold->capacity, MAX_DEPTH,
                                       sizeof *deferred);
    if (deferred == NULL) {
        search_no_memory(hold->strategy->searcher->prover);
        return;
    }
    hold->deferred = deferred;
    deferred[hold->n_deferred++] = number;
}

static void push(struct hold *hold, const struct state *state, int ply, bool reversible)
{
    struct searcher *searcher = hold->strategy->searcher;
    const struct state_key goal = goal_of(state, searcher->attacker);
    search_push(searcher, &goal, ply, reversible);
}

/* Adds the positions after all moves of the attacker. */
static void hold_replies(struct hold *hold, const struct state *state, int ply, bool reversible)
{
    struct strategy *strategy = hold->strategy;
    struct step_list list = {0};
    if (search_is_leaf(strategy->searcher->prover, state))
        return;
    push(hold, state, ply, reversible);
    player_list(strategy, state, &list);
    for (size_t i = 0; i < list.n && !strategy_is_over(strategy); i++)
        hold_from(hold, &list.steps[i].after, ply + 1, list.steps[i].reversible);
    free(list.steps);
}

/* Finds the move of a position of the set, and adds all that follow. */
static void hold_position(struct hold *hold, uint32_t number, int ply, bool reversible)
{
    struct strategy *strategy = hold->strategy;
    const struct state state = proof_state(strategy->proof, number);
    struct state after = state;
    struct step_list list = {0};
    push(hold, &state, ply, reversible);
    strategy->given_up = !search_best_move(strategy->searcher, &state, ply, &after);
    player_list(strategy, &state, &list);
    for (size_t i = 0; i < list.n && !strategy_is_over(strategy); i++)
        if (state_equal(&list.steps[i].after, &after)) {
            const struct step *move = &list.steps[i];
            strategy->proof->moves[number] =
                (struct proof_move){move->captured, move->from, move->to, 0};
            hold_replies(hold, &after, ply + 1, move->reversible);
            break;
        }
    free(list.steps);
}

/* Adds a position of the defender and all that follow. */
static void hold_from(struct hold *hold, const struct state *state, int ply, bool reversible)
{
    bool is_new = false;
    if (search_is_leaf(hold->strategy->searcher->prover, state))
        return;
    const uint32_t number = player_add(hold->strategy, state, &is_new);
    if (strategy_is_over(hold->strategy) || !is_new)
        return;
    if (ply >= MAX_DEPTH)
        defer(hold, number);
    else
        hold_position(hold, number, ply, reversible);
}

/* Stores that all positions of a closed set hold. */
static void store_hold(const struct strategy *strategy)
{
    const struct value holds = {.answer = ANSWER_DISPROVED, .depends = {NO_PLY, 0}};
    for (uint32_t i = 0; i < strategy->proof->positions.n; i++) {
        const struct state state = proof_state(strategy->proof, i);
        const struct state_key goal = goal_of(&state, strategy->searcher->attacker);
        memory_store(&strategy->searcher->prover->memory, &goal, &holds, 1);
    }
}

void hold_build(struct strategy *strategy, const struct state *state)
{
    struct hold hold = {.strategy = strategy};
    if (state->at.side == strategy->proof->player)
        hold_from(&hold, state, 1, false);
    else
        hold_replies(&hold, state, 1, false);
    while (hold.n_deferred > 0 && !strategy_is_over(strategy))
        hold_position(&hold, hold.deferred[--hold.n_deferred], 1, false);
    if (!strategy_is_over(strategy))
        store_hold(strategy);
    free(hold.deferred);
}
