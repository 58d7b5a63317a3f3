/* What the other folders use beside einspul.h: probes with a status, with internal types, moves with
 * their texts, counters. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "probe/position.h"
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

/* --- moves ------------------------------------------------------------------------------------ */

/* A legal move of `state` in public form, without its outcome. */
void public_move(const struct rules *rules, const struct state *state, const struct move *move,
                 einspul_move *to);

/* The order of moves of equal worth: by from, to and captured squares; a qsort comparison of struct move. */
int move_compare(const void *a, const void *b);

#endif
