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

/* Has `tell` called, with `told`, by a probe of whatever thread, when the system first has no memory
 * for more than `had` bytes of the cache of `budget` bytes: every block that finds no room in it is
 * decoded again for each value. To be set before the first probe. */
void probe_tell_shortage(einspul *handle, void tell(void *told, size_t budget, size_t had),
                         void *told);

/* The rule set of a handle. */
const struct rules *probe_rules(const einspul *handle);

/* The open table of a canonical material; it belongs to the handle. NO_TABLE names the material;
 * NO_METRIC; file errors of table_open. Thread-safe. */
einspul_status probe_table(einspul *handle, const struct material *material, einspul_metric metric,
                           const struct table **table, einspul_error *error);

/* einspul_preload; of one material, such as "KKvKM", if that is not NULL. `*n_left`, which may be
 * NULL, is the number of blocks then not in memory. Also NO_TABLE, NO_METRIC, BAD_MATERIAL. */
einspul_status probe_preload(einspul *handle, const char *material, int pieces,
                             einspul_metric metric, size_t most_bytes, uint64_t *n_left,
                             einspul_error *error);

struct probe_counters {
    uint64_t hits;   /* blocks found decoded */
    uint64_t misses; /* blocks that had to be decoded, or were refused by EINSPUL_CACHE_ONLY */
    uint64_t decoded_blocks; /* in total; failed ones count as misses only */
    uint64_t decoded_bytes;  /* their total size in memory */
    uint64_t decoding_ns;    /* total time of all threads, reading included */
    uint64_t cached_bytes;   /* now in the cache */
};

/* A snapshot; counts of running probes may be missing. */
void probe_count(const einspul *handle, struct probe_counters *counters);

/* --- probes ----------------------------------------------------------------------------------- */

/* The value of a state for the side to move, under all rules of the handle (clock included). With
 * EINSPUL_WDL only its outcome is valid (value_sign). Captures are resolved by making them. `state`
 * must have passed state_check. Flags and errors as einspul_why. Thread-safe. */
einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error);

/* The raw value of a limited material's state (2K v 1K), without the limit: always a distance.
 * Otherwise as probe_state. */
einspul_status probe_raw(einspul *handle, const struct state *state, value_t *value,
                         einspul_error *error);

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

/* --- positions -------------------------------------------------------------------------------- */

/* Public positions to states and back. Going in, unchecked, and with BAD_POSITION as state_check. */
struct state state_of_position(const einspul_position *position);
einspul_status state_from_position(const struct rules *rules, const einspul_position *position,
                                   struct state *state, einspul_error *error);
void probe_position_from_state(const struct state *state, einspul_position *position);

/* --- moves ------------------------------------------------------------------------------------ */

/* A legal move with its text and path. */
struct probed_move {
    char text[EINSPUL_MOVE_TEXT_SIZE]; /* as einspul_move_write */
    uint8_t from, to, n_path;
    uint8_t path[MAX_SQUARES + 1]; /* from, every square it lands on, to: one way to make it */
    uint64_t captured;             /* set of squares; 0 for a simple move */
    einspul_position after;
    einspul_outcome outcome; /* for the side that makes the move; DRAW if not asked for */
    int plies;               /* to the end, this move included; -1: draw, or no distances */
};

/* Fills in a legal move of `state`, one of `list`, without its outcome. */
void probed_move(const struct rules *rules, const struct state *state, const struct move_list *list,
                 const struct move *move, struct probed_move *to);

/* The same without text and path, in public form. */
void public_move(const struct rules *rules, const struct state *state, const struct move *move,
                 einspul_move *to);

/* The moves of einspul_moves in memory to be freed; NULL with an error. */
struct probed_move *probe_list_moves(const char *rules, const einspul_position *position,
                                     size_t *n_moves, einspul_error *error);

/* The position after the legal move with these squares; if `captured` is 0, `from` and `to` must
 * identify it. `after` may be `position`. BAD_MOVE; errors of einspul_moves. */
einspul_status probe_play_squares(const char *rules, const einspul_position *position, int from,
                                  int to, uint64_t captured, einspul_position *after,
                                  einspul_error *error);

/* The replies to a move that has no distance; all 0 for one that has. */
struct probe_replies {
    int n;         /* legal ones */
    int n_holding; /* of these, keep the outcome of the move */
    int balance;   /* in men, of who made the move, after the reply that is worst for it */
};

/* einspul_probe_moves with texts; fills at most `capacity` entries, and sets the number of legal
 * moves. `replies`, which may be NULL, has as many entries as `moves`. */
einspul_status probe_moves(einspul *handle, const einspul_position *position,
                           struct probed_move *moves, struct probe_replies *replies,
                           size_t capacity, size_t *n_moves, einspul_error *error);

/* The order of moves of equal worth: by from, to and captured squares; a qsort comparison. */
int move_compare(const struct move *first, const struct move *second);

#endif
