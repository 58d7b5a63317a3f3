/* The captures of a line: shared by the search for them (seed_captures.c) and the look-up of their
 * values (capture_values.c). */
#ifndef EINSPUL_GEN_SEEDS_CAPTURE_VALUES_H
#define EINSPUL_GEN_SEEDS_CAPTURE_VALUES_H

#include "core/program/index.h"
#include "gen/seeds/seeder.h"

/* If a line has more than MAX_CAPTURES captures, those found so far are looked up first. Values are
 * processed RUN_LANES runs at a time. */
enum { MAX_CAPTURES = 64, RUN_LANES = 8, RUN_CAPACITY = (MAX_RUNS / RUN_LANES + 1) * RUN_LANES };

/* Complete captures by one piece of the same pieces. */
struct line_capture {
    squares_t places;       /* squares of the line's king for which they are possible */
    squares_t captured;     /* captured stationary pieces */
    squares_t ends;         /* end squares of the capturing piece; one unless it is a king */
    int from;               /* NO_SQUARE: the line's king captures */
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
    squares_t enemy, enemy_kings; /* stationary enemies */
    bool has_king;                /* the line has a king */
    bool enemy_line_king;         /* the line's king is an enemy, so it can be captured */

    /* The piece that captures. */
    const squares_t (*jump)[MAX_SQUARES];
    const squares_t *reach; /* by square: possible squares of its victims */
    int from;               /* NO_SQUARE: the line's king */
    bool by_king, flying;
    unsigned directions;
    squares_t occupied; /* by the other stationary pieces */
    /* places at which the line's king is in the way: all; none if it captures, or does not exist */
    squares_t obstacles;

    /* The capture so far. */
    squares_t captured; /* of the stationary pieces */
    bool takes_line_king;
    int n_men, n_kings; /* captured, the line's king too */

    /* All captures so far. */
    squares_t wins;                  /* places with a capture of all enemy pieces */
    uint64_t worths;                 /* of other captures: bit w for worth w */
    squares_t places_of[MAX_WORTHS]; /* by worth, of those in `worths` */
    squares_t looked_up[MAX_WORTHS]; /* places with a capture of that worth that was looked up */
    int n_captures;
    struct line_capture captures[MAX_CAPTURES]; /* not looked up yet */
    value_t min_values[MAX_SQUARES]
                      [RUN_CAPACITY]; /* by place and run of the other side: its smallest value
                                             after any of the captures of the highest worth looked
                                             up so far */
};

/* Looks up the listed captures, at each place only those of the highest worth, and empties the
 * list. */
void look_up_captures(struct line_search *search);

#endif
