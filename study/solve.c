/* The two questions of a position, asked in turns: a loss is proved by a yes for the opponent, which
 * may be easy where the no for the side to move is hard. A turn of either takes twice as many
 * positions as the one before; what it found is remembered. */
#include "study/solve.h"

#include "core/os.h"
#include "core/os_write.h"
#include "probe/handle_facts.h"
#include "study/solve_search.h"

#include <stdlib.h>

enum { FIRST_TURN = 20000, FEWEST_PIECES = 3 };

einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    const int n_pieces = einspul_complete(handle, EINSPUL_WDL);
    *prover = NULL;
    if (rules->quiet_limit > 0)
        return error_set(error, EINSPUL_UNDECIDED,
                         "no proofs under the rule set '%s': a draw by quiet play may come first, "
                         "and no table counts towards it",
                         rules->name);
    if (n_pieces < FEWEST_PIECES)
        return error_set(error, EINSPUL_NO_TABLE,
                         "proofs need all tables of 2 and 3 pieces of the rule set '%s'",
                         rules->name);
    struct prover *made = calloc(1, sizeof *made);
    struct memory *memory = memory_create(n_bytes);
    if (made == NULL || memory == NULL) {
        free(made);
        memory_free(memory);
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for what a search remembers");
    }
    made->handle = handle;
    made->rules = rules;
    made->n_pieces = n_pieces;
    made->memory = memory;
    *prover = made;
    return EINSPUL_OK;
}

void prover_free(struct prover *prover)
{
    if (prover == NULL)
        return;
    memory_free(prover->memory);
    free(prover->steps.steps);
    free(prover->branches);
    free(prover);
}

/* Takes one more turn with a question. */
static void take_turn(struct prover *prover, const struct state *state, enum side attacker,
                      uint64_t n_positions, struct solved_position *solved)
{
    search_begin(prover, attacker, NULL, false);
    prover->pause_at = prover->n_positions + n_positions;
    const struct value value = search_root(prover, state);
    if (prover->status != EINSPUL_OK || value.answer == ANSWER_OPEN)
        return;
    solved->decided[attacker] = true;
    solved->wins[attacker] = value.answer == ANSWER_YES;
    if (value.answer == ANSWER_YES) {
        solved->decided[side_other(attacker)] = true;
        solved->wins[side_other(attacker)] = false;
    }
}

einspul_status solve_position(struct prover *prover, const struct state *state,
                              const struct solve_limits *limits, struct solved_position *solved,
                              einspul_error *error)
{
    enum side attacker = state->at.side;
    *solved = (struct solved_position){0};
    search_limit(prover, limits, error);
    for (uint64_t n = FIRST_TURN;
         !search_is_over(prover) && !(solved->decided[WHITE] && solved->decided[BLACK]);
         n += n / 2) {
        if (!solved->decided[attacker])
            take_turn(prover, state, attacker, n, solved);
        attacker = side_other(attacker);
    }
    solved->n_positions = prover->n_positions;
    solved->seconds = (double)(os_now_ns() - prover->begun_ns) / 1e9;
    return prover->status;
}

const char *solved_text(const struct solved_position *solved, enum side side)
{
    const enum side other = side_other(side);
    if (solved->decided[side] && solved->wins[side])
        return "win";
    if (solved->decided[other] && solved->wins[other])
        return "loss";
    if (solved->decided[WHITE] && solved->decided[BLACK])
        return "draw";
    return solved->decided[side] ? "not-win" : solved->decided[other] ? "not-loss" : "open";
}
