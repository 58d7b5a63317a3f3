/* Public functions that need no tables: legal moves, their notation, and making them. */
#include "core/fen.h"
#include "probe/position.h"

#include <stdlib.h>

/* A position under a rule set, with its legal moves. */
struct position_moves {
    const struct rules *rules;
    struct state state;
    struct move_list list;
    struct rules spare; /* of rule_set */
};

/* To be ended with move_list_free, also after an error. */
static einspul_status position_moves_init(struct position_moves *all, const char *rules,
                                          const einspul_position *position, einspul_error *error)
{
    move_list_init(&all->list);
    if (position == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the position is NULL");
    all->rules = rule_set(rules, &all->spare, error);
    if (all->rules == NULL)
        return EINSPUL_BAD_RULES;
    einspul_status status = state_from_position(all->rules, position, &all->state, error);
    if (status != EINSPUL_OK)
        return status;
    status = moves_generate(all->rules, &all->state, &all->list);
    return status == EINSPUL_OK ? status : moves_error(status, error);
}

/* Sorts up to MOVES_INLINE moves as pointers: most lists are that short, and insertion sort is then
 * the fastest. */
static void sort_few(const struct move_list *list, const struct move *order[MOVES_INLINE])
{
    for (int i = 0; i < list->n_moves; i++) {
        int at = i;
        for (; at > 0 && move_compare(order[at - 1], &list->moves[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = &list->moves[i];
    }
}

int einspul_moves(const char *rules, const einspul_position *position, einspul_move *moves,
                  int capacity, einspul_error *error)
{
    const struct move *order[MOVES_INLINE];
    struct position_moves all;
    einspul_status status = position_moves_init(&all, rules, position, error);
    const int n = all.list.n_moves;
    const bool few = n <= MOVES_INLINE;

    if (moves == NULL && capacity > 0)
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "the array of moves is NULL");
    if (status == EINSPUL_OK && few)
        sort_few(&all.list, order);
    else if (status == EINSPUL_OK)
        qsort(all.list.moves, (size_t)n, sizeof *all.list.moves, move_compare);
    for (int i = 0; i < n && i < capacity && status == EINSPUL_OK; i++)
        move_to_public(all.rules, &all.state, few ? order[i] : &all.list.moves[i], &moves[i]);
    move_list_free(&all.list);
    return status == EINSPUL_OK ? n : -1;
}

/* The only legal move with these squares, numbered from 1; `captured` 0 is any. */
static const struct move *find_move(const struct move_list *list, int from, int to,
                                    uint64_t captured)
{
    const struct move *found = NULL;
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        if (move->from + 1 != from || move->to + 1 != to ||
            (captured != 0 && move->captured != captured))
            continue;
        if (found != NULL)
            return NULL;
        found = move;
    }
    return found;
}

einspul_status einspul_move_write(const char *rules, const einspul_position *position,
                                  const einspul_move *move, char *text, einspul_error *error)
{
    struct position_moves all;
    einspul_status status = position_moves_init(&all, rules, position, error);

    if (move == NULL || text == NULL)
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "no move or no place for its text");
    if (status == EINSPUL_OK) {
        const struct move *found = find_move(&all.list, move->from, move->to, move->captured);
        if (found == NULL)
            status =
                error_set(error, EINSPUL_BAD_MOVE, "%d to %d is not a legal move, or is ambiguous",
                          move->from, move->to);
        else
            move_write(&all.list, found, text);
    }
    move_list_free(&all.list);
    return status;
}

einspul_status einspul_play(const char *rules, einspul_position *position, const char *text,
                            einspul_error *error)
{
    struct position_moves all;
    einspul_status status = position_moves_init(&all, rules, position, error);

    if (text == NULL)
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "no move is given");
    if (status == EINSPUL_OK) {
        const struct move *move = move_read(&all.list, text);
        if (move == NULL) {
            status = error_set(error, EINSPUL_BAD_MOVE,
                               "'%.60s' is not a legal move, or is ambiguous", text);
        } else {
            const struct state after = state_after(all.rules, &all.state, move);
            probe_position_from_state(&after, position);
        }
    }
    move_list_free(&all.list);
    return status;
}

void einspul_advance(const char *rules, const einspul_position *before, int from, int to,
                     uint64_t captured, einspul_position *after)
{
    struct rules spare;
    const struct rules *found = rule_set(rules, &spare, NULL);
    if (found == NULL || before == NULL || after == NULL || before->side > EINSPUL_BLACK ||
        from < 1 || from > found->board.n_squares || to < 1 || to > found->board.n_squares ||
        before->run_square[WHITE] > found->board.n_squares ||
        before->run_square[BLACK] > found->board.n_squares)
        return;
    const struct state state = state_of_position(before);
    struct state next = {.at = state_of_position(after).at};
    state_advance(found, &state, from - 1, to - 1, captured != 0, &next);
    probe_position_from_state(&next, after);
}
