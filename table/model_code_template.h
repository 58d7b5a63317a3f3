/* The sequence of decisions that codes the values of a block. It is the same for decoding, encoding
 * and training, so it is written once, as a template. The including file first defines what
 * differs: CODER, the type of the coder, and
 *
 *   bool decide_by(coder, context, lane, drift, value, *chance)
 *                     codes one decision. `value` is the value to encode or learn, ignored when
 *                     decoding; the result is the value to continue with. *chance becomes the
 *                     probability of true, in 1/65536
 *   int lane_distance(coder, lane, distance)
 *                     the distance predicted by the vectors, in 1/4; `distance` is the one to be
 *                     encoded or learnt
 *   void sum_row(coder, stride, list, n)         adds the vectors of a whole row of placements,
 *   void sum_placement(coder, stride, list, n)   those of one placement in it,
 *   void sum_more(coder, stride, list, n)        and further ones for the same placement */
#ifndef EINSPUL_TABLE_MODEL_CODE_TEMPLATE_H
#define EINSPUL_TABLE_MODEL_CODE_TEMPLATE_H

#include "table/model.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = MAX_SLOTS * (MAX_SLOTS - 1) / 2 };

struct block_coding {
    CODER *coder;
    const struct model_plan *plan;
    struct model_scratch *scratch;
    uint32_t last;    /* stop after the row of this place */
    uint32_t n_coded; /* places; a whole block or up to the end of a row */
    bool impossible;  /* a value outside its bounds was found */

    int square; /* of the innermost piece */
    /* The two placements that differ only in that piece, which is one step further north-west or
     * north-east. */
    int outcome[2];                     /* OUTCOME_NONE: not stored */
    const value_t *neighbour_values[2]; /* its values; arbitrary if it is not stored */
};

static inline int outcome_of(value_t value)
{
    return value < VALUE_DRAW ? OUTCOME_LOSS : value == VALUE_DRAW ? OUTCOME_DRAW : OUTCOME_WIN;
}

/* Half the plies to the end, for a win or a loss. */
static inline int distance_of(value_t value)
{
    return value < VALUE_DRAW ? value : VALUE_WIN_IN_1 - value;
}

static inline value_t value_from(int outcome, int distance)
{
    return (value_t)(outcome == OUTCOME_DRAW   ? VALUE_DRAW
                     : outcome == OUTCOME_LOSS ? distance
                                               : VALUE_WIN_IN_1 - distance);
}

static inline int clamp(int number, int low, int high)
{
    return number < low ? low : number > high ? high : number;
}

static inline int clamp_distance(int distance)
{
    return clamp(distance, 0, VALUE_DRAW - 1);
}

ALWAYS_INLINE bool decide(CODER *coder, int context, int lane, bool value)
{
    uint32_t chance;
    return decide_by(coder, context, lane, 0, value, &chance);
}

/* Codes a decision adaptively: its log-odds are corrected by the drift, a running sum of its past
 * errors in this block with the innermost piece on the same square. */
ALWAYS_INLINE bool decide_adaptive(const struct block_coding *coding, CODER *coder, int decision,
                                   int context, int lane, bool value)
{
    int32_t *drift = &coding->scratch->drifts[decision][coding->square];
    uint32_t chance;
    const bool result = decide_by(coder, context, lane, *drift >> 8, value, &chance);
    *drift += (((int32_t)result << 16) - (int32_t)chance) >> 5;
    return result;
}

/* Codes a number >= 0 in unary, up to 15 decisions "is it larger?"; what exceeds 15 follows as 7
 * bits. */
ALWAYS_INLINE int code_unary(CODER *coder, int context, int first_lane, int number)
{
    int n = 0;
    while (n < 15 && decide(coder, context + n, n == 0 ? first_lane : NO_LANE, number > n))
        n++;
    if (n < 15)
        return n;
    int rest = 0;
    for (int bit = 6; bit >= 0; bit--)
        rest = rest << 1 | decide(coder, NO_CONTEXT, NO_LANE, (number - 15) >> bit & 1);
    return n + rest;
}

/* Codes a distance as its difference from the prediction: whether it is non-zero, its sign, its
 * magnitude. */
ALWAYS_INLINE int code_distance(CODER *coder, const int context[3], const int lane[3],
                                int predicted, int distance)
{
    const int number = distance - predicted;
    if (!decide(coder, context[0], lane[0], number != 0))
        return predicted;
    const bool negative = decide(coder, context[1], lane[1], number < 0);
    const int size = 1 + code_unary(coder, context[2], lane[2], (negative ? -number : number) - 1);
    return clamp_distance(negative ? predicted - size : predicted + size);
}

/* Codes the distance of a fresh state. The vectors predict it; the neighbours' deviations from that
 * prediction then select further vectors for the decisions about the remainder. */
ALWAYS_INLINE int code_fresh_distance(const struct block_coding *coding, CODER *coder,
                                      const int stride, int outcome, int distance)
{
    const int lost = outcome == OUTCOME_LOSS;
    const int sum =
        clamp(lane_distance(coder, LANE_DISTANCE + lost, distance), 0, 4 * (VALUE_DRAW - 1));
    const int predicted = (sum + 2) >> 2;
    uint32_t levels[2];
    int n = 0;
    for (int d = 0; d < 2; d++) {
        if (coding->outcome[d] != outcome)
            continue;
        const int level = clamp(distance_of(coding->neighbour_values[d][0]) - predicted, -4, 4) + 4;
        levels[n++] =
            (uint32_t)coding->plan->distance_vectors + (uint32_t)(d * N_DISTANCE_VECTORS + level);
    }
    sum_more(coder, stride, levels, n);
    const int contexts[3] = {
        CONTEXT_ZERO + (lost * 4 + n) * 4 + (sum & 3),
        CONTEXT_SIGN + (lost * 4 + n) * 4 + (sum & 3),
        CONTEXT_MORE + (lost * 4 + n) * 16,
    };
    const int lanes[3] = {LANE_ZERO + lost, LANE_SIGN + lost, LANE_MORE + lost};
    return code_distance(coder, contexts, lanes, predicted, distance);
}

/* `context`: the outcomes of the neighbours, as a number. */
ALWAYS_INLINE value_t code_fresh(const struct block_coding *coding, CODER *coder, const int stride,
                                 const bool distances, int context, value_t value)
{
    int outcome = OUTCOME_DRAW;
    if (!decide_adaptive(coding, coder, LANE_DRAW, CONTEXT_NEIGHBOURS + context, LANE_DRAW,
                         value == VALUE_DRAW))
        outcome = decide_adaptive(coding, coder, LANE_WIN,
                                  CONTEXT_NEIGHBOURS + N_NEIGHBOUR_CONTEXTS + context, LANE_WIN,
                                  value > VALUE_DRAW)
                      ? OUTCOME_WIN
                      : OUTCOME_LOSS;
    return value_from(
        outcome, outcome == OUTCOME_DRAW || !distances
                     ? 0
                     : code_fresh_distance(coding, coder, stride, outcome, distance_of(value)));
}

/* A value between two others: it is coded from one of them, the anchor, towards the other one. */
struct bounds {
    const struct model_step *step;
    value_t anchor, limit;
    bool limited; /* the limit is another state's value */
    bool up;      /* the limit is the higher one */
    int reference,
        /* the rule states whose values in the neighbours correspond to anchor and limit */
        limit_reference;
    int neighbour_outcome[2];
};

/* Chooses the anchor of a value between `low` and `high`. */
ALWAYS_INLINE struct bounds bounds_between(const struct block_coding *coding,
                                           const struct model_step *step, const value_t *values,
                                           value_t low, value_t high)
{
    const bool own = step->kind >= 4;
    const bool other = (step->kind & 3) != 0;
    const bool up = own && other ? values[step->low_reference] != values[0] &&
                                       values[step->high_reference] == values[0]
                                 : other;
    struct bounds bounds = {
        .step = step,
        .anchor = up ? low : high,
        .limit = up ? high : low,
        .limited = (up ? step->n_above : step->n_below) > 0,
        .up = up,
        .reference = up ? step->low_reference : step->high_reference,
        .limit_reference = up ? step->high_reference : step->low_reference,
    };
    for (int d = 0; d < 2; d++)
        bounds.neighbour_outcome[d] = coding->outcome[d] == OUTCOME_NONE
                                          ? (int)OUTCOME_NONE
                                          : outcome_of(coding->neighbour_values[d][step->state]);
    return bounds;
}

/* The distance of a rule state that is a win or a loss. If the anchor, or else the limit, has the
 * same outcome, the distance lies beyond that bound's: by the difference found in the neighbours,
 * but at least 1. Otherwise the neighbours' distance is the prediction, or without such neighbours
 * that of the vectors. */
ALWAYS_INLINE int code_run_distance(const struct block_coding *coding, CODER *coder,
                                    const struct bounds *bounds, int outcome, int distance)
{
    const struct model_step *step = bounds->step;
    const int type = step->kind < 4 ? 1 : (step->kind & 3) == 0 ? 0 : 2;
    const int lost = outcome == OUTCOME_LOSS;
    const int first_lane = coding->plan->first_run_lane;
    const bool from_anchor = outcome == outcome_of(bounds->anchor);
    const bool based = from_anchor || (bounds->limited && outcome == outcome_of(bounds->limit));
    const int base = distance_of(from_anchor ? bounds->anchor : bounds->limit);
    const int reference = from_anchor ? bounds->reference : bounds->limit_reference;
    const int direction = (bounds->up == lost) == from_anchor ? 1 : -1;
    int n = 0, total = 0;

    for (int d = 0; d < 2; d++) {
        if (bounds->neighbour_outcome[d] != outcome)
            continue;
        const value_t neighbour_base = coding->neighbour_values[d][reference];
        if (based && outcome_of(neighbour_base) != outcome)
            continue;
        total += distance_of(coding->neighbour_values[d][step->state]) -
                 (based ? distance_of(neighbour_base) : 0);
        n++;
    }
    int predicted = n > 0 ? total / n : 0;
    int how = n > 0;
    if (based) {
        const int further = predicted * direction > 1 ? predicted * direction : 1;
        predicted = base + direction * further;
        how = further > 1 ? 3 : 2;
    } else if (n == 0) {
        predicted =
            (lane_distance(coder, first_lane + LANE_RUN_DISTANCE + lost, distance) + 2) >> 2;
    }
    const int contexts[3] = {
        CONTEXT_RUN_ZERO + (lost * 16 + step->kind) * 4 + how,
        CONTEXT_RUN_SIGN + (lost * 16 + step->kind) * 4 + how,
        CONTEXT_RUN_MORE + ((lost * 16 + step->kind) * 4 + how) * 16,
    };
    const int lanes[3] = {first_lane + LANE_RUN_ZERO + type, NO_LANE,
                          first_lane + LANE_RUN_MORE + type};
    return code_distance(coder, contexts, lanes, clamp_distance(predicted), distance);
}

/* Codes a rule state's value if its bounds differ. */
ALWAYS_INLINE value_t code_run_value(const struct block_coding *coding, CODER *coder,
                                     const bool distances, const struct bounds *bounds,
                                     value_t value)
{
    const struct model_step *step = bounds->step;
    const int first_lane = coding->plan->first_run_lane;
    const int up = bounds->up ? 1 : -1;
    int equal_to_reference[2] = {
        0, 0}; /* per neighbour: 0 not stored, 1 equal to its reference, 2 different */
    for (int d = 0; d < 2; d++)
        if (coding->outcome[d] != OUTCOME_NONE)
            equal_to_reference[d] = coding->neighbour_values[d][step->state] ==
                                            coding->neighbour_values[d][bounds->reference]
                                        ? 1
                                        : 2;
    const int equal =
        ((step->kind * 4 + outcome_of(bounds->anchor)) * 4 + equal_to_reference[0]) * 4 +
        equal_to_reference[1];
    if (!decide_adaptive(coding, coder, 1 + step->state, CONTEXT_EQUAL + equal,
                         step->lane == NO_LANE ? NO_LANE : first_lane + step->lane,
                         value != bounds->anchor))
        return bounds->anchor;

    const int beside = bounds->neighbour_outcome[0] != OUTCOME_NONE ? bounds->neighbour_outcome[0]
                                                                    : bounds->neighbour_outcome[1];
    const value_t next = (value_t)(bounds->anchor + up * (distances ? 1 : VALUE_DRAW));
    if (next == bounds->limit)
        return next;
    if (distances && bounds->limited &&
        !decide(coder, CONTEXT_FAR + (step->kind * 4 + outcome_of(bounds->limit)) * 4 + beside,
                NO_LANE, value != bounds->limit))
        return bounds->limit;
    const value_t last =
        (value_t)(distances && bounds->limited ? bounds->limit - up : bounds->limit);
    int outcome = outcome_of(next);
    while (outcome != outcome_of(last) &&
           decide(coder, CONTEXT_OUTCOME + (step->kind * 4 + beside) * 4 + outcome,
                  first_lane + LANE_FAR, outcome_of(value) != outcome))
        outcome += up;
    return value_from(outcome,
                      outcome == OUTCOME_DRAW || !distances
                          ? 0
                          : code_run_distance(coding, coder, bounds, outcome, distance_of(value)));
}

/* Codes all values of a stored placement. */
ALWAYS_INLINE void code_placement(struct block_coding *coding, CODER *coder, const int stride,
                                  const bool distances, const bool runs, int context,
                                  value_t *values)
{
    const struct model_plan *plan = coding->plan;
    const value_t fresh = code_fresh(coding, coder, stride, distances, context, values[0]);
    bool all_fresh = true;

    values[0] = fresh;
    for (int i = 0; runs && i < plan->n_steps; i++) {
        const struct model_step *step = &plan->steps[i];
        value_t low = VALUE_LOST;
        value_t high = VALUE_WIN_IN_1;
        if (i == plan->n_first_steps && all_fresh) {
            memset(values, fresh, (size_t)plan->n_rule_states);
            break;
        }
        for (int j = 0; j < step->n_below; j++)
            low = values[step->below[j]] > low ? values[step->below[j]] : low;
        for (int j = 0; j < step->n_above; j++)
            high = values[step->above[j]] < high ? values[step->above[j]] : high;
        value_t value = values[step->state];
        if (value < low || value > high)
            coding->impossible = true;
        if (low < high) {
            const struct bounds bounds = bounds_between(coding, step, values, low, high);
            value = code_run_value(coding, coder, distances, &bounds, value);
        } else {
            value = high;
        }
        values[step->state] = value;
        all_fresh = all_fresh && value == fresh;
    }
    for (int i = 0; runs && i < plan->n_omitted; i++)
        values[plan->omitted[i]] = VALUE_NONE;
}

static inline uint32_t pair_vector(int i, int square_i, int j, int square_j)
{
    return (uint32_t)(((j * (j - 1) / 2 + i) * MAX_SQUARES + square_i) * MAX_SQUARES + square_j);
}

/* Codes the stored placements of a block: n indices from `first` on. */
ALWAYS_INLINE void code_values(struct block_coding *coding, const int stride, const bool distances,
                               const bool runs, uint64_t first, uint32_t n)
{
    const struct model_plan *plan = coding->plan;
    const size_t n_rule_states = runs ? (size_t)plan->n_rule_states : 1;
    const int last = plan->walk.n_slots - 1;
    uint8_t *outcomes = coding->scratch->outcomes;
    value_t *values = coding->scratch->values;
    CODER own = *coding->coder; /* a local copy, so that the compiler keeps it in registers */
    CODER *const coder = &own;
    struct walk walk;

    memset(outcomes, 0, n);
    memset(coding->scratch->drifts, 0, (n_rule_states + 1) * sizeof *coding->scratch->drifts);
    walk_begin(&walk, &plan->walk, first, n);
    while (walk_row(&walk) && walk.place <= coding->last) {
        uint32_t vectors[MAX_PAIRS + 1];
        uint32_t pair[MAX_SLOTS]; /* of a fixed piece with the innermost one on square 0 */
        int n_pairs = 0;
        if (walk.quiet == 0)
            continue;
        for (int j = 0; j < last; j++) {
            for (int i = 0; i < j; i++)
                vectors[n_pairs++] = pair_vector(i, walk.square[i], j, walk.square[j]);
            pair[j] = pair_vector(j, walk.square[j], last, 0);
        }
        vectors[n_pairs++] = (uint32_t)plan->bias_vector;
        sum_row(coder, stride, vectors, n_pairs);
        for (squares_t left = walk.quiet; left != 0; left &= left - 1) {
            const int square = bits_first(left);
            const uint32_t place = walk.place + (uint32_t)(square - walk.first);
            const uint8_t *back = plan->neighbour[square];
            int context = 0;
            coding->square = square;
            for (int i = 0; i < N_NEIGHBOURS; i++)
                context = context * 4 + outcomes[(ptrdiff_t)place - back[i]];
            for (int d = 0; d < 2; d++) {
                coding->outcome[d] = outcomes[(ptrdiff_t)place - back[d]];
                coding->neighbour_values[d] =
                    values +
                    (coding->outcome[d] == OUTCOME_NONE ? 0 : place - back[d]) * n_rule_states;
            }
            for (int i = 0; i < last; i++)
                vectors[i] = pair[i] + (uint32_t)square;
            sum_placement(coder, stride, vectors, last);
            code_placement(coding, coder, stride, distances, runs, context,
                           values + place * n_rule_states);
            outcomes[place] = (uint8_t)outcome_of(values[place * n_rule_states]);
        }
    }
    coding->n_coded = walk.place;
    *coding->coder = own;
}

/* Calls code_values, which the compiler specialises for each kind of table. */
static inline void code_block(struct block_coding *coding, uint64_t first, uint32_t n)
{
    const bool runs = coding->plan->n_rule_states > 1;
    if (!coding->plan->distances && !runs)
        code_values(coding, STRIDE_OUTCOMES, false, false, first, n);
    else if (!coding->plan->distances)
        code_values(coding, STRIDE_RUN_OUTCOMES, false, true, first, n);
    else if (!runs)
        code_values(coding, STRIDE_DISTANCES, true, false, first, n);
    else
        code_values(coding, STRIDE_RUN_DISTANCES, true, true, first, n);
}

#endif
