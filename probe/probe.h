/* Probing with internal types, for the other folders; einspul.h is the same for engines. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "einspul.h"
#include "table/table_read.h"

/* The rule set of a handle. */
const struct rules *probe_rules(const einspul *handle);

/* The value of a state for the side to move, under all rules of the handle (clock included). With
 * EINSPUL_WDL only its outcome is valid (value_sign). Captures are resolved by making them. `state`
 * must have passed state_check. Flags and errors as einspul_probe_wdl and einspul_probe_dtw.
 * Thread-safe. */
einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error);

/* The raw value of a limited material's state (2K v 1K), without the limit: always a distance.
 * Otherwise as probe_state. */
einspul_status probe_raw(einspul *handle, const struct state *state, value_t *value,
                         einspul_error *error);

/* The open table of a canonical material; it belongs to the handle. NO_TABLE names the material;
 * NO_METRIC; file errors of table_open. Thread-safe. */
einspul_status probe_table(einspul *handle, const struct material *material, einspul_metric metric,
                           const struct table **table, einspul_error *error);

/* Public positions to states and back. Going in, BAD_POSITION as state_check. */
einspul_status state_from_position(const struct rules *rules, const einspul_position *position,
                                   struct state *state, einspul_error *error);
void probe_position_from_state(const struct state *state, einspul_position *position);

/* Fills in the result of einspul_moves for a legal move of `state`, one of `list`. */
void public_move(const struct rules *rules, const struct state *state, const struct move_list *list,
                 const struct move *move, einspul_move *to);

/* einspul_moves in memory to be freed; NULL with an error. */
einspul_move *probe_legal_moves(const char *rules, const einspul_position *position,
                                size_t *n_moves, einspul_error *error);

/* The replies to a move that has no distance; all 0 for one that has. */
struct probe_replies {
    int n;         /* legal ones */
    int n_holding; /* of these, keep the outcome of the move */
    int balance;   /* in men, of who made the move, after the reply that is worst for it */
};

/* einspul_probe_moves; `replies`, which may be NULL, has as many entries as `moves`. */
einspul_status probe_moves(einspul *handle, const einspul_position *position, einspul_move *moves,
                           struct probe_replies *replies, size_t capacity, size_t *n_moves,
                           einspul_error *error);

/* The order of moves of equal worth: by from, to and captured squares; a qsort comparison. */
int move_compare(const struct move *first, const struct move *second);

#endif
