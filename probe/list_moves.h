/* Legal moves with their texts and, as far as the tables have them, their values: for the program's
 * commands, Hub, server and page. Thread-safe. */
#ifndef EINSPUL_PROBE_LIST_MOVES_H
#define EINSPUL_PROBE_LIST_MOVES_H

#include "probe/ranking.h"

struct probed_move {
    char text[EINSPUL_MOVE_TEXT_SIZE]; /* as einspul_move_write */
    uint8_t from, to, n_path;
    uint8_t path[MAX_SQUARES + 1]; /* from, every square it lands on, to: one way to make it */
    uint64_t captured;             /* set of squares; 0 for a simple move */
    einspul_position after;
    einspul_status status;        /* EINSPUL_OK: its outcome is known */
    einspul_outcome outcome;      /* for the side that makes the move; DRAW if not known */
    int plies;                    /* to the end, this move included; -1: draw, or not known */
    struct probe_replies replies; /* to a move without a distance; else all 0 */
};

struct move_values {
    size_t n;                  /* legal moves; 0: the side to move has lost */
    struct probed_move *moves; /* best first */
    einspul_error unknown;     /* of the first move of unknown value, or EINSPUL_OK */
};

/* All legal moves of a position, each valued by itself, in the order of einspul_probe_moves; moves
 * of unknown outcome rank between draws and losses. If `handle` is NULL, all are unknown. `rules`
 * is its rule set. Release `list->moves` with free(). Errors of einspul_moves. */
einspul_status list_moves(einspul *handle, const char *rules, const einspul_position *position,
                          struct move_values *list, einspul_error *error);

/* einspul_probe_moves with the moves' texts, for callers that want only the best moves, all of
 * known value: writes at most `capacity` entries, and sets the number of legal moves. */
einspul_status probe_moves(einspul *handle, const einspul_position *position,
                           struct probed_move *moves, size_t capacity, size_t *n_moves,
                           einspul_error *error);

/* Fills in a legal move of `state`, one of `list`, without its outcome. */
void describe_move(const struct rules *rules, const struct state *state,
                   const struct move_list *list, const struct move *move, struct probed_move *to);

#endif
