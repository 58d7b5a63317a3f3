/* Win: for each position of the winner, the move to the proved successor of lowest rank, then all
 * replies, depth first; ranks strictly decrease along every line. A cycle can occur only if entries
 * were recomputed; extraction then fails.
 *
 * Hold: a closed set of positions, cycles allowed. Each position has a move after which every reply is
 * in the set or answered by tables. The move may be guessed, even from a disproof found on another
 * path; a wrong guess is stored as proved and the set is rebuilt. The final set is therefore valid
 * regardless of the guesses: play that never leaves it is not a win. All its positions are stored as
 * disproved. */
#include "prove/strategy.h"

#include "core/moves.h"

#include <stdlib.h>

enum { MAX_DEPTH = 4 * MAX_PLIES };

struct strategy {
    struct prover *prover;
    struct proof *proof; /* its moves are those of proof->player */
    int depth;
    bool given_up; /* a part was not found, or was refuted */
};

static bool is_over(const struct strategy *strategy)
{
    return strategy->given_up || search_is_over(strategy->prover);
}

/* --- positions -------------------------------------------------------------------------------- */

/* Empties the proof. */
static void clear_positions(struct strategy *strategy)
{
    struct proof *proof = strategy->proof;
    proof_free(proof);
    if (proof_init(proof, proof->player, proof->claim, strategy->prover->error) != EINSPUL_OK)
        search_no_memory(strategy->prover);
}

/* Adds a position; `*is_new` is false if the proof has it already. */
static uint32_t add_position(struct strategy *strategy, const struct state *state, bool *is_new)
{
    const uint32_t n = strategy->proof->positions.n;
    uint32_t number = 0;
    if (proof_add_position(strategy->proof, state, &number) != EINSPUL_OK)
        search_no_memory(strategy->prover);
    *is_new = number == n;
    return number;
}

/* Lists the legal moves of a state; free the list also after a failure. */
static void list_steps(struct prover *prover, const struct state *state, struct step_list *list)
{
    if (steps_list(prover->rules, state, list) != EINSPUL_OK)
        search_no_memory(prover);
}

/* The value of a state without search. */
static struct value peek(struct prover *prover, const struct state *state)
{
    const struct state_key goal = goal_of(state, prover->attacker);
    return search_peek(prover, state, &goal, 1, false);
}

/* True if a value is what the strategy needs. */
static bool satisfies(const struct strategy *strategy, const struct value *value)
{
    return value->answer != ANSWER_OPEN &&
           (value->answer == ANSWER_PROVED) == (strategy->proof->claim == PROOF_WINS);
}

/* True if tables answer a state. */
static bool is_in_tables(const struct prover *prover, const struct state *state)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    return n_pieces <= prover->n_pieces ||
           (n_pieces == prover->n_pieces + 1 && placement_has_capture(prover->rules, &state->at));
}

/* --- the player's move ------------------------------------------------------------------------ */

/* The known good move of lowest rank, or with the fewest path dependencies; NULL if none. */
static const struct step *known_move(struct strategy *strategy, const struct step_list *list)
{
    struct prover *prover = strategy->prover;
    const struct step *best = NULL;
    struct value of_best = {0};
    for (size_t i = 0; i < list->n && !is_over(strategy); i++) {
        const struct value value = peek(prover, &list->steps[i].after);
        if (!satisfies(strategy, &value))
            continue;
        if (best == NULL || value.rank < of_best.rank ||
            value.depends.shallowest > of_best.depends.shallowest) {
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
    struct prover *prover = strategy->prover;
    size_t n_failed = 0;
    for (uint64_t most = FIRST_SEARCH; n_failed < list->n && !is_over(strategy); most *= 2) {
        n_failed = 0;
        for (size_t i = 0; i < list->n && !is_over(strategy); i++) {
            prover->pause_at = prover->n_positions + most;
            const struct value value = search_root(prover, &list->steps[i].after);
            if (!is_over(strategy) && satisfies(strategy, &value))
                return &list->steps[i];
            n_failed += value.answer != ANSWER_OPEN;
        }
    }
    return NULL;
}

/* Finds the move of a position. False if no move is good, with the rank of the opponent's win in
 * `*rank`, or at the end of the search. */
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
        const struct value value = peek(prover, &list.steps[i].after);
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

/* Adds the positions after the replies to a move; returns their highest rank. */
static uint32_t win_replies(struct strategy *strategy, const struct state *state)
{
    struct step_list list = {0};
    uint32_t highest = 0;
    if (is_in_tables(strategy->prover, state))
        return 0;
    list_steps(strategy->prover, state, &list);
    for (size_t i = 0; i < list.n && !is_over(strategy); i++) {
        const uint32_t rank = win_from(strategy, &list.steps[i].after);
        highest = rank > highest ? rank : highest;
    }
    free(list.steps);
    return highest;
}

/* Adds a position of the winner and all that follow; returns its rank. */
static uint32_t win_from(struct strategy *strategy, const struct state *state)
{
    struct step move;
    bool is_new = false;
    unsigned lost = 0;
    if (is_in_tables(strategy->prover, state))
        return 0;
    const uint32_t number = add_position(strategy, state, &is_new);
    if (is_over(strategy))
        return 0;
    if (!is_new) { /* without a rank yet: a cycle */
        strategy->given_up = strategy->proof->moves[number].rank == 0;
        return strategy->proof->moves[number].rank;
    }
    if (strategy->depth == MAX_DEPTH || !find_move(strategy, state, &move, &lost)) {
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

/* Adds the positions after all moves of the attacker; false if one is known to win for him. */
static bool hold_replies(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    const struct state_key goal = goal_of(state, prover->attacker);
    struct step_list list = {0};
    bool holds = true;
    if (is_in_tables(prover, state))
        return true;
    list_steps(prover, state, &list);
    for (size_t i = 0; i < list.n && holds && !is_over(strategy); i++) {
        const struct value value = peek(prover, &list.steps[i].after);
        holds = value.answer != ANSWER_PROVED;
        if (!holds)
            search_remember(prover, &goal, ANSWER_PROVED, value.rank + 1u);
    }
    for (size_t i = 0; i < list.n && holds && !is_over(strategy); i++) {
        bool is_new = false;
        if (!is_in_tables(prover, &list.steps[i].after))
            add_position(strategy, &list.steps[i].after, &is_new);
    }
    free(list.steps);
    return holds;
}

/* Finds a move that holds; false if none does, or at the end of the search. Refuted positions are
 * stored as proved. */
static bool hold_from(struct strategy *strategy, uint32_t number)
{
    struct prover *prover = strategy->prover;
    const struct state state = proof_state(strategy->proof, number);
    const struct state_key goal = goal_of(&state, prover->attacker);
    struct step move;
    unsigned rank = 0;
    while (find_move(strategy, &state, &move, &rank))
        if (hold_replies(strategy, &move.after)) {
            enter_move(strategy, number, &move, 0);
            return !is_over(strategy);
        }
    if (!is_over(strategy))
        search_remember(prover, &goal, ANSWER_PROVED, rank);
    return false;
}

/* Builds a closed set; false if none exists, or at the end of the search. */
static bool hold_all(struct strategy *strategy, const struct state *state)
{
    const struct proof *proof = strategy->proof;
    bool is_closed = false;
    while (!is_closed && !is_over(strategy) &&
           peek(strategy->prover, state).answer != ANSWER_PROVED) {
        bool is_new = false;
        clear_positions(strategy);
        if (is_over(strategy))
            return false;
        is_closed = true;
        if (state->at.side != proof->player)
            is_closed = hold_replies(strategy, state);
        else if (!is_in_tables(strategy->prover, state))
            add_position(strategy, state, &is_new);
        for (uint32_t i = 0; i < proof->positions.n && is_closed; i++)
            is_closed = hold_from(strategy, i);
    }
    return is_closed && !is_over(strategy);
}

/* Stores that all positions of a closed set hold. */
static void store_hold(struct strategy *strategy)
{
    struct prover *prover = strategy->prover;
    for (uint32_t i = 0; i < strategy->proof->positions.n; i++) {
        const struct state state = proof_state(strategy->proof, i);
        const struct state_key goal = goal_of(&state, prover->attacker);
        search_remember(prover, &goal, ANSWER_DISPROVED, 0);
    }
}

/* --- both ------------------------------------------------------------------------------------- */

/* Builds the strategy; a failure leaves it given up. */
static void build(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    const struct proof *proof = strategy->proof;
    const bool wins = proof->claim == PROOF_WINS;
    clear_positions(strategy);
    search_begin(prover, prover->attacker, wins ? NULL : proof);
    if (!wins) {
        strategy->given_up = !hold_all(strategy, state);
        if (!strategy->given_up)
            store_hold(strategy);
    } else if (state->at.side == proof->player) {
        win_from(strategy, state);
    } else {
        win_replies(strategy, state);
    }
    strategy->given_up = strategy->given_up || is_over(strategy);
    prover->held = NULL;
}

/* Clears the transposition table, searches again and retries: recomputed entries did not fit the old
 * ones. */
static void rebuild(struct strategy *strategy, const struct state *state)
{
    struct prover *prover = strategy->prover;
    memory_clear(&prover->memory);
    search_begin(prover, prover->attacker, NULL);
    prover->pause_at = UINT64_MAX;
    search_root(prover, state);
    strategy->given_up = false;
    strategy->depth = 0;
    build(strategy, state);
}

bool strategy_extract(struct prover *prover, const struct state *state, enum side attacker,
                      bool wins, struct proof *proof)
{
    struct strategy strategy = {.prover = prover, .proof = proof};
    search_limit(prover, &prover->limits, prover->partial, prover->error);
    prover->proving = true;
    prover->attacker = attacker;
    *proof = (struct proof){
        .player = wins ? attacker : side_other(attacker),
        .claim = wins ? PROOF_WINS : PROOF_HOLDS,
    };
    build(&strategy, state);
    if (!search_is_over(prover) && strategy.given_up)
        rebuild(&strategy, state);
    return prover->status == EINSPUL_OK && !strategy.given_up;
}
