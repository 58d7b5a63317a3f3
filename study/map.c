/* Probes the position with the piece on each square in turn: at most fifty probes. */
#include "study/map.h"

#include <stdlib.h>

/* The position with the piece of `from` on `to`. */
static struct state moved(const struct state *state, enum side side, int from, int to)
{
    struct state after = *state;
    squares_t *set = (state->at.kings[side] & square_bit(from)) != 0 ? &after.at.kings[side]
                                                                     : &after.at.men[side];
    *set = (*set & ~square_bit(from)) | square_bit(to);
    if (state->run[side].count > 0 && state->run[side].square == from)
        after.run[side].square = (uint8_t)to;
    return after;
}

enum status map_bounds(einspul *handle, const struct state *state, enum outcome *worst,
                       enum outcome *best, struct error *error)
{
    einspul_position position;
    einspul_outcome bounds[2];
    einspul_error failure;
    probe_position_from_state(state, &position);
    const einspul_status status =
        einspul_probe_bounds(handle, &position, 0, &bounds[0], &bounds[1], &failure);
    if (status != EINSPUL_OK)
        return error_set(error, (enum status)status, "%s", failure.text);
    *worst = (enum outcome)bounds[0];
    *best = (enum outcome)bounds[1];
    return STATUS_OK;
}

/* What a limit of quiet play leaves open. */
static enum status open_value(einspul *handle, const struct state *state, enum outcome *outcome,
                              struct error *error)
{
    enum outcome worst = OUTCOME_DRAW;
    enum outcome best = OUTCOME_DRAW;
    const enum status status = map_bounds(handle, state, &worst, &best, error);
    *outcome = best == OUTCOME_WIN ? OUTCOME_WIN : OUTCOME_LOSS;
    return status == STATUS_OK && worst == OUTCOME_LOSS && best == OUTCOME_WIN ? value_open(error)
                                                                               : status;
}

enum status map_value(einspul *handle, const struct state *state, struct verdict *verdict,
                      struct error *error)
{
    value_t value = VALUE_NONE;
    enum status status = probe_state(handle, state, METRIC_DTW, 0, &value, error);
    *verdict = (struct verdict){.plies = status == STATUS_OK ? value_plies(value) : -1};
    if (status == STATUS_NO_METRIC || status == STATUS_ONLY_BOUNDS)
        status = probe_state(handle, state, METRIC_WDL, 0, &value, error);
    verdict->maybe = status == STATUS_ONLY_BOUNDS;
    if (verdict->maybe)
        status = open_value(handle, state, &verdict->outcome, error);
    else if (status == STATUS_OK)
        verdict->outcome = value_outcome(value);
    verdict->known = status == STATUS_OK;
    verdict->over = verdict->known && verdict->outcome == OUTCOME_LOSS && verdict->plies == 0;
    return status;
}

enum status map_piece(einspul *handle, const struct state *state, int square,
                      struct square_map *map, struct error *error)
{
    const struct rules *rules = probe_rules(handle);
    const squares_t occupied = placement_occupied(&state->at);
    enum status status = STATUS_OK;

    *map = (struct square_map){.square[0].possible = false};
    if (square < 0 || square >= rules->board.n_squares || (occupied & square_bit(square)) == 0)
        return error_set(error, STATUS_BAD_POSITION, "no piece stands on square %d", square + 1);
    const enum side side =
        (placement_own(&state->at, WHITE) & square_bit(square)) != 0 ? WHITE : BLACK;
    for (int to = 0; to < rules->board.n_squares && status == STATUS_OK; to++) {
        struct map_square *there = &map->square[to];
        there->state = moved(state, side, square, to);
        there->possible = (to == square || (occupied & square_bit(to)) == 0) &&
                          state_check(rules, &there->state, true, NULL) == STATUS_OK;
        if (there->possible)
            status = map_value(handle, &there->state, &there->verdict, error);
    }
    return status;
}

einspul_move *map_moves(einspul *handle, const einspul_position *position,
                        struct probe_replies **replies, size_t *n_moves, struct error *error)
{
    einspul_error failure = {EINSPUL_NO_MEMORY, "not enough memory for a list of moves"};
    einspul_move *moves = probe_legal_moves(probe_rules(handle)->name, position, n_moves, &failure);
    *replies = moves != NULL ? malloc((*n_moves + 1) * sizeof **replies) : NULL;
    if (*replies != NULL &&
        probe_moves(handle, position, moves, *replies, *n_moves, n_moves, &failure) == EINSPUL_OK)
        return moves;
    error_set(error, (enum status)failure.status, "%s", failure.text);
    free(*replies);
    free(moves);
    *replies = NULL;
    return NULL;
}

const char *map_outcome_text(enum outcome outcome, bool maybe)
{
    static const char *const texts[2][3] = {{"loss", "draw", "win"},
                                            {"maybe-loss", "draw", "maybe-win"}};
    return texts[maybe][(int)outcome + 1];
}
