/* What the other folders use beside einspul.h: probes with a status, with internal types, moves with
 * their texts, counters. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "einspul.h"
#include "table/table_read.h"

/* --- handles ---------------------------------------------------------------------------------- */

/* einspul_open with `n_folders` folders and packs in place of a list. */
einspul_status probe_open(const char *const *folders, size_t n_folders, const char *rules,
                          size_t cache_bytes, const einspul_callbacks *callbacks, einspul **handle,
                          einspul_error *error);

/* --- probes ----------------------------------------------------------------------------------- */

/* The value of a state for the side to move, under all rules of the handle (clock included). With
 * EINSPUL_WDL only its outcome is valid (value_sign). Captures are resolved by making them. `state`
 * must have passed state_check. Flags and errors as einspul_why. Thread-safe. */
einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error);

/* The outcome of a position, and with EINSPUL_DTW the plies to the end, -1 for a draw. `plies` may
 * be NULL. After an error neither is changed. */
einspul_status probe_position(einspul *handle, const einspul_position *position,
                              einspul_metric metric, unsigned flags, einspul_outcome *outcome,
                              int *plies, einspul_error *error);

/* The same for `n` positions at once. `statuses`, which may be NULL, has the status of each.
 * Returns EINSPUL_OK, or the status of the first position that failed, which `error` describes. */
einspul_status probe_positions(einspul *handle, const einspul_position *positions, size_t n,
                               einspul_metric metric, unsigned flags, einspul_outcome *outcomes,
                               int *plies, einspul_status *statuses, einspul_error *error);

/* --- rule sets, for calls without a handle ---------------------------------------------------- */

/* The rule set of a name, NULL for the first. It is permanent, except that while another thread is
 * computing it for the first time, `spare` is filled and returned instead. NULL for an unknown name:
 * BAD_RULES. Thread-safe, and never waits. */
const struct rules *rule_set(const char *name, struct rules *spare, einspul_error *error);

/* --- positions -------------------------------------------------------------------------------- */

/* Public positions to states and back. Going in, unchecked, and with BAD_POSITION as state_check. */
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

/* --- moves ------------------------------------------------------------------------------------ */

/* A legal move of `state` in public form, without its outcome. */
void public_move(const struct rules *rules, const struct state *state, const struct move *move,
                 einspul_move *to);

/* The order of moves of equal worth: by from, to and captured squares; a qsort comparison of struct move. */
int move_compare(const void *a, const void *b);

#endif
