/* Tables give all drawn moves the same value, but some are harder for an opponent who makes
 * mistakes. So a search of two plies decides among them: a piece given away is rarely won back, and
 * if few replies hold the draw, a wrong one is likely. Material comes first; otherwise a man would
 * be given away for a single forced reply.
 *
 * This uses the public interface only; as the order of einspul_probe_moves it would cost each call
 * hundreds of probes. */
#include "probe/choice.h"

#include "core/board.h"

#include <limits.h>
#include <stdlib.h>

enum { KING_IN_MEN = 3, LONGER_THAN_ANY = 10000, UNKNOWN_MOVE = -1 };

/* The criteria among moves of one outcome. */
struct weight {
    int balance; /* own material less the opponent's, after the worst reply for it */
    int n_answers, n_mistakes;
};

static einspul_status no_memory(einspul_error *error)
{
    *error = (einspul_error){EINSPUL_NO_MEMORY, "not enough memory for a list of moves"};
    return EINSPUL_NO_MEMORY;
}

static einspul_status legal_moves(const char *rules, const einspul_position *position,
                                  einspul_move **moves, size_t *n_moves, einspul_error *error)
{
    const einspul_status status = einspul_moves(rules, position, NULL, 0, n_moves, error);
    *moves = NULL;
    if (status != EINSPUL_OK)
        return status;
    *moves = malloc((*n_moves + 1) * sizeof **moves);
    if (*moves == NULL)
        return no_memory(error);
    return einspul_moves(rules, position, *moves, *n_moves, n_moves, error);
}

/* --- outcomes --------------------------------------------------------------------------------- */

/* Fills in the outcome of a move; false if it is not in the tables. */
static bool look_up(einspul *handle, einspul_move *move, einspul_error *error)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    einspul_status status = einspul_probe_dtw(handle, &move->after, 0, &outcome, &plies, error);
    if (status == EINSPUL_NO_METRIC)
        status = einspul_probe_wdl(handle, &move->after, 0, &outcome, error);
    if (status != EINSPUL_OK)
        return false;
    move->outcome = (einspul_outcome) - (int)outcome;
    move->plies = plies < 0 ? -1 : plies + 1;
    return true;
}

static int worth_of(const einspul_move *move, bool known)
{
    if (!known)
        return UNKNOWN_MOVE;
    if (move->outcome == EINSPUL_WIN)
        return 2 * LONGER_THAN_ANY - (move->plies < 0 ? LONGER_THAN_ANY : move->plies);
    return move->outcome == EINSPUL_DRAW ? 0 : -2 * LONGER_THAN_ANY + move->plies;
}

/* --- replies ---------------------------------------------------------------------------------- */

static int balance_of(const einspul_position *position, int side)
{
    return squares_count(position->men[side]) - squares_count(position->men[!side]) +
           KING_IN_MEN *
               (squares_count(position->kings[side]) - squares_count(position->kings[!side]));
}

/* Whether a reply improves the outcome for the side that moved before. */
static bool is_mistake(einspul *handle, const einspul_position *after, einspul_outcome at_least)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    return einspul_probe_wdl(handle, after, 0, &outcome, NULL) == EINSPUL_OK && outcome > at_least;
}

/* Evaluates the replies to a move; if they cannot be listed, the move alone. */
static void weigh_answers(einspul *handle, const char *rules, const einspul_move *move,
                          struct weight *weight)
{
    const int side = !move->after.side;
    einspul_move *answers = NULL;
    einspul_error error;
    size_t n = 0;
    weight->balance = balance_of(&move->after, side);
    weight->n_answers = 1;
    weight->n_mistakes = 0;
    if (legal_moves(rules, &move->after, &answers, &n, &error) == EINSPUL_OK && n > 0) {
        weight->balance = INT_MAX;
        weight->n_answers = (int)n;
        for (size_t i = 0; i < n; i++) {
            const int balance = balance_of(&answers[i].after, side);
            weight->balance = balance < weight->balance ? balance : weight->balance;
            weight->n_mistakes += is_mistake(handle, &answers[i].after, move->outcome);
        }
    }
    free(answers);
}

/* --- choosing --------------------------------------------------------------------------------- */

static bool is_better(const struct weight *one, const struct weight *other)
{
    if (one->balance != other->balance)
        return one->balance > other->balance;
    return (int64_t)one->n_mistakes * other->n_answers >
           (int64_t)other->n_mistakes * one->n_answers;
}

/* The best of the moves of equal worth, of which there is at least one. */
static size_t best_of_worth(einspul *handle, const char *rules, const einspul_move *moves,
                            const int *worths, size_t n, int worth)
{
    struct weight best_weight = {.n_answers = 0};
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        struct weight weight;
        if (worths[i] != worth)
            continue;
        if (moves[i].plies >= 0)
            return i;
        weigh_answers(handle, rules, &moves[i], &weight);
        if (best < n && !is_better(&weight, &best_weight))
            continue;
        best = i;
        best_weight = weight;
    }
    return best;
}

/* Looks up all moves and takes the best. */
static einspul_status choose(einspul *handle, const char *rules, einspul_move *moves,
                             struct choice *choice, einspul_error *error)
{
    int *worths = malloc(choice->n_moves * sizeof *worths);
    int most = INT_MIN;
    if (worths == NULL)
        return no_memory(error);
    for (size_t i = 0; i < choice->n_moves; i++) {
        einspul_error own;
        const bool known = look_up(handle, &moves[i], &own);
        if (!known && choice->unknown.status == EINSPUL_OK)
            choice->unknown = own;
        worths[i] = worth_of(&moves[i], known);
        most = worths[i] > most ? worths[i] : most;
    }
    choice->move = moves[best_of_worth(handle, rules, moves, worths, choice->n_moves, most)];
    choice->known = most != UNKNOWN_MOVE;
    free(worths);
    return EINSPUL_OK;
}

einspul_status choose_move(einspul *handle, const char *rules, const einspul_position *position,
                           struct choice *choice, einspul_error *error)
{
    einspul_move *moves = NULL;
    *choice = (struct choice){.known = false};
    einspul_status status = legal_moves(rules, position, &moves, &choice->n_moves, error);
    if (status == EINSPUL_OK && choice->n_moves > 0)
        status = choose(handle, rules, moves, choice, error);
    free(moves);
    return status;
}
