/* What the other folders use beside einspul.h: probes with a status, with internal types, moves with
 * their texts, counters. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "probe/position.h"
#include "table/table_read.h"

/* --- probes ----------------------------------------------------------------------------------- */

/* The value of a state for the side to move, under all rules of the handle (clock included). With
 * EINSPUL_WDL only its outcome is valid (value_sign). Captures are resolved by making them. `state`
 * must have passed state_check. Flags and errors as einspul_why. Thread-safe. */
einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error);

/* --- moves ------------------------------------------------------------------------------------ */

/* A legal move of `state` in public form, without its outcome. */
void public_move(const struct rules *rules, const struct state *state, const struct move *move,
                 einspul_move *to);

/* The order of moves of equal worth: by from, to and captured squares; a qsort comparison of struct move. */
int move_compare(const void *a, const void *b);

#endif
