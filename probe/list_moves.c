/* Moves as the library ranks them (probe/ranking.c), with what people read. */
#include "probe/list_moves.h"

#include "core/fen.h"
#include "probe/handle.h"
#include "probe/position.h"

#include <stdlib.h>

void describe_move(const struct rules *rules, const struct state *state,
                   const struct move_list *list, const struct move *move, struct probed_move *to)
{
    const struct state after = state_after(rules, state, move);
    *to = (struct probed_move){
        .from = (uint8_t)(move->from + 1),
        .to = (uint8_t)(move->to + 1),
        .n_path = move->n_path,
        .captured = move->captured,
        .status = EINSPUL_NO_TABLE,
        .outcome = EINSPUL_DRAW,
        .plies = -1,
    };
    for (int i = 0; i < move->n_path; i++)
        to->path[i] = (uint8_t)(move->path[i] + 1);
    move_write(list, move, to->text);
    probe_position_from_state(&after, &to->after);
}

/* The move of a ranking at a place. */
static void describe_ranked(const struct rules *rules, const struct ranking *ranking, size_t at,
                            struct probed_move *to)
{
    const struct ranked_move *ranked = &ranking->moves[at];
    describe_move(rules, &ranking->state, &ranking->list, ranked->move, to);
    to->status = ranked->status;
    to->outcome = ranked->outcome;
    to->plies = ranked->plies;
    to->replies = ranked->replies;
}

einspul_status list_moves(einspul *handle, const char *rules, const einspul_position *position,
                          struct move_values *list, einspul_error *error)
{
    struct rules spare;
    struct ranking ranking = {.n_wanted = SIZE_MAX, .all = true};
    const struct rules *found = handle != NULL ? &handle->rules : rule_set(rules, &spare, error);
    *list = (struct move_values){.n = 0};
    if (found == NULL)
        return EINSPUL_BAD_RULES;
    einspul_status status = rank_moves(&ranking, handle, found, position, error);
    const size_t n = (size_t)ranking.list.n_moves;
    if (status == EINSPUL_OK) {
        list->moves = malloc((n + 1) * sizeof *list->moves);
        if (list->moves == NULL)
            status = moves_error(EINSPUL_NO_MEMORY, error);
    }
    if (status == EINSPUL_OK) {
        list->n = n;
        list->unknown = ranking.unknown;
        for (size_t i = 0; i < n; i++)
            describe_ranked(found, &ranking, i, &list->moves[i]);
    }
    ranking_free(&ranking);
    return status;
}

einspul_status probe_moves(einspul *handle, const einspul_position *position,
                           struct probed_move *moves, size_t capacity, size_t *n_moves,
                           einspul_error *error)
{
    struct ranking ranking = {.n_wanted = capacity};
    const einspul_status status = rank_moves(&ranking, handle, &handle->rules, position, error);
    *n_moves = status == EINSPUL_OK ? (size_t)ranking.list.n_moves : 0;
    for (size_t i = 0; i < *n_moves && i < capacity; i++)
        describe_ranked(&handle->rules, &ranking, i, &moves[i]);
    ranking_free(&ranking);
    return status;
}
