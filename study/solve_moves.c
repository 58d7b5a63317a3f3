/* Steps: captures as core/captures.h finds them, simple moves along the rays of the board. */
#include "study/solve_moves.h"

#include "core/captures.h"
#include "core/moves.h"

#include <stdlib.h>

/* Room for one more; NULL if there is no memory for it. */
static struct step *step_add(struct step_list *list)
{
    enum { FIRST_ROOM = 1024 };
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity == 0 ? FIRST_ROOM : 2 * list->capacity;
        struct step *steps = realloc(list->steps, capacity * sizeof *steps);
        if (steps == NULL)
            return NULL;
        list->steps = steps;
        list->capacity = capacity;
    }
    return &list->steps[list->n++];
}

/* --- captures --------------------------------------------------------------------------------- */

static bool is_there(const struct step_list *list, size_t first, const struct capture *capture)
{
    for (size_t i = first; i < list->n; i++)
        if (list->steps[i].from == capture->from && list->steps[i].to == capture->to &&
            list->steps[i].captured == capture->captured)
            return true;
    return false;
}

static einspul_status add_capture(const struct state *state, const struct capture *capture,
                                  size_t first, struct step_list *list)
{
    if (is_there(list, first, capture))
        return EINSPUL_OK;
    struct step *step = step_add(list);
    if (step == NULL)
        return EINSPUL_NO_MEMORY;
    state_after_capture(state, capture, &step->after);
    step->captured = capture->captured;
    step->from = capture->from;
    step->to = capture->to;
    step->reversible = false;
    return EINSPUL_OK;
}

/* The captures of a state that are too many for captures_list. */
static einspul_status add_many(const struct rules *rules, const struct state *state,
                               struct step_list *list)
{
    const size_t first = list->n;
    struct move_list moves;
    move_list_init(&moves);
    einspul_status status = moves_captures(rules, &state->at, &moves);
    for (int i = 0; i < moves.n_moves && status == EINSPUL_OK; i++) {
        const struct move *move = &moves.moves[i];
        const struct capture capture = {move->captured, move->from, move->to, move->by_king,
                                        move->promotes};
        status = add_capture(state, &capture, first, list);
    }
    move_list_free(&moves);
    return status;
}

/* --- simple moves ----------------------------------------------------------------------------- */

/* Appends a simple move, with the pieces after it; the runs are brought forward. */
static einspul_status add_simple(const struct rules *rules, const struct state *state, int from,
                                 int to, bool by_king, struct step_list *list)
{
    const enum side side = state->at.side;
    const squares_t bit = square_bit(to);
    struct step *step = step_add(list);
    if (step == NULL)
        return EINSPUL_NO_MEMORY;
    step->after = (struct state){.at = state->at};
    struct placement *at = &step->after.at;
    at->side = side_other(side);
    at->men[side] &= ~square_bit(from);
    at->kings[side] &= ~square_bit(from);
    if (by_king || (rules->board.promotion[side] & bit) != 0)
        at->kings[side] |= bit;
    else
        at->men[side] |= bit;
    state_advance(rules, state, from, to, false, &step->after);
    step->captured = 0;
    step->from = (uint8_t)from;
    step->to = (uint8_t)to;
    step->reversible = by_king;
    return EINSPUL_OK;
}

/* The kings that the run lets move. */
static squares_t free_kings(const struct rules *rules, const struct state *state)
{
    const struct run run = state->run[state->at.side];
    const squares_t kings = state->at.kings[state->at.side];
    return rules->king_run_limit > 0 && run.count >= rules->king_run_limit
               ? kings & ~square_bit(run.square)
               : kings;
}

/* The squares a king may go to in one direction, or a man in one of his. */
static squares_t way_of(const struct board *board, squares_t occupied, int from, int direction,
                        bool flying)
{
    if (!flying) {
        const int to = board->next[direction][from];
        return to == NO_SQUARE ? 0 : square_bit(to) & ~occupied;
    }
    const squares_t ray = board->ray[direction][from];
    const squares_t blockers = ray & occupied;
    if (blockers == 0)
        return ray;
    const int blocker = squares_nearest(blockers, direction);
    return ray & ~(board->ray[direction][blocker] | square_bit(blocker));
}

/* The squares a piece may go to. */
static squares_t goals_of(const struct rules *rules, const struct placement *at, int from,
                          bool by_king)
{
    const squares_t occupied = placement_occupied(at);
    const int first = by_king || at->side == WHITE ? NORTH_WEST : SOUTH_WEST;
    const int last = by_king || at->side == BLACK ? SOUTH_EAST : NORTH_EAST;
    squares_t goals = 0;
    for (int direction = first; direction <= last; direction++)
        goals |= way_of(&rules->board, occupied, from, direction, by_king && rules->flying_kings);
    return goals;
}

static einspul_status add_quiet(const struct rules *rules, const struct state *state,
                                struct step_list *list)
{
    einspul_status status = EINSPUL_OK;
    for (int by_king = 0; by_king <= 1; by_king++) {
        squares_t movers = by_king ? free_kings(rules, state) : state->at.men[state->at.side];
        for (; movers != 0; movers &= movers - 1) {
            const int from = squares_first(movers);
            squares_t goals = goals_of(rules, &state->at, from, by_king != 0);
            for (; goals != 0 && status == EINSPUL_OK; goals &= goals - 1)
                status = add_simple(rules, state, from, squares_first(goals), by_king != 0, list);
        }
    }
    return status;
}

/* --- both ------------------------------------------------------------------------------------- */

einspul_status steps_append(const struct rules *rules, const struct state *state,
                            struct step_list *list, size_t *n_steps)
{
    struct capture captures[CAPTURES_ROOM];
    const size_t first = list->n;
    einspul_status status = EINSPUL_OK;
    *n_steps = 0;
    if (placement_own(&state->at, state->at.side) == 0)
        return status;
    const int n = captures_list(rules, &state->at, captures);
    if (n == 0)
        status = add_quiet(rules, state, list);
    else if (n == CAPTURES_MANY)
        status = add_many(rules, state, list);
    for (int i = 0; i < n && status == EINSPUL_OK; i++)
        status = add_capture(state, &captures[i], first, list);
    *n_steps = list->n - first;
    return status;
}

int steps_count(const struct rules *rules, const struct state *state)
{
    int n = 0;
    for (int by_king = 0; by_king <= 1; by_king++) {
        squares_t movers = by_king ? free_kings(rules, state) : state->at.men[state->at.side];
        for (; movers != 0; movers &= movers - 1)
            n += squares_count(goals_of(rules, &state->at, squares_first(movers), by_king != 0));
    }
    return n;
}
