/* Legal moves ranked by their values, and those without a distance by the replies to them. */
#ifndef EINSPUL_PROBE_RANKING_H
#define EINSPUL_PROBE_RANKING_H

#include "core/moves.h"
#include "einspul.h"

/* The replies to a move, which order moves that the tables value alike. */
struct probe_replies {
    int n;         /* legal ones; 0: not weighed */
    int n_holding; /* of these, keep the outcome of the move */
    int balance;   /* in men, for the side that made the move, after the reply that costs most */
};

/* A legal move with its value for the side that makes it. */
struct ranked_move {
    const struct move *move;
    einspul_status status;        /* EINSPUL_OK: the tables have its outcome */
    einspul_outcome outcome;      /* DRAW if they have not */
    int plies;                    /* of the move and what follows; -1: draw, or not known */
    int worth;                    /* moves of equal worth differ in their replies only */
    struct probe_replies replies; /* n = 0: not weighed */
};

struct ranking {
    /* Set by the caller. */
    size_t n_wanted; /* only this many moves are sorted fully */
    bool all; /* accept moves of unknown value, ranked between draws and losses, and weigh the
                 replies to every move, not only where moves tie */
    /* The result. */
    struct state state;
    struct move_list list;
    struct ranked_move *moves; /* list.n_moves */
    einspul_error unknown;     /* of the first move of unknown value; EINSPUL_OK if there is none */
};

/* Ranks the moves of a position under `rules`, those of the handle; `handle` may be NULL, and then
 * no move is known. Release with ranking_free, also after an error. Errors of einspul_moves; unless
 * `all`, also the error of the first move of unknown value. */
einspul_status rank_moves(struct ranking *ranking, einspul *handle, const struct rules *rules,
                          const einspul_position *position, einspul_error *error);
void ranking_free(struct ranking *ranking);

#endif
