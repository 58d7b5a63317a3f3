/* Positions and moves of einspul.h, under rule sets given by name. */
#ifndef EINSPUL_PROBE_POSITION_H
#define EINSPUL_PROBE_POSITION_H

#include "core/moves.h"

/* The rule set of a name, NULL for the first. The result is valid for ever, except that `*spare` is
 * filled in and returned if another thread is just computing it for the first time. NULL for an
 * unknown name: BAD_RULES. Thread-safe, and never waits. */
const struct rules *rule_set(const char *name, struct rules *spare, einspul_error *error);

/* Conversion between public positions and states. state_of_position checks nothing;
 * state_from_position fails with BAD_POSITION like state_check. */
static inline struct run run_of_position(const einspul_position *position, enum side side)
{
    const uint8_t count = position->run_count[side];
    return (struct run){.square = (uint8_t)(count > 0 ? position->run_square[side] - 1 : 0),
                        .count = count};
}

static inline struct state state_of_position(const einspul_position *position)
{
    return (struct state){
        .at = {.men = {position->men[WHITE], position->men[BLACK]},
               .kings = {position->kings[WHITE], position->kings[BLACK]},
               .side = (enum side)position->side},
        .run = {run_of_position(position, WHITE), run_of_position(position, BLACK)},
        .clock = position->clock,
        .limited = position->limited,
    };
}

static inline void probe_position_from_state(const struct state *state, einspul_position *position)
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

einspul_status state_from_position(const struct rules *rules, const einspul_position *position,
                                   struct state *state, einspul_error *error);

/* A legal move of `state` in public form, without its outcome. */
void move_to_public(const struct rules *rules, const struct state *state, const struct move *move,
                    einspul_move *to);

/* Compares two moves for qsort: by from, to and captured squares. */
int move_compare(const void *a, const void *b);

#endif
