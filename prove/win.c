/* A cycle can occur only if entries were recomputed; extraction then fails. */
#include "prove/win.h"

#include <stdlib.h>

enum { MAX_DEPTH = MAX_PLIES };

/* The move to the proved successor of lowest rank; NULL if none is known. */
static const struct step *known_move(struct strategy *strategy, const struct step_list *list)
{
    struct searcher *searcher = strategy->searcher;
    const struct step *best = NULL;
    struct value of_best = {.answer = ANSWER_OPEN};
    for (size_t i = 0; i < list->n && !strategy_is_over(strategy); i++) {
        const struct state *after = &list->steps[i].after;
        const struct state_key goal = goal_of(after, searcher->attacker);
        const struct value value = search_peek(searcher, after, &goal, 1, false);
        if (value.answer == ANSWER_PROVED && (best == NULL || value.rank < of_best.rank)) {
            best = &list->steps[i];
            of_best = value;
        }
    }
    return best;
}

/* Like known_move, but searches, with a growing budget per move; NULL if all moves fail. */
static const struct step *searched_move(struct strategy *strategy, const struct step_list *list)
{
    enum { FIRST_SEARCH = 2000 };
    struct searcher *searcher = strategy->searcher;
    size_t n_failed = 0;
    for (uint64_t most = FIRST_SEARCH; n_failed < list->n && !strategy_is_over(strategy);
         most *= 2) {
        n_failed = 0;
        for (size_t i = 0; i < list->n && !strategy_is_over(strategy); i++) {
            searcher->pause_at = searcher->n_positions + most;
            const struct value value = search_root(searcher, &list->steps[i].after);
            if (!strategy_is_over(strategy) && value.answer == ANSWER_PROVED)
                return &list->steps[i];
            n_failed += value.answer != ANSWER_OPEN;
        }
    }
    return NULL;
}

/* Finds the move of a position; false if it was not found, or at the end of the extraction. */
static bool find_move(struct strategy *strategy, const struct state *state, struct step *move)
{
    struct step_list list = {0};
    player_list(strategy, state, &list);
    const struct step *found = known_move(strategy, &list);
    if (found == NULL)
        found = searched_move(strategy, &list);
    if (found != NULL)
        *move = *found;
    free(list.steps);
    return found != NULL;
}

static uint32_t win_from(struct strategy *strategy, const struct state *state, int depth);

/* Adds the positions after the replies to a move; returns their highest rank. */
static uint32_t win_replies(struct strategy *strategy, const struct state *state, int depth)
{
    struct step_list list = {0};
    uint32_t highest = 0;
    if (search_is_leaf(strategy->searcher->prover, state))
        return 0;
    player_list(strategy, state, &list);
    for (size_t i = 0; i < list.n && !strategy_is_over(strategy); i++) {
        const uint32_t rank = win_from(strategy, &list.steps[i].after, depth);
        highest = rank > highest ? rank : highest;
    }
    free(list.steps);
    return highest;
}

/* Adds a position of the winner and all that follow; returns its rank. */
static uint32_t win_from(struct strategy *strategy, const struct state *state, int depth)
{
    struct step move;
    bool is_new = false;
    if (search_is_leaf(strategy->searcher->prover, state))
        return 0;
    const uint32_t number = player_add(strategy, state, &is_new);
    if (strategy_is_over(strategy))
        return 0;
    if (!is_new) { /* without a rank yet: a cycle */
        strategy->given_up = strategy->proof->moves[number].rank == 0;
        return strategy->proof->moves[number].rank;
    }
    if (depth == MAX_DEPTH || !find_move(strategy, state, &move)) {
        strategy->given_up = true;
        return 0;
    }
    const uint32_t rank = 1 + win_replies(strategy, &move.after, depth + 1);
    strategy->proof->moves[number] = (struct proof_move){move.captured, move.from, move.to, rank};
    return rank;
}

void win_build(struct strategy *strategy, const struct state *state)
{
    if (state->at.side == strategy->proof->player)
        win_from(strategy, state, 0);
    else
        win_replies(strategy, state, 0);
}
