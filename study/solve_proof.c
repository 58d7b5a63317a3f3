/* The strategy behind an answer, taken out of what the search remembers; what was replaced there is
 * searched again.
 *
 * A win: of the positions of the winner the move to a yes of the lowest rank, and all replies,
 * depth first, so that a position has a higher rank than all that follow. A circle, which ranks
 * rule out unless part of them was found anew, ends it.
 *
 * A hold: a set that is closed, circles allowed. Every position has a move after which tables, or the
 * set itself, answer all replies. Which move that is may be guessed, from a no that was found on
 * another path too: a guess that fails is known as a yes from then on, and the set is begun anew. So
 * what is left at the end holds whatever it was guessed from, because a play that never leaves it is
 * no win, and all of it is remembered as a no. */
#include "core/moves.h"
#include "study/solve_search.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4 * MOST_PLIES };

struct strategy {
    struct prover *prover;
    struct proof *proof; /* of the player, whose moves it has */
    int depth;
    bool given_up; /* a part was not found, or does not hold */
};

static bool is_over(const struct strategy *strategy)
{
    return strategy->given_up || search_is_over(strategy->prover);
}

/* --- positions -------------------------------------------------------------------------------- */

/* Begins with no positions. */
static void clear_positions(struct strategy *strategy)
{
    struct proof *proof = strategy->proof;
    proof_free(proof);
    if (proof_init(proof, proof->player, proof->claim, strategy->prover->error) != EINSPUL_OK)
        search_no_memory(strategy->prover);
}

/* Adds a position; `*is_new` is false where it was there. */
static uint32_t add_position(struct strategy *strategy, const struct state *state, bool *is_new)
{
    const uint32_t n = strategy->proof->places.n;
    uint32_t number = 0;
    if (proof_place(strategy->proof, state, &number) != EINSPUL_OK)
        search_no_memory(strategy->prover);
    *is_new = number == n;
    return number;
}

/* Lists the legal moves of a state, to be freed also after a failure. */
static void list_steps(struct prover *prover, const struct state *state, struct step_list *list)
{
    if (steps_list(prover->rules, state, list) != EINSPUL_OK)
        search_no_memory(prover);
}

/* What is known of a state, without search. */
static struct value look(struct prover *prover, const struct state *state)
{
    const struct state_key question = question_of(state, prover->attacker);
    return search_look(prover, state, &question, 1, false);
}

/* Whether a value is what the strategy needs. */
static bool is_good(const struct strategy *strategy, const struct value *value)
{
    return value->answer != ANSWER_OPEN &&
           (value->answer == ANSWER_YES) == (strategy->proof->claim == PROOF_WINS);
}

/* Whether tables answer a state. */
static bool is_leaf(const struct prover *prover, const struct state *state)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    return n_pieces <= prover->n_pieces ||
           (n_pieces == prover->n_pieces + 1 && placement_has_capture(prover->rules, &state->at));
}

/* --- the player's move ------------------------------------------------------------------------ */

/* The good move to a state of the lowest rank, or that assumes least; NULL: none is known. */
static const struct step *known_move(struct strategy *strategy, const struct step_list *list)
{
    struct prover *prover = strategy->prover;
    const struct step *best = NULL;
    struct value of_best = {0};
    for (size_t i = 0; i < list->n && !is_over(strategy); i++) {
        const struct value value = look(prover, &list->steps[i].after);
        if (!is_good(strategy, &value))
            continue;
        if (best == NULL || value.rank < of_best.rank ||
            value.assumes.shallowest > of_best.assumes.shallowest) {
            best = &list->steps[i];
            of_best = value;
        }
    }
    return best;
}

/* The same after a search, of more and more positions for each; NULL where all moves fail. */
static const struct step *searched_move(struct strategy *strategy, const struct step_list *list)
{
    enum { FIRST_SEARCH = 2000 };
    struct prover *prover = strategy->prover;
    size_t n_failed = 0;
    for (uint64_t most = FIRST_SEARCH; n_failed < list->n && !is_over(strategy); most *= 2) {
        n_failed = 0;
        for (size_t i = 0; i < list->n && !is_over(strategy); i++) {
            prover->pause_at = prover->n_positions + most;
            const struct value value = search_root(prover, &list->steps[i].after);
            if (!is_over(strategy) && is_good(strategy, &value))
                return &list->steps[i];
            n_failed += value.answer != ANSWER_OPEN;
        }
    }
    return NULL;
}

/* Finds the move of a position. False if there is none, where `*rank` becomes that of the
 * opponent's win, or if it is over. */
static bool find_move(struct strategy *strategy, const struct state *state, struct step *move,
                      unsigned *rank)
{
    struct prover *prover = strategy->prover;
    struct step_list list = {0};
    list_steps(prover, state, &list);
    const struct step *found = known_move(strategy, &list);
    if (found == NULL)
        found = searched_move(strategy, &list);
    if (found != NULL)
        *move = *found;
    *rank = 1;
    for (size_t i = 0; i < list.n && found == NULL && !is_over(strategy); i++) {
        const struct value value = look(prover, &list.steps[i].after);
        *rank = value.rank >= *rank ? value.rank + 1u : *rank;
    }
    free(list.steps);
    return found != NULL;
}

static void enter_move(struct strategy *strategy, uint32_t number, const struct step *move,
                       uint32_t rank)
{
    strategy->proof->moves[number] =
        (struct proof_move){move->captured, move->from, move->to, rank};
}

/* --- a win ------------------------------------------------------------------------------------ */

static uint32_t win_from(struct strategy *strategy, const struct state *state);

/* The highest rank of the positions after the replies to a move; adds them. */
static uint32_t win_replies(struct strategy *strategy, const struct state *state)
{
    struct step_list list = {0};
    uint32_t highest = 0;
    if (is_leaf(strategy->prover, state))
        return 0;
    list_steps(strategy->prover, state, &list);
    for (size_t i = 0; i < list.n && !is_over(strategy); i++) {
        const uint32_t rank = win_from(strategy, &list.steps[i].after);
        highest = rank > highest ? rank : highest;
    }
    free(list.steps);
    return highest;
}

/* Adds a position of the winner with all that follow; returns its rank. */
static uint32_t win_from(struct strategy *strategy, const struct state *state)
{
    struct step move;
    bool is_new = false;
    unsigned lost = 0;
    if (is_leaf(strategy->prover, state))
        return 0;
    const uint32_t number = add_position(strategy, state, &is_new);
    if (is_over(strategy))
        return 0;
    if (!is_new) { /* without a rank yet: a circle */
        strategy->given_up = strategy->proof->moves[number].rank == 0;
        return strategy->proof->moves[number].rank;
    }
    if (strategy->depth == DEEPEST || !find_move(strategy, state, &move, &lost)) {
        strategy->given_up = true;
        return 0;
    }
    strategy->depth++;
    const uint32_t rank = 1 + win_replies(strategy, &move.after);
    strategy->depth--;
    enter_move(strategy, number, &move, rank);
    return rank;
}

/* --- a hold ----------------------------------------------------------------------------------- */

/* Adds the positions after all moves of the attacker; false if one is known to win. */
static bool hold_replies(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    const struct state_key question = question_of(state, prover->attacker);
    struct step_list list = {0};
    bool holds = true;
    if (is_leaf(prover, state))
        return true;
    list_steps(prover, state, &list);
    for (size_t i = 0; i < list.n && holds && !is_over(strategy); i++) {
        const struct value value = look(prover, &list.steps[i].after);
        holds = value.answer != ANSWER_YES;
        if (!holds)
            search_remember(prover, &question, ANSWER_YES, value.rank + 1u);
    }
    for (size_t i = 0; i < list.n && holds && !is_over(strategy); i++) {
        bool is_new = false;
        if (!is_leaf(prover, &list.steps[i].after))
            add_position(strategy, &list.steps[i].after, &is_new);
    }
    free(list.steps);
    return holds;
}

/* Finds the move of a position; false if there is none that holds, or if it is over. What does not
 * hold is remembered. */
static bool hold_from(struct strategy *strategy, uint32_t number)
{
    struct prover *prover = strategy->prover;
    const struct state state = proof_state(strategy->proof, number);
    const struct state_key question = question_of(&state, prover->attacker);
    struct step move;
    unsigned rank = 0;
    while (find_move(strategy, &state, &move, &rank))
        if (hold_replies(strategy, &move.after)) {
            enter_move(strategy, number, &move, 0);
            return !is_over(strategy);
        }
    if (!is_over(strategy))
        search_remember(prover, &question, ANSWER_YES, rank);
    return false;
}

/* Makes a set that is closed; false if there is none, or if it is over. */
static bool hold_all(struct strategy *strategy, const struct state *state)
{
    const struct proof *proof = strategy->proof;
    bool is_closed = false;
    while (!is_closed && !is_over(strategy) && look(strategy->prover, state).answer != ANSWER_YES) {
        bool is_new = false;
        clear_positions(strategy);
        if (is_over(strategy))
            return false;
        is_closed = true;
        if (state->at.side != proof->player)
            is_closed = hold_replies(strategy, state);
        else if (!is_leaf(strategy->prover, state))
            add_position(strategy, state, &is_new);
        for (uint32_t i = 0; i < proof->places.n && is_closed; i++)
            is_closed = hold_from(strategy, i);
    }
    return is_closed && !is_over(strategy);
}

/* Remembers that all of a closed set holds. */
static void hold_for_good(struct strategy *strategy)
{
    struct prover *prover = strategy->prover;
    for (uint32_t i = 0; i < strategy->proof->places.n; i++) {
        const struct state state = proof_state(strategy->proof, i);
        const struct state_key question = question_of(&state, prover->attacker);
        search_remember(prover, &question, ANSWER_NO, 0);
    }
}

/* --- both ------------------------------------------------------------------------------------- */

/* Makes a strategy; a failure leaves it given up. */
static void strategy_make(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    const struct proof *proof = strategy->proof;
    const bool wins = proof->claim == PROOF_WINS;
    clear_positions(strategy);
    search_begin(prover, prover->attacker, wins ? NULL : proof);
    if (!wins) {
        strategy->given_up = !hold_all(strategy, state);
        if (!strategy->given_up)
            hold_for_good(strategy);
    } else if (state->at.side == proof->player) {
        win_from(strategy, state);
    } else {
        win_replies(strategy, state);
    }
    strategy->given_up = strategy->given_up || is_over(strategy);
    prover->held = NULL;
}

/* The same after a search that begins with an empty memory: what was remembered had gaps, and what
 * filled them does not fit. */
static void strategy_make_anew(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    struct memory *memory = &prover->memory;
    memset(memory->places, 0, memory->n_places * sizeof *memory->places);
    search_begin(prover, prover->attacker, NULL);
    prover->pause_at = UINT64_MAX;
    search_root(prover, state);
    strategy->given_up = false;
    strategy->depth = 0;
    strategy_make(strategy, state);
}

bool search_strategy(struct prover *prover, const struct state *state, enum side attacker,
                     bool wins, struct proof *proof)
{
    struct strategy strategy = {.prover = prover, .proof = proof};
    search_limit(prover, &prover->limits, prover->so_far, prover->error);
    prover->proving = true;
    prover->attacker = attacker;
    *proof = (struct proof){
        .player = wins ? attacker : side_other(attacker),
        .claim = wins ? PROOF_WINS : PROOF_HOLDS,
    };
    strategy_make(&strategy, state);
    if (!search_is_over(prover) && strategy.given_up)
        strategy_make_anew(&strategy, state);
    return prover->status == EINSPUL_OK && !strategy.given_up;
}
