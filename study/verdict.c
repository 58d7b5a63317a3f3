/* A square map probes the position with the piece on each square in turn: at most fifty probes. */
#include "study/verdict.h"

#include "probe/program_handle.h"

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

einspul_status verdict_of(einspul *handle, const struct state *state, struct verdict *verdict,
                          einspul_error *error)
{
    einspul_position position;
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    *verdict = (struct verdict){.plies = -1};
    probe_position_from_state(state, &position);
    const einspul_status status =
        einspul_probe(handle, &position, 0, &outcome, &verdict->plies, error);
    verdict->known = outcome != EINSPUL_UNKNOWN;
    verdict->undecided = !verdict->known && status == EINSPUL_UNDECIDED;
    if (verdict->known)
        verdict->outcome = outcome;
    verdict->over = verdict->known && outcome == EINSPUL_LOSS && verdict->plies == 0;
    return verdict->known || verdict->undecided ? EINSPUL_OK : status;
}

einspul_status square_map_of(einspul *handle, const struct state *state, int square,
                             struct square_map *map, einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    const squares_t occupied = placement_occupied(&state->at);
    einspul_status status = EINSPUL_OK;

    *map = (struct square_map){.square[0].possible = false};
    if (square < 0 || square >= rules->board.n_squares || (occupied & square_bit(square)) == 0)
        return error_set(error, EINSPUL_BAD_POSITION, "no piece on square %d", square + 1);
    const enum side side =
        (placement_own(&state->at, WHITE) & square_bit(square)) != 0 ? WHITE : BLACK;
    for (int to = 0; to < rules->board.n_squares && status == EINSPUL_OK; to++) {
        struct map_square *there = &map->square[to];
        there->state = moved(state, side, square, to);
        there->possible = (to == square || (occupied & square_bit(to)) == 0) &&
                          state_check(rules, &there->state, NULL) == EINSPUL_OK;
        if (there->possible)
            status = verdict_of(handle, &there->state, &there->verdict, error);
    }
    return status;
}

const char *outcome_text(einspul_outcome outcome)
{
    static const char *const texts[] = {"loss", "draw", "win"};
    return texts[(int)outcome + 1];
}

const char *verdict_text(const struct verdict *verdict)
{
    return verdict->known       ? outcome_text(verdict->outcome)
           : verdict->undecided ? "undecided"
                                : "unknown";
}

/* Clocks count plies; the limit on two kings counts moves of their side. */
struct limit_left state_limit_left(const struct rules *rules, const struct state *state)
{
    struct limit_left found = {.limit = 0};
    const int limit = placement_limit(rules, &state->at);
    if (rules->two_kings_limit > 0 && state_limit(rules, state) > 0) {
        found.of_side = true;
        found.side = state_limited_side(state);
        found.limit = rules->two_kings_limit;
        found.left = found.limit - (state->clock + (state->at.side != found.side)) / 2;
    } else if (rules->two_kings_limit == 0 && limit > 0 &&
               (state->clock > 0 || limit != rules->quiet_limit)) {
        found.limit = limit;
        found.left = limit - state->clock;
    }
    if (found.left < 0)
        found.left = 0;
    return found;
}
