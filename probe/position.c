/* Public positions to states and back, and their FENs. */
#include "core/fen.h"
#include "probe/probe.h"
#include "probe/rule_set.h"

#include <string.h>

_Static_assert((int)EINSPUL_FEN_SIZE == FEN_SIZE, "the caller's room is what fen_write needs");

einspul_status state_from_position(const struct rules *rules, const einspul_position *position,
                                   struct state *state, einspul_error *error)
{
    *state = state_of_position(position);
    for (int side = WHITE; side <= BLACK; side++)
        if (position->run_count[side] > 0 && position->run_square[side] == 0)
            return error_set(error, EINSPUL_BAD_POSITION, "a king run of %s without its square",
                             side_name((enum side)side));
    if (position->reserved != 0)
        return error_set(error, EINSPUL_BAD_POSITION, "reserved bytes of a position are not 0");
    return state_check(rules, state, true, error);
}

/* --- FENs ------------------------------------------------------------------------------------- */

einspul_status einspul_fen_read(const char *rules, const char *fen, einspul_position *position,
                                einspul_error *error)
{
    struct rules spare;
    struct state state;
    if (fen == NULL || position == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a text or a position is NULL");
    const struct rules *found = rule_set(rules, &spare, error);
    const einspul_status status =
        found == NULL ? EINSPUL_BAD_RULES : fen_read(found, fen, &state, error);
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
