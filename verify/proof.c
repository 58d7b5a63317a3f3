/* A proof of a win has a rank for each position: after the player's move and any reply, the player
 * wins according to the tables, or the position is in the proof with a lower rank. So after at most
 * as many moves of the player as the rank, the player wins according to the tables.
 *
 * A proof of a hold has no ranks: after any reply the opponent does not win according to the tables,
 * or the position is in the proof. So the opponent never wins, and a game that never ends is a draw.
 *
 * Every position of a proof is checked, reachable from the root or not. */
#include "verify/proof.h"

#include "core/program/array.h"
#include "probe/program_handle.h"

#include <stdlib.h>

enum {
    FIRST_POSITIONS = 1 << 10,
    MAX_POSITIONS = 1 << 28,
    CLOCK_PIECES = 3 /* a clock runs only in positions with no more pieces */
};

/* --- the positions ---------------------------------------------------------------------------- */

struct state proof_state(const struct proof *proof, uint32_t number)
{
    struct state_key key;
    memcpy(&key, proof->positions.values + (size_t)number * sizeof key, sizeof key);
    return state_of_key(&key);
}

einspul_status proof_init(struct proof *proof, enum side player, enum proof_claim claim,
                          einspul_error *error)
{
    *proof = (struct proof){.player = player, .claim = claim};
    return bytes_set_init(&proof->positions, sizeof(struct state_key), FIRST_POSITIONS,
                          MAX_POSITIONS) == EINSPUL_OK
               ? EINSPUL_OK
               : error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a proof");
}

void proof_free(struct proof *proof)
{
    bytes_set_free(&proof->positions);
    free(proof->moves);
    proof->moves = NULL;
    proof->capacity = 0;
}

einspul_status proof_add_position(struct proof *proof, const struct state *state, uint32_t *number)
{
    const struct state_key key = state_key(state);
    const uint32_t n = proof->positions.n;
    struct proof_move *moves =
        array_reserve(proof->moves, n, &proof->capacity, FIRST_POSITIONS, sizeof *moves);
    if (moves == NULL)
        return EINSPUL_NO_MEMORY;
    proof->moves = moves;
    if (bytes_set_add(&proof->positions, (const uint8_t *)key.word, number) != EINSPUL_OK)
        return EINSPUL_NO_MEMORY;
    if (*number == n)
        proof->moves[n] = (struct proof_move){0};
    return EINSPUL_OK;
}

const struct proof_move *proof_move_of(const struct proof *proof, const struct state *state)
{
    const struct state_key key = state_key(state);
    uint32_t number = 0;
    return bytes_set_find(&proof->positions, (const uint8_t *)key.word, &number)
               ? &proof->moves[number]
               : NULL;
}

const struct move *proof_find_legal_move(const struct move_list *list,
                                         const struct proof_move *move)
{
    for (int i = 0; i < list->n_moves; i++)
        if (list->moves[i].from == move->from && list->moves[i].to == move->to &&
            list->moves[i].captured == move->captured)
            return &list->moves[i];
    return NULL;
}

/* --- known wins ------------------------------------------------------------------------------- */

struct known_wins known_of_outcome(einspul_outcome outcome, enum side side)
{
    struct known_wins known = {.decided = {true, true}};
    known.wins[side] = outcome == EINSPUL_WIN;
    known.wins[side_other(side)] = outcome == EINSPUL_LOSS;
    return known;
}

bool known_outcome(const struct known_wins *known, enum side side, einspul_outcome *outcome)
{
    *outcome = (einspul_outcome)(known->wins[side] - known->wins[side_other(side)]);
    return known->decided[WHITE] && known->decided[BLACK];
}

const char *known_text(const struct known_wins *known, enum side side)
{
    const enum side other = side_other(side);
    if (known->decided[side] && known->wins[side])
        return "win";
    if (known->decided[other] && known->wins[other])
        return "loss";
    if (known->decided[WHITE] && known->decided[BLACK])
        return "draw";
    return known->decided[side] ? "not-win" : known->decided[other] ? "not-loss" : "open";
}

void proof_claim_add(const struct proof *proof, struct known_wins *known)
{
    const enum side other = side_other(proof->player);
    known->decided[other] = true;
    known->wins[other] = false;
    if (proof->claim == PROOF_WINS)
        known->decided[proof->player] = known->wins[proof->player] = true;
}

/* --- checking --------------------------------------------------------------------------------- */

struct checker {
    einspul *handle;
    const struct rules *rules;
    const struct proof *proof;
    int n_pieces; /* that tables answer */
    struct proof_fault *fault;
    einspul_status status; /* an error, not a fault */
    einspul_error *error;
};

/* Notes a fault; returns false. */
static bool fault_at(struct checker *checker, const struct state *state, const char *what)
{
    if (checker->fault->what == NULL)
        *checker->fault = (struct proof_fault){what, *state};
    return false;
}

static bool is_for_tables(const struct checker *checker, const struct state *state)
{
    return bits_count(placement_occupied(&state->at)) <= checker->n_pieces;
}

/* True if the tables confirm the claim of the proof for a state. */
static bool tables_agree(struct checker *checker, const struct state *state)
{
    const struct proof *proof = checker->proof;
    value_t value = VALUE_DRAW;
    const einspul_status status =
        probe_state(checker->handle, state, EINSPUL_WDL, 0, &value, checker->error);
    if (status == EINSPUL_NO_TABLE)
        return fault_at(checker, state, "position not covered by the proof or the tables");
    if (status != EINSPUL_OK) {
        checker->status = status;
        return false;
    }
    const int outcome = (int)value_outcome(value) * (state->at.side == proof->player ? 1 : -1);
    return outcome >= (proof->claim == PROOF_WINS ? EINSPUL_WIN : EINSPUL_DRAW) ||
           fault_at(checker, state, "contradicted by the tables");
}

/* True if a state with the player to move is as claimed: in the proof with a rank below `limit`, or
 * by the tables. */
static bool stands(struct checker *checker, const struct state *state, uint32_t limit)
{
    const struct proof *proof = checker->proof;
    const struct proof_move *move =
        is_for_tables(checker, state) ? NULL : proof_move_of(proof, state);
    if (move == NULL)
        return tables_agree(checker, state);
    return proof->claim == PROOF_HOLDS || move->rank < limit ||
           fault_at(checker, state, "rank does not decrease");
}

/* True if all moves of the opponent lead to states that are as claimed. */
static bool replies_stand(struct checker *checker, const struct state *state, uint32_t limit)
{
    struct move_list replies;
    bool stand = true;
    if (is_for_tables(checker, state))
        return tables_agree(checker, state);
    move_list_init(&replies);
    checker->status = moves_generate(checker->rules, state, &replies);
    if (checker->status != EINSPUL_OK)
        moves_error(checker->status, checker->error);
    for (int i = 0; i < replies.n_moves && stand && checker->status == EINSPUL_OK; i++) {
        const struct state after = state_after(checker->rules, state, &replies.moves[i]);
        stand = stands(checker, &after, limit);
    }
    move_list_free(&replies);
    return stand && checker->status == EINSPUL_OK;
}

/* The state after the move of a position in the proof; false if that is not legal. */
static bool play(struct checker *checker, const struct state *state, const struct proof_move *move,
                 struct state *after)
{
    struct move_list list;
    move_list_init(&list);
    checker->status = moves_generate(checker->rules, state, &list);
    if (checker->status != EINSPUL_OK)
        moves_error(checker->status, checker->error);
    const struct move *found =
        checker->status == EINSPUL_OK ? proof_find_legal_move(&list, move) : NULL;
    if (found != NULL)
        *after = state_after(checker->rules, state, found);
    move_list_free(&list);
    return found != NULL ||
           (checker->status == EINSPUL_OK && fault_at(checker, state, "its move is illegal"));
}

static bool position_stands(struct checker *checker, uint32_t number)
{
    const struct proof_move *move = &checker->proof->moves[number];
    const struct state state = proof_state(checker->proof, number);
    struct state after;
    if (is_for_tables(checker, &state)) /* tables added since the proof was written answer it */
        return tables_agree(checker, &state);
    if (state.at.side != checker->proof->player)
        return fault_at(checker, &state, "wrong side to move");
    if (state_check(checker->rules, &state, NULL) != EINSPUL_OK)
        return fault_at(checker, &state, "not a legal position");
    return play(checker, &state, move, &after) && replies_stand(checker, &after, move->rank);
}

einspul_status proof_check_tables(einspul *handle, einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    if (rules->quiet_limit > 0)
        return error_set(
            error, EINSPUL_UNDECIDED,
            "proofs are not available under '%s': the 25-move rule is not in the tables",
            rules->name);
    if (einspul_complete(handle, EINSPUL_WDL) < CLOCK_PIECES)
        return error_set(error, EINSPUL_NO_TABLE, "proofs need the 2- and 3-piece tables of '%s'",
                         rules->name);
    return EINSPUL_OK;
}

/* True if the claim holds of a state, provided that all positions of the proof are as claimed. */
static bool root_stands(struct checker *checker, const struct state *root)
{
    checker->status = proof_check_tables(checker->handle, checker->error);
    return checker->status == EINSPUL_OK &&
           (root->at.side == checker->proof->player ? stands(checker, root, UINT32_MAX)
                                                    : replies_stand(checker, root, UINT32_MAX));
}

static struct checker checker_of(einspul *handle, const struct proof *proof,
                                 struct proof_fault *fault, einspul_error *error)
{
    *fault = (struct proof_fault){0};
    return (struct checker){
        .handle = handle,
        .rules = probe_rules(handle),
        .proof = proof,
        .n_pieces = einspul_complete(handle, EINSPUL_WDL),
        .fault = fault,
        .error = error,
    };
}

einspul_status proof_check_root(einspul *handle, const struct proof *proof,
                                const struct state *root, struct proof_fault *fault,
                                einspul_error *error)
{
    struct checker checker = checker_of(handle, proof, fault, error);
    root_stands(&checker, root);
    return checker.status;
}

einspul_status proof_check(einspul *handle, const struct proof *proof, const struct state *root,
                           struct proof_fault *fault, einspul_error *error)
{
    struct checker checker = checker_of(handle, proof, fault, error);
    bool stand = root_stands(&checker, root);
    for (uint32_t i = 0; i < proof->positions.n && stand; i++)
        stand = position_stands(&checker, i);
    return checker.status;
}
