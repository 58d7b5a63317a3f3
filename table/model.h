/* The model of a compressed table (docs/format.md, dictionary mode 3): it gives the probability of
 * each outcome and distance, from the squares of the pieces and from the neighbouring placements in
 * the block. It uses integers only, so that every machine decodes the same values. */
#ifndef EINSPUL_TABLE_MODEL_H
#define EINSPUL_TABLE_MODEL_H

#include "core/value.h"
#include "table/metric.h"
#include "table/walk.h"

/* Sums over the weights of a placement: log odds of a decision in units of 1/8, or a distance in
 * units of 1/4 of two plies. Lanes in pairs are for wins and losses. */
enum {
    LANE_DRAW,
    LANE_WIN,
    OUTCOME_LANES,
    LANE_DISTANCE = OUTCOME_LANES,
    LANE_ZERO = LANE_DISTANCE + 2,
    LANE_SIGN = LANE_ZERO + 2,
    LANE_MORE = LANE_SIGN + 2,
    DISTANCE_LANES = LANE_MORE + 2
};

/* With king runs only, numbered from OUTCOME_LANES or DISTANCE_LANES. The last ones only with
 * distances. */
enum {
    LANE_OWN_3,
    LANE_OTHER_3 = LANE_OWN_3 + 3,
    LANE_OWN_2 = LANE_OTHER_3 + 3,
    LANE_OTHER_2,
    LANE_BOTH_33,
    LANE_BOTH_32,
    LANE_BOTH_23,
    LANE_FAR,
    RUN_OUTCOME_LANES,
    LANE_RUN_ZERO = RUN_OUTCOME_LANES,
    LANE_RUN_SIGN,
    LANE_RUN_FIRST,
    LANE_RUN_SECOND = LANE_RUN_FIRST + 3,
    LANE_RUN_DISTANCE = LANE_RUN_SECOND + 3,
    RUN_DISTANCE_LANES = LANE_RUN_DISTANCE + 2
};

enum { NO_LANE = -1, NO_CONTEXT = -1, MAX_LANES = DISTANCE_LANES + RUN_DISTANCE_LANES };

/* The length of a vector in memory: its lanes, padded with zeros for vector instructions. */
enum {
    STRIDE_OUTCOMES = OUTCOME_LANES,
    STRIDE_RUN_OUTCOMES = 16,
    STRIDE_DISTANCES = 16,
    STRIDE_RUN_DISTANCES = MAX_LANES
};

/* Placements before the one to be coded that differ from it in the innermost piece alone, by where
 * that piece stands. Their outcomes are part of a context. */
enum past {
    PAST_NORTH_WEST,
    PAST_NORTH_EAST,
    PAST_NORTH, /* two rows */
    PAST_WEST,  /* two columns */
    PAST_TWICE_NORTH_WEST,
    PAST_TWICE_NORTH_EAST,
    N_PAST
};

/* Outcomes of the six placements of such a context, or none: 4 to the power of 6. */
enum { OUTCOME_PATTERNS = 4096 };

/* Weights of single decisions, after those of the lanes. */
enum {
    CONTEXT_EQUAL = 0,
    CONTEXT_CLASS = CONTEXT_EQUAL + 16 * 3 * 3 * 3,
    CONTEXT_FAR = CONTEXT_CLASS + 16 * 4 * 4,
    CONTEXT_ZERO = CONTEXT_FAR + 16 * 3 * 3,
    CONTEXT_SIGN = CONTEXT_ZERO + 2 * 4 * 4 * 4,
    CONTEXT_MORE = CONTEXT_SIGN + 2 * 4 * 4,
    CONTEXT_RUN_ZERO = CONTEXT_MORE + 2 * 4 * 16,
    CONTEXT_RUN_SIGN = CONTEXT_RUN_ZERO + 2 * 16 * 2 * 3,
    CONTEXT_RUN_MORE = CONTEXT_RUN_SIGN + 2 * 16 * 2,
    CONTEXT_UNARY = CONTEXT_RUN_MORE + 2 * 3 * 2 * 16,
    CONTEXT_AROUND = CONTEXT_UNARY + 2 * 16 * 7 * 16,
    CONTEXT_BEYOND = CONTEXT_AROUND + OUTCOME_LANES * OUTCOME_PATTERNS,
    N_CONTEXTS = CONTEXT_BEYOND + OUTCOME_LANES * OUTCOME_PATTERNS
};

/* What decisions of a block have shown so far: errors added up of a row, by square of the innermost
 * piece, and by the values beside. The decisions are draw, win, and of each run state whether it is
 * its anchor. */
enum {
    DRIFT_ROW,
    DRIFT_SQUARE,
    DRIFT_BESIDE = DRIFT_SQUARE + MAX_SQUARES,
    N_DRIFTS = DRIFT_BESIDE + 27
};

/* What the odds of a decision are the sum of. */
struct terms {
    int context[2]; /* or NO_CONTEXT */
    int lane;       /* or NO_LANE */
    int drift;      /* in units of 1/8 */
};

enum { N_SIGNATURES = 16, N_LEVELS = 9, MAX_BOUNDS = 8 };

/* A run state, coded after the ones that bound its value. */
struct model_step {
    uint8_t state;
    uint8_t kind; /* 4 * count of the side to move + count of the other side */
    int8_t lane;  /* from the first run lane on, or -1 */
    uint8_t low_reference, high_reference; /* run states */
    bool between_references;               /* both are coded before, and bound it */
    uint8_t n_below, n_above;
    uint8_t below[MAX_BOUNDS], above[MAX_BOUNDS]; /* run states known to be no better, no worse */
};

/* What coding one side to move needs besides the weights. */
struct model_plan {
    struct walk_plan walk;
    bool distances;
    int n_run_states;
    int n_lanes;
    int stride;
    int first_run_lane;
    int n_steps;
    int n_first_steps; /* those with the most moves of one side against none of the other: if none
                          of them differs from the fresh state, no other does */
    struct model_step steps[MAX_RUN_STATES];
    int n_left_out; /* run states */
    uint8_t left_out[MAX_RUN_STATES];
    uint8_t past[MAX_SQUARES][N_PAST]; /* by square of the innermost piece: how many indices back;
                                          0 if there is no such placement */

    /* Vectors of `stride` weights: first those of pairs of pieces, then of the two neighbours of
     * the innermost piece, of each neighbour's signature, of each neighbour's distance. */
    size_t joint, near, level, n_vectors;
    size_t n_weights; /* n_vectors * stride + N_CONTEXTS */
};

/* A table's model. Immutable once set up, so any number of threads may decode with it. */
struct model {
    struct rules rules;
    struct shape shape;
    struct left_out left_out;
    struct model_plan plans[2]; /* by side to move; the first shape.n_sides of them */
    int8_t *weights[2];         /* vectors, then contexts */
};

/* A model without weights yet (NULL). */
void model_init(struct model *model, const struct rules *rules, const struct shape *shape,
                bool distances, const struct left_out *left_out);

/* Whether a side to move has weights. */
static inline bool model_has_side(const struct model *model, int side)
{
    return side < model->shape.n_sides && !model->left_out.side[side];
}
void model_free(struct model *model);

/* The size of the model section before compression, and unpacking its weights; false if there is no
 * memory. */
size_t model_section_size(const struct model *model);
bool model_unpack(struct model *model, const uint8_t *section);

/* Work memory for decoding or encoding blocks of at most `n` placements. */
struct model_room {
    uint8_t *values;    /* [place][run state] */
    uint8_t *signature; /* by place: 0 where nothing is stored; zeros for n + MAX_SQUARES places
                           before */
    int8_t *error;
    int32_t (*drifts)[N_DRIFTS]; /* by decision, of which there are n_run_states + 1 */
};
bool model_room_init(struct model_room *room, const struct model_plan *plan, uint32_t n);
void model_room_free(struct model_room *room);

/* Decodes the n placements of a block that starts at an index into room->values and signature, but
 * none behind the row of place `last`, which saves time if that is the wanted one. Returns how many
 * were decoded. Any bytes decode to valid values; without distances, to outcomes only. */
uint32_t model_decode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                      uint32_t last, const uint8_t *bytes, size_t n_bytes, struct model_room *room);

#endif
