/* What the other folders use beside einspul.h: positions as states, and moves with what is known of
 * them. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/moves.h"
#include "table/table_read.h"

/* --- positions -------------------------------------------------------------------------------- */

/* The rule set of a name, NULL for the first. It is permanent, except that while another thread is
 * computing it for the first time, `spare` is filled and returned instead. NULL for an unknown name:
 * BAD_RULES. Thread-safe, and never waits. */
const struct rules *rule_set(const char *name, struct rules *spare, einspul_error *error);

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
