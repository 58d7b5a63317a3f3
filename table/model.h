/* The model of a compressed table (docs/format.md, dictionary mode 2): it gives the probability of
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

/* With king runs only, numbered from OUTCOME_LANES or DISTANCE_LANES. Lanes in threes are for a
 * king's number, the third for any further one, or for own, other and both runs. The last ones only
 * with distances. */
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

/* What a placement is for the one to move, as far as it is known. */
enum { OUTCOME_NONE, OUTCOME_LOSS, OUTCOME_DRAW, OUTCOME_WIN };

/* Placements before the one to be coded that differ from it in the innermost piece alone, by where
 * that piece stands. Their outcomes are digits of a context. */
enum past {
    PAST_NORTH_WEST,
    PAST_NORTH_EAST,
    PAST_TWICE_NORTH_WEST,
    PAST_TWICE_NORTH_EAST,
    PAST_NORTH, /* two rows */
    PAST_WEST,  /* two columns */
    N_PAST
};

enum { AROUND_PATTERNS = 4096 }; /* 4 to the power of N_PAST */

/* Weights of single decisions, after those of the lanes. */
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
    CONTEXT_AROUND = CONTEXT_RUN_MORE + 2 * 16 * 4 * 16,
    N_CONTEXTS = CONTEXT_AROUND + OUTCOME_LANES * AROUND_PATTERNS
};

enum { N_LEVELS = 9, MAX_BOUNDS = 8 };

/* A rule state, coded after the ones that bound its value. */
struct model_step {
    uint8_t state;
    uint8_t kind; /* 4 * count of the side to move + count of the other side */
    int8_t lane;  /* from the first run lane on, or NO_LANE */
    uint8_t low_reference, high_reference; /* rule states */
    uint8_t n_below, n_above;
    uint8_t below[MAX_BOUNDS], above[MAX_BOUNDS]; /* rule states known to be no better, no worse */
};

/* What coding one side to move needs besides the weights. */
struct model_plan {
    struct walk_plan walk;
    bool distances;
    int n_rule_states;
    int n_lanes;
    int stride;
    int first_run_lane;
    int n_steps;
    int n_first_steps; /* those with the most moves of one side against none of the other: if none
                          of them differs from the fresh state, no other does */
    struct model_step steps[MAX_RULE_STATES];
    int n_omitted; /* rule states */
    uint8_t omitted[MAX_RULE_STATES];
    uint8_t past[MAX_SQUARES][N_PAST]; /* by square of the innermost piece: how many indices back;
                                          0 if there is no such placement */

    /* Vectors of `stride` weights: those of pairs of pieces, one that always counts, and with
     * distances those of the distances beside. */
    size_t always, level, n_vectors;
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

/* Whether a side to move has weights. */
static inline bool model_has_side(const struct model *model, int side)
{
    return side < model->shape.n_sides && !model->omitted.side[side];
}
void model_free(struct model *model);

/* The size of the model section before compression, and unpacking its weights; false if there is no
 * memory. */
size_t model_section_size(const struct model *model);
bool model_unpack(struct model *model, const uint8_t *section);

/* Work memory for decoding or encoding blocks of at most `n` placements. */
struct model_room {
    uint8_t *values;   /* [place][rule state] */
    uint8_t *outcomes; /* by place: of the fresh state, OUTCOME_NONE where nothing is stored and for
                          MAX_SQUARES places before */
    int32_t (*drifts)[MAX_SQUARES]; /* by decision: draw, win, and of each rule state but the fresh
                                       one whether it is its anchor */
};
bool model_room_init(struct model_room *room, const struct model_plan *plan, uint32_t n);
void model_room_free(struct model_room *room);

/* Decodes the n placements of a block that starts at an index into room->values and outcomes, but
 * none behind the row of place `last`, which saves time if that is the wanted one. Returns how many
 * were decoded. Any bytes decode to valid values; without distances, to outcomes only. */
uint32_t model_decode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                      uint32_t last, const uint8_t *bytes, size_t n_bytes, struct model_room *room);

#endif
