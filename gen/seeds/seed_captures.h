/* The captures of a line: what the search for them (seed_captures.c) and the look-up of the values
 * they lead to (capture_values.c) share. */
#ifndef EINSPUL_GEN_SEEDS_SEED_CAPTURES_H
#define EINSPUL_GEN_SEEDS_SEED_CAPTURES_H

#include "core/program/index.h"
#include "gen/seeds/seeder.h"

/* Captures are looked up early where a line has more than MAX_CAPTURES. Values by run are dealt with a
 * number of runs at a time. */
enum { MAX_CAPTURES = 64, RUN_LANES = 8, RUN_ROOM = (MAX_RUNS / RUN_LANES + 1) * RUN_LANES };

/* Complete captures of one piece that take the same pieces. */
struct line_capture {
    squares_t places;   /* of the line's king, where they can be made */
    squares_t captured; /* of the pieces that stand still */
    squares_t ends;     /* where the capturing piece comes to: one square, unless it is a king */
    int from;           /* NO_SQUARE: the line's king captures */
    uint8_t n_men, n_kings; /* captured, the line's king too */
    uint8_t worth;          /* as seeder->worth */
    bool by_king, promotes;
    bool takes_line_king;
};

/* The captures of a line for one side to move. */
struct line_search {
    struct seeder *seeder;
    const struct board *board;
    const struct line *line;
    squares_t enemy, enemy_kings; /* that stand still */
    bool has_king;                /* the line */
    bool hunts;                   /* it is the enemy's */

    /* The piece that captures. */
    const squares_t (*jump)[MAX_SQUARES];
    const squares_t *reach; /* by square: where its victims may stand */
    int from;               /* NO_SQUARE: the line's king */
    bool by_king, flies;
    unsigned directions;
    squares_t occupied;  /* by the other pieces that stand still */
    squares_t obstacles; /* places at which the line's king is in the way: all, or none where it
                            captures or there is none */

    /* The capture so far. */
    squares_t captured; /* of the pieces that stand still */
    bool takes_line_king;
    int n_men, n_kings; /* captured, the line's king too */

    /* All captures so far. */
    squares_t wins;                  /* places with a capture of all enemy pieces */
    uint64_t worths;                 /* of other captures: bit w for worth w */
    squares_t places_of[MAX_WORTHS]; /* by worth, of those in `worths` */
    squares_t looked_up[MAX_WORTHS]; /* places with a capture of that worth that was looked up */
    int n_captures;
    struct line_capture captures[MAX_CAPTURES]; /* not looked up yet */
    value_t worst[MAX_SQUARES][RUN_ROOM]; /* by place, run of the other side: the smallest value for
                                             it of what was looked up, of the highest worth */
};

/* Looks up the captures of the list where a place has none of a higher worth, and empties it. */
void look_up_captures(struct line_search *search);

#endif
