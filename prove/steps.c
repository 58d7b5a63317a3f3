#include "prove/steps.h"

#include "core/moves.h"
#include "core/program/array.h"

einspul_status steps_list(const struct rules *rules, const struct state *state,
                          struct step_list *list)
{
    enum { FIRST_CAPACITY = 64 };
    struct move_list moves;
    move_list_init(&moves);
    einspul_status status = moves_generate(rules, state, &moves);
    list->n = 0;
    for (int i = 0; i < moves.n_moves && status == EINSPUL_OK; i++) {
        const struct move *move = &moves.moves[i];
        struct step *steps =
            array_reserve(list->steps, list->n, &list->room, FIRST_CAPACITY, sizeof *steps);
        if (steps == NULL) {
            status = EINSPUL_NO_MEMORY;
            break;
        }
        list->steps = steps;
        steps[list->n++] = (struct step){
            .after = state_after(rules, state, move),
            .captured = move->captured,
            .from = move->from,
            .to = move->to,
            .reversible = move->captured == 0 && move->by_king,
        };
    }
    move_list_free(&moves);
    return status;
}

struct step_counts steps_count(const struct rules *rules, const struct state *state)
{
    const struct board *board = &rules->board;
    const struct placement *at = &state->at;
    const struct run run = state->run[at->side];
    const squares_t occupied = placement_occupied(at);
    squares_t left = placement_own(at, at->side);
    struct step_counts counts = {0, 0};
    if (rules->king_run_limit > 0 && run.count >= rules->king_run_limit)
        left &= ~square_bit(run.square);
    for (; left != 0; left &= left - 1) {
        const int from = bits_first(left);
        const bool king = (at->kings[at->side] & square_bit(from)) != 0;
        const int first = king || at->side == WHITE ? NORTH_WEST : SOUTH_WEST;
        const int last = king || at->side == BLACK ? SOUTH_EAST : NORTH_EAST;
        for (int direction = first; direction <= last; direction++) {
            int to = board->next[direction][from];
            for (; to != NO_SQUARE && (occupied & square_bit(to)) == 0;
                 to = king && rules->flying_kings ? board->next[direction][to] : NO_SQUARE) {
                struct placement after = *at;
                (king ? after.kings : after.men)[at->side] ^= square_bit(from) | square_bit(to);
                after.side = side_other(at->side);
                counts.n++;
                counts.n_safe += !placement_has_capture(rules, &after);
            }
        }
    }
    return counts;
}
