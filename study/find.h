/* Searches all positions of one or more materials for those that satisfy a query.
 *
 * The search covers fresh states (no king run, clock 0) of every possible placement, including
 * those with a capture, with both sides to move unless one is given. */
#ifndef EINSPUL_STUDY_FIND_H
#define EINSPUL_STUDY_FIND_H

#include "core/material.h"
#include "core/moves.h"
#include "probe/position.h"

/* Outcomes as a set. */
enum { FIND_WIN = 1, FIND_DRAW = 2, FIND_LOSS = 4, FIND_ANY_OUTCOME = 7 };

static inline unsigned find_outcome_bit(einspul_outcome outcome)
{
    return 1u << (1 - (int)outcome);
}

/* Zugzwang: compares the outcome with the outcome after passing, i.e. of the same fresh placement
 * with the other side to move, for the side that passed. */
enum find_zugzwang {
    ZUGZWANG_ANY_STATE, /* no condition */
    ZUGZWANG_FULL,      /* mutual: whichever side is to move loses */
    ZUGZWANG_HALF,      /* not mutual: passing turns a loss into a draw, or a draw into a win */
    ZUGZWANG_EITHER     /* passing would be better */
};

enum find_depends { DEPENDS_NOT_ASKED, DEPENDS_ON_RUN, DEPENDS_ON_CLOCK };

/* Closed range `min`..`max`; no condition unless `given`. */
struct find_range {
    bool given;
    int min, max;
};

/* All conditions must hold. Zero means no condition unless stated otherwise. */
struct find_query {
    unsigned outcomes;       /* FIND_…, not 0 */
    struct find_range plies; /* distance in plies; excludes draws */
    struct find_range moves; /* number of legal moves */
    unsigned sides;          /* to move: bit WHITE, bit BLACK; not 0 */
    bool quiet;              /* neither side could capture if it were to move */
    bool only_move;          /* exactly one legal move keeps the outcome, a win or a draw */
    bool study; /* a win in which every move of the winner but the last is the only winning move */
    enum find_zugzwang zugzwang;
    enum find_depends depends;  /* the outcome differs for some king run, or some clock */
    squares_t men[2], kings[2]; /* by side: required pieces; further pieces are allowed */
    squares_t empty;            /* squares without a piece */
    einspul *other;             /* tables of a rule set with another outcome; NULL: no condition */
    unsigned other_outcomes;    /* FIND_…, of the other rule set; not 0 */

    bool distances; /* read distances if the tables have them; false: outcomes only */
    bool shortest_first;
    uint64_t max_results;    /* number of positions to return, the first in order; 0: only count */
    uint64_t n_sample;       /* number of positions to return, chosen at random; 0: no sample */
    uint64_t max_placements; /* examine at most this many placements, chosen at random; 0: all */
    uint64_t seed;           /* seed of sample and tries */
    int n_threads;
};

struct find_material {
    struct material material; /* canonical */
    bool flipped;             /* the query names the weaker side first, i.e. as White */
};

struct found_position {
    struct state state;
    int plies; /* -1: a draw, or no distances */
    einspul_outcome outcome;
    einspul_outcome other; /* under the other rule set, if there is one */
};

struct find_result {
    uint64_t n_examined; /* placements examined, counted once per side to move */
    uint64_t n_found;
    uint64_t n_kept;
    struct found_position
        *kept; /* by distance, draws last; then by material, side to move and placement */
};

/* Reports progress; called from one thread at a time, a few times a second. Returning false ends
 * the search. */
struct find_progress {
    uint64_t n_done, n_all; /* placement indices visited, and in all */
    uint64_t n_found;
};
typedef bool find_progress_callback(const struct find_progress *progress, void *context);

/* Answers a query. The tables of the materials and of all they lead to must exist, in both rule
 * sets: NO_TABLE names rule set and material. NO_METRIC if a condition on distance, or `study`,
 * needs tables with distances. BAD_RULES if the other rule set has another board. STOPPED if
 * `callback`, which may be NULL, ended the search. File errors, NO_MEMORY. The answer does not depend
 * on the number of threads. Free `kept` with free(). */
einspul_status find_positions(einspul *handle, const struct find_query *query,
                              const struct find_material *materials, int n_materials,
                              find_progress_callback *callback, void *context,
                              struct find_result *result, einspul_error *error);

#endif
