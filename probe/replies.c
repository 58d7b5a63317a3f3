/* Tables give all drawn moves the same value, but some are harder for an opponent who makes
 * mistakes. So a search of two plies decides among them: a piece given away is rarely won back, and
 * if few replies hold the draw, a wrong one is likely. Material comes first; otherwise a man would
 * be given away for a single forced reply. */
#include "probe/replies.h"

#include <limits.h>

enum { KING_IN_MEN = 3 };

static int balance_of(const struct placement *at, enum side side)
{
    const enum side other = side_other(side);
    return squares_count(at->men[side]) - squares_count(at->men[other]) +
           KING_IN_MEN * (squares_count(at->kings[side]) - squares_count(at->kings[other]));
}

/* Whether a reply improves the outcome for the side that moved before it. */
static bool is_mistake(struct query *query, const struct state *state, einspul_outcome outcome)
{
    value_t value = VALUE_LOST;
    const einspul_status status = query_state(query, state, &value);
    query_finish(query);
    return status == EINSPUL_OK && value_outcome(value) > outcome;
}

void replies_weigh(const struct rules *rules, struct query *query, const struct state *after,
                   einspul_outcome outcome, struct probe_replies *replies)
{
    const enum side side = side_other(after->at.side);
    struct move_list list;
    *replies = (struct probe_replies){1, 1, balance_of(&after->at, side)};
    move_list_init(&list);
    if (moves_generate(rules, after, &list) == EINSPUL_OK && list.n_moves > 0) {
        *replies = (struct probe_replies){list.n_moves, 0, INT_MAX};
        for (int i = 0; i < list.n_moves; i++) {
            const struct state state = state_after(rules, after, &list.moves[i]);
            const int balance = balance_of(&state.at, side);
            replies->balance = balance < replies->balance ? balance : replies->balance;
            replies->n_holding += query == NULL || !is_mistake(query, &state, outcome);
        }
    }
    move_list_free(&list);
}

bool replies_are_better(const struct probe_replies *one, const struct probe_replies *other)
{
    if (one->balance != other->balance)
        return one->balance > other->balance;
    return (int64_t)one->n_holding * other->n < (int64_t)other->n_holding * one->n;
}
