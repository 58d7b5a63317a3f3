/* What the other folders use beside einspul.h: positions as states (probe/position.h), and moves with
 * what is known of them. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "probe/position.h"
#include "table/table_read.h"

/* A legal move of `state` in public form, without its outcome. */
void public_move(const struct rules *rules, const struct state *state, const struct move *move,
                 einspul_move *to);

/* Compares two moves for qsort: by from, to and captured squares. */
int move_compare(const void *a, const void *b);

/* What an opponent may reply to a move: the measure among moves that the tables value alike. */
struct probe_replies {
    int n;         /* legal ones; 0: not weighed */
    int n_holding; /* of these, keep the outcome of the move */
    int balance;   /* in men, of who made the move, after the reply that is worst for it */
};

/* A legal move with its value for the side that makes it. */
struct ranked {
    const struct move *move;
    einspul_status status;        /* EINSPUL_OK: the tables have its outcome */
    einspul_outcome outcome;      /* DRAW if they have not */
    int plies;                    /* of the move and what follows; -1: draw, or not known */
    int worth;                    /* moves of equal worth differ in their replies only */
    struct probe_replies replies; /* n = 0: not weighed */
};

struct ranking {
    /* Set by the caller. */
    size_t n_wanted; /* no more moves are put in order */
    bool all; /* moves may be unknown: they stand between draws and losses; and the replies to
                        a move are weighed even if no other is worth as much */
    /* The result. */
    struct state state;
    struct move_list list;
    struct ranked *moves;  /* list.n_moves */
    einspul_error unknown; /* of the first move that is not known; EINSPUL_OK: all are known */
};

/* Ranks the moves of a position under `rules`, those of the handle; `handle` may be NULL, and then
 * no move is known. Must be followed by ranking_free, also after an error: of einspul_moves, and,
 * unless `all`, of the first move that is not known. */
einspul_status rank_moves(struct ranking *ranking, einspul *handle, const struct rules *rules,
                          const einspul_position *position, einspul_error *error);
void ranking_free(struct ranking *ranking);

#endif
