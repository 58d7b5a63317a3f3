/* Looks up each move by itself, so that some may be missing in the tables; the order is that of
 * einspul_probe_moves. */
#include "probe/choice.h"

#include "probe/replies.h"

#include <limits.h>
#include <stdlib.h>

enum { LONGER_THAN_ANY = 10000, UNKNOWN_MOVE = -1 };

/* --- outcomes --------------------------------------------------------------------------------- */

/* Fills in the outcome of a move; false if it is not in the tables. */
static bool look_up(einspul *handle, struct probed_move *move, einspul_error *error)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    if (handle == NULL) {
        error_set(error, EINSPUL_NO_TABLE, "there are no tables");
        return false;
    }
    einspul_status status =
        probe_position(handle, &move->after, EINSPUL_DTW, 0, &outcome, &plies, error);
    if (status == EINSPUL_NO_METRIC || status == EINSPUL_UNDECIDED)
        status = probe_position(handle, &move->after, EINSPUL_WDL, 0, &outcome, NULL, error);
    if (status != EINSPUL_OK)
        return false;
    move->outcome = (einspul_outcome)(-outcome);
    move->plies = plies < 0 ? -1 : plies + 1;
    return true;
}

static int worth_of(const struct probed_move *move, bool known)
{
    if (!known)
        return UNKNOWN_MOVE;
    if (move->outcome == EINSPUL_WIN)
        return 2 * LONGER_THAN_ANY - (move->plies < 0 ? LONGER_THAN_ANY : move->plies);
    return move->outcome == EINSPUL_DRAW ? 0 : -2 * LONGER_THAN_ANY + move->plies;
}

/* --- choosing --------------------------------------------------------------------------------- */

/* The best of the moves of equal worth, of which there is at least one. */
static size_t best_of_worth(einspul *handle, const struct rules *rules,
                            const struct probed_move *moves, const int *worths, size_t n, int worth)
{
    struct query query = {.handle = handle, .metric = EINSPUL_WDL};
    struct probe_replies best_replies = {0, 0, 0};
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        struct probe_replies replies = {1, 1, 0};
        struct state after;
        if (worths[i] != worth)
            continue;
        if (moves[i].plies >= 0)
            return i;
        if (state_from_position(rules, &moves[i].after, &after, NULL) == EINSPUL_OK)
            replies_weigh(rules, handle != NULL ? &query : NULL, &after, moves[i].outcome,
                          &replies);
        if (best < n && !replies_are_better(&replies, &best_replies))
            continue;
        best = i;
        best_replies = replies;
    }
    return best;
}

/* Looks up all moves and takes the best. */
static einspul_status choose_best(einspul *handle, const char *name, struct probed_move *moves,
                                  struct choice *choice, einspul_error *error)
{
    struct rules rules;
    int *worths = malloc(choice->n_moves * sizeof *worths);
    int most = INT_MIN;
    if (worths == NULL) {
        *error = (einspul_error){EINSPUL_NO_MEMORY, "not enough memory for a list of moves"};
        return EINSPUL_NO_MEMORY;
    }
    for (size_t i = 0; i < choice->n_moves; i++) {
        einspul_error own;
        const bool known = look_up(handle, &moves[i], &own);
        if (!known && choice->unknown.status == EINSPUL_OK)
            choice->unknown = own;
        worths[i] = worth_of(&moves[i], known);
        most = worths[i] > most ? worths[i] : most;
    }
    rules_by_name(&rules, name, NULL);
    choice->move = moves[best_of_worth(handle, &rules, moves, worths, choice->n_moves, most)];
    choice->known = most != UNKNOWN_MOVE;
    free(worths);
    return EINSPUL_OK;
}

einspul_status choose_move(einspul *handle, const char *rules, const einspul_position *position,
                           struct choice *choice, einspul_error *error)
{
    *choice = (struct choice){.known = false};
    struct probed_move *moves = probe_list_moves(rules, position, &choice->n_moves, error);
    einspul_status status = moves == NULL ? error->status : EINSPUL_OK;
    if (status == EINSPUL_OK && choice->n_moves > 0)
        status = choose_best(handle, rules, moves, choice, error);
    free(moves);
    return status;
}
