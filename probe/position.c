/* Rule sets by name, positions as states, their FENs, and moves. Only the boards of rule sets are kept
 * between calls. */
#include "probe/position.h"

#include "core/fen.h"

#include <stdatomic.h>
#include <string.h>

/* Constants that are computed once, because filling in the board of a rule set takes longer than
 * listing the moves of a position. The first call that needs one computes it. A thread that needs
 * it computes its own in the meantime instead of waiting, so that the child of a fork, in which the first
 * thread does not exist, never hangs. */
enum { NOT_MADE, IN_THE_MAKING, MADE };

const struct rules *rule_set(const char *name, struct rules *spare, einspul_error *error)
{
    static struct rules made[N_RULES];
    static atomic_int steps[N_RULES];
    const char *const *names = einspul_rules_list();
    int i = 0;
    int found = NOT_MADE;

    while (name != NULL && i < N_RULES && strcmp(names[i], name) != 0)
        i++;
    if (i == N_RULES)
        return rules_by_name(spare, name, error) == EINSPUL_OK ? spare : NULL;
    if (atomic_load_explicit(&steps[i], memory_order_acquire) == MADE)
        return &made[i];
    if (!atomic_compare_exchange_strong(&steps[i], &found, IN_THE_MAKING)) {
        rules_by_id(spare, (unsigned)i + 1, error);
        return spare;
    }
    rules_by_id(&made[i], (unsigned)i + 1, error);
    atomic_store_explicit(&steps[i], MADE, memory_order_release);
    return &made[i];
}

einspul_status state_from_position(const struct rules *rules, const einspul_position *position,
                                   struct state *state, einspul_error *error)
{
    *state = state_of_position(position);
    for (int side = WHITE; side <= BLACK; side++)
        if (position->run_count[side] > 0 && position->run_square[side] == 0)
            return error_set(error, EINSPUL_BAD_POSITION, "the king run of %s has no square",
                             side_name((enum side)side));
    if (position->reserved != 0)
        return error_set(error, EINSPUL_BAD_POSITION,
                         "the reserved bytes of the position must be 0");
    return state_check(rules, state, error);
}

int move_compare(const void *a, const void *b)
{
    const struct move *first = a;
    const struct move *second = b;
    if (first->from != second->from)
        return first->from - second->from;
    if (first->to != second->to)
        return first->to - second->to;
    return (first->captured > second->captured) - (first->captured < second->captured);
}

void move_to_public(const struct rules *rules, const struct state *state, const struct move *move,
                    einspul_move *to)
{
    const struct state after = state_after(rules, state, move);
    *to = (einspul_move){
        .captured = move->captured,
        .from = (uint8_t)(move->from + 1),
        .to = (uint8_t)(move->to + 1),
        .outcome = EINSPUL_UNKNOWN,
        .plies = -1,
    };
    probe_position_from_state(&after, &to->after);
}

einspul_status einspul_fen_read(const char *rules, const char *fen, einspul_position *position,
                                einspul_error *error)
{
    struct rules spare;
    struct state state;
    if (fen == NULL || position == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the text or the position is NULL");
    const struct rules *found = rule_set(rules, &spare, error);
    const einspul_status status =
        found == NULL ? EINSPUL_BAD_RULES : fen_read(found, fen, &state, NULL, error);
    if (status == EINSPUL_OK)
        probe_position_from_state(&state, position);
    return status;
}

einspul_status einspul_fen_write(const char *rules, const einspul_position *position, char *fen,
                                 einspul_error *error)
{
    struct rules spare;
    struct state state;
    if (position == NULL || fen == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a position or a text is NULL");
    const struct rules *found = rule_set(rules, &spare, error);
    const einspul_status status =
        found == NULL ? EINSPUL_BAD_RULES : state_from_position(found, position, &state, error);
    if (status == EINSPUL_OK)
        fen_write(found, &state, fen);
    return status;
}
