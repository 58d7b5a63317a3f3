/* The model of a compressed table (docs/format.md, dictionary mode 2). It is a context-mixing
 * model: each pair of pieces on their squares has a vector of weights, whose sums are the log-odds
 * of a placement's outcome and its predicted distance; neighbouring placements of the block add
 * further vectors and weights, and the errors made so far in the block a drift. A range coder codes
 * each decision with the resulting probability. It uses integers only, so that every machine
 * decodes the same values. */
#ifndef EINSPUL_TABLE_MODEL_H
#define EINSPUL_TABLE_MODEL_H

#include "core/value.h"
#include "table/metric.h"
#include "table/walk.h"

/* Lanes: the components of a vector of weights, summed over a placement's vectors. A sum is the
 * log-odds of a decision in units of 1/8, or a distance in quarters of two plies. Lanes in pairs
 * are for wins and for losses. */
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

/* Lanes of rule states, numbered from OUTCOME_LANES or DISTANCE_LANES. LANE_OWN_3 and LANE_OTHER_3
 * have three each: for a run of the first, second and any further king. LANE_RUN_ZERO and
 * LANE_RUN_MORE have three: for an own run, an other run, and both. Those from LANE_RUN_ZERO on
 * exist with distances only. */
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
    LANE_RUN_MORE = LANE_RUN_ZERO + 3,
    LANE_RUN_DISTANCE = LANE_RUN_MORE + 3,
    RUN_DISTANCE_LANES = LANE_RUN_DISTANCE + 2
};

enum { NO_LANE = -1, NO_CONTEXT = -1 };

/* The length of a vector in memory: its lanes, padded with zeros for vector instructions. */
enum {
    STRIDE_OUTCOMES = OUTCOME_LANES,
    STRIDE_RUN_OUTCOMES = 16,
    STRIDE_DISTANCES = 16,
    STRIDE_RUN_DISTANCES = 32,
    MAX_STRIDE = STRIDE_RUN_DISTANCES
};

/* The outcome for the side to move; OUTCOME_NONE if it is not stored, or not coded yet. */
enum { OUTCOME_NONE, OUTCOME_LOSS, OUTCOME_DRAW, OUTCOME_WIN };

/* The neighbours of a placement: earlier ones that differ only in the innermost piece, named by
 * where it stands. Their outcomes are the digits of a context. */
enum neighbour {
    NEIGHBOUR_NORTH_WEST,
    NEIGHBOUR_NORTH_EAST,
    NEIGHBOUR_TWICE_NORTH_WEST,
    NEIGHBOUR_TWICE_NORTH_EAST,
    NEIGHBOUR_NORTH, /* two rows */
    NEIGHBOUR_WEST,  /* two columns */
    N_NEIGHBOURS
};

enum { N_NEIGHBOUR_CONTEXTS = 4096 }; /* 4 to the power of N_NEIGHBOURS */

/* Contexts: single weights, stored after the vectors. */
enum {
    CONTEXT_EQUAL = 0,
    CONTEXT_OUTCOME = CONTEXT_EQUAL + 16 * 4 * 4 * 4,
    CONTEXT_FAR = CONTEXT_OUTCOME + 16 * 4 * 4,
    CONTEXT_ZERO = CONTEXT_FAR + 16 * 4 * 4,
    CONTEXT_SIGN = CONTEXT_ZERO + 2 * 4 * 4,
    CONTEXT_MORE = CONTEXT_SIGN + 2 * 4 * 4,
    CONTEXT_RUN_ZERO = CONTEXT_MORE + 2 * 4 * 16,
    CONTEXT_RUN_SIGN = CONTEXT_RUN_ZERO + 2 * 16 * 4,
    CONTEXT_RUN_MORE = CONTEXT_RUN_SIGN + 2 * 16 * 4,
    CONTEXT_NEIGHBOURS = CONTEXT_RUN_MORE + 2 * 16 * 4 * 16,
    N_CONTEXTS = CONTEXT_NEIGHBOURS + OUTCOME_LANES * N_NEIGHBOUR_CONTEXTS
};

enum { N_DISTANCE_VECTORS = 9, MAX_BOUNDS = 8 };

/* A rule state, coded after the ones that bound its value. */
struct model_step {
    uint8_t state;
    uint8_t kind; /* 4 * count of the side to move + count of the other side */
    int8_t lane;  /* from the first run lane on, or NO_LANE */
    uint8_t low_reference, high_reference; /* rule states */
    uint8_t n_below, n_above;
    uint8_t below[MAX_BOUNDS], above[MAX_BOUNDS]; /* rule states known to be no better, no worse */
};

/* What coding one side to move needs in addition to the weights. */
struct model_plan {
    struct walk_plan walk;
    bool distances;
    int n_rule_states;
    int n_lanes;
    int stride;
    int first_run_lane;
    int n_steps;
    /* the leading steps, in which one side has the longest run and the other none: if their
     * values all equal the fresh state's, so do all others */
    int n_first_steps;
    struct model_step steps[MAX_RULE_STATES];
    int n_omitted; /* rule states */
    uint8_t omitted[MAX_RULE_STATES];
    uint8_t neighbour[MAX_SQUARES]
                     [N_NEIGHBOURS]; /* by square of the innermost piece: how many indices back;
                                          0 if there is no such placement */

    /* Numbers of vectors of `stride` weights: pairs of pieces come first; `bias_vector` always
     * counts; from `distance_vectors` on, with distances, those of the neighbours' distances. */
    size_t bias_vector, distance_vectors, n_vectors;
    size_t n_weights; /* n_vectors * stride + N_CONTEXTS */
};

/* A table's model. Immutable once set up, so any number of threads may decode with it. */
struct model {
    struct rules rules;
    struct shape shape;
    struct omitted omitted;
    struct model_plan plans[2]; /* by side to move; the first shape.n_sides of them */
    int8_t *weights[2];         /* vectors, then contexts */
};

/* A model without weights yet (NULL). */
void model_init(struct model *model, const struct rules *rules, const struct shape *shape,
                bool distances, const struct omitted *omitted);

/* True if a side to move has weights. */
static inline bool model_has_side(const struct model *model, int side)
{
    return side < model->shape.n_sides && !model->omitted.side[side];
}
void model_free(struct model *model);

/* The uncompressed size of the model section, and unpacking the weights from it: false if out of
 * memory. */
size_t model_section_size(const struct model *model);
bool model_unpack(struct model *model, const uint8_t *section);

/* Scratch memory for decoding or encoding blocks of at most `n` placements. */
struct model_scratch {
    uint8_t *values; /* [place][rule state] */
    /* by place: of the fresh state; OUTCOME_NONE if nothing is stored, and for MAX_SQUARES
     * places before the first */
    uint8_t *outcomes;
    int32_t (*drifts)[MAX_SQUARES]; /* by decision: draw, win, and of each rule state but the fresh
                                       one whether it is its anchor */
};
bool model_scratch_init(struct model_scratch *scratch, const struct model_plan *plan, uint32_t n);
void model_scratch_free(struct model_scratch *scratch);

/* Decodes a block of `n` placements from index `first` into scratch->values and scratch->outcomes.
 * Stops after the row that contains place `last`, which saves time if only that one is wanted.
 * Returns how many were decoded. Any bytes decode to valid values; without distances, to outcomes
 * only. */
uint32_t model_decode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                      uint32_t last, const uint8_t *bytes, size_t n_bytes,
                      struct model_scratch *scratch);

#endif
