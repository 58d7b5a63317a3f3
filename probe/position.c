/* Public positions to states and back, and their FEN under the rule set of a handle. */
#include "core/fen.h"
#include "probe/handle.h"

#include <string.h>

_Static_assert((int)EINSPUL_FEN_SIZE == FEN_SIZE, "the caller's room is what fen_write needs");

enum status state_from_position(const struct rules *rules, const einspul_position *position,
                                struct state *state, struct error *error)
{
    *state = (struct state){.clock = position->clock, .limited = position->limited};
    state->at.side = (enum side)position->side;
    for (int side = WHITE; side <= BLACK; side++) {
        state->at.men[side] = position->men[side];
        state->at.kings[side] = position->kings[side];
        state->run[side].count = position->run_count[side];
        if (position->run_count[side] == 0)
            continue;
        if (position->run_square[side] == 0)
            return error_set(error, STATUS_BAD_POSITION, "a king run of %s without its square",
                             side == WHITE ? "White" : "Black");
        state->run[side].square = (uint8_t)(position->run_square[side] - 1);
    }
    if (position->reserved != 0)
        return error_set(error, STATUS_BAD_POSITION, "reserved bytes of a position are not 0");
    return state_check_after(rules, state, error);
}

enum status probe_state_from_position(const einspul *handle, const einspul_position *position,
                                      struct state *state, struct error *error)
{
    return state_from_position(&handle->rules, position, state, error);
}

void probe_position_from_state(const struct state *state, einspul_position *position)
{
    *position = (einspul_position){
        .side = (uint8_t)state->at.side, .clock = state->clock, .limited = state->limited};
    for (int side = WHITE; side <= BLACK; side++) {
        position->men[side] = state->at.men[side];
        position->kings[side] = state->at.kings[side];
        position->run_count[side] = state->run[side].count;
        if (state->run[side].count > 0)
            position->run_square[side] = (uint8_t)(state->run[side].square + 1);
    }
}

enum status public_fen_read(const struct rules *rules, const char *fen, einspul_position *position,
                            struct error *error)
{
    struct state state;
    const enum status status = fen_read(rules, fen, &state, error);
    if (status == STATUS_OK)
        probe_position_from_state(&state, position);
    return status;
}

enum status public_fen_write(const struct rules *rules, const einspul_position *position, char *fen,
                             struct error *error)
{
    struct state state;
    const enum status status = state_from_position(rules, position, &state, error);
    if (status == STATUS_OK)
        fen_write(rules, &state, fen);
    return status;
}

einspul_status einspul_position_from_fen(const einspul *handle, const char *fen,
                                         einspul_position *position, einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    if (handle == NULL || fen == NULL || position == NULL)
        return null_argument("a handle, a FEN or a place for the position", error);
    const enum status status = public_fen_read(&handle->rules, fen, position, &own);
    return public_error(status, &own, error);
}

einspul_status einspul_position_to_fen(const einspul *handle, const einspul_position *position,
                                       char *fen, einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    if (handle == NULL || position == NULL || fen == NULL)
        return null_argument("a handle, a position or a place for the FEN", error);
    const enum status status = public_fen_write(&handle->rules, position, fen, &own);
    return public_error(status, &own, error);
}
