/* The sequence of decisions that codes the values of a block. It is the same for decoding, encoding
 * and training, so it is written once, as a template. The including file first defines what
 * differs: CODER, the type of what codes, and
 *
 *   bool decide_by(coder, terms, value, *chance) a decision; `value` is the one to be encoded or
 *                                                learnt, the result the one to continue with;
 *                                                *chance is that of true, in 1/65536
 *   int lane_distance(coder, lane)               the distance predicted by the vectors, in 1/4
 *   void learn_distance(coder, lane, distance)   the true distance
 *   void sum_row(coder, stride, list, n)         adds the vectors of a whole row of placements,
 *   void sum_placement(coder, stride, list, n)   those of one placement in it,
 *   void sum_more(coder, stride, list, n)        and further ones for the same placement */
#ifndef EINSPUL_TABLE_MODEL_CODE_TEMPLATE_H
#define EINSPUL_TABLE_MODEL_CODE_TEMPLATE_H

#include "table/model.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NEAR = 2 * MAX_SLOTS, MAX_PAIRS = MAX_SLOTS * (MAX_SLOTS - 1) / 2 };

/* A stored placement that neighbours another one: one piece is a step further north. */
struct near_place {
    uint32_t place;
    int id; /* 2 * slot + 0 north-west, 1 north-east */
};

/* A neighbour of a whole row, obtained by moving a piece other than the innermost. */
struct row_near {
    uint32_t offset; /* distance to its place, which is lower */
    int id;
    uint32_t vector; /* of signature 0 */
    int above;       /* the innermost piece must stand on a lower square than this */
};

struct coding {
    CODER *coder;
    const struct model_plan *plan;
    struct model_room *room;
    uint32_t last;                    /* ends with the row of this place, if not before */
    uint32_t n_coded;                 /* places; a whole block or up to the end of a row */
    bool impossible;                  /* a value that its bounds exclude was met */
    struct near_place near[MAX_NEAR]; /* with distances only */
    int n_near;
    int square;               /* of the innermost piece */
    struct row_near fixed[2]; /* of the row, by moving the piece of the slot before the innermost
                                 one north-west and north-east; offset 0: there is none */
    int around, beyond;       /* outcomes of placements around, as digits to base 4 */
    unsigned inner[2]; /* signatures of those by moving the innermost piece; 0: there is none */
    const value_t *beside[2]; /* values there; any where there is none */
};

/* --- numbers ---------------------------------------------------------------------------------- */

enum { CLASS_LOSS, CLASS_DRAW, CLASS_WIN, NO_CLASS };

static inline int class_of(value_t value)
{
    return value < VALUE_DRAW ? CLASS_LOSS : value == VALUE_DRAW ? CLASS_DRAW : CLASS_WIN;
}

/* Half the plies to the end, for a win or a loss. */
static inline int distance_of(value_t value)
{
    return value < VALUE_DRAW ? value : VALUE_WIN_IN_1 - value;
}

static inline value_t value_from(int class, int distance)
{
    return (value_t)(class == CLASS_DRAW   ? VALUE_DRAW
                     : class == CLASS_LOSS ? distance
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

/* --- decisions -------------------------------------------------------------------------------- */

ALWAYS_INLINE bool decide(CODER *coder, int context, int lane, bool value)
{
    const struct terms terms = {.context = {context, NO_CONTEXT}, .lane = lane};
    uint32_t chance;
    return decide_by(coder, &terms, value, &chance);
}

/* A decision whose errors so far in the block count, and which adds its own. */
ALWAYS_INLINE bool decide_drifting(struct coding *coding, CODER *coder, struct terms terms,
                                   int decision, int beside, bool value)
{
    int32_t *drifts = coding->room->drifts[decision];
    int32_t *of_square = &drifts[DRIFT_SQUARE + coding->square];
    int32_t *of_values = &drifts[DRIFT_BESIDE + beside];
    uint32_t chance;

    terms.drift = (drifts[DRIFT_ROW] + *of_square + *of_values) >> 8;
    const bool way = decide_by(coder, &terms, value, &chance);
    const int32_t error = ((int32_t)way << 16) - (int32_t)chance;
    drifts[DRIFT_ROW] += error >> 7;
    *of_square += error >> 6;
    *of_values += error >> 7;
    return way;
}

/* 0 or more: up to 15 decisions whether it is larger; from 15 on the rest in 7 bits. */
ALWAYS_INLINE int code_unary(CODER *coder, int context, int first_lane, int second_lane, int number)
{
    int n = 0;
    while (n < 15 && decide(coder, context + n,
                            n == 0   ? first_lane
                            : n == 1 ? second_lane
                                     : NO_LANE,
                            number > n))
        n++;
    if (n < 15)
        return n;
    int rest = 0;
    for (int bit = 6; bit >= 0; bit--)
        rest = rest << 1 | decide(coder, NO_CONTEXT, NO_LANE, (number - 15) >> bit & 1);
    return n + rest;
}

/* A difference: whether there is any, its sign, its size. */
ALWAYS_INLINE int code_difference(CODER *coder, const int context[3], const int lane[3], int number)
{
    if (!decide(coder, context[0], lane[0], number != 0))
        return 0;
    const bool negative = decide(coder, context[1], lane[1], number < 0);
    const int size =
        1 + code_unary(coder, context[2], lane[2], NO_LANE, (negative ? -number : number) - 1);
    return negative ? -size : size;
}

/* --- values ----------------------------------------------------------------------------------- */

static inline uint32_t pair_vector(int i, int square_i, int j, int square_j)
{
    return (uint32_t)(((j * (j - 1) / 2 + i) * MAX_SQUARES + square_i) * MAX_SQUARES + square_j);
}

static inline bool is_of_class(const struct coding *coding, const struct near_place *near,
                               int class)
{
    return (coding->room->signature[near->place] & 3) == class + 1;
}

/* The distance of a fresh state of a class, coded as the difference from the prediction by the
 * squares, corrected by its error at the neighbours. */
ALWAYS_INLINE int code_fresh_distance(struct coding *coding, CODER *coder, const int stride,
                                      uint32_t place, int class, int distance)
{
    const int lost = class == CLASS_LOSS;
    const int from_squares = lane_distance(coder, LANE_DISTANCE + lost);
    int n = 0, total = 0, least = 127, most = -127;
    for (int i = 0; i < coding->n_near && n < 4; i++) {
        if (!is_of_class(coding, &coding->near[i], class))
            continue;
        const int error = coding->room->error[coding->near[i].place];
        total += error;
        n++;
        least = error < least ? error : least;
        most = error > most ? error : most;
    }
    const int spread = n < 2 ? 0 : most - least < 4 ? 1 : most - least < 9 ? 2 : 3;
    const int correction = n == 0 ? 0 : n == 1 ? total * 3 / 4 : total / n;
    const int sum = clamp(from_squares + correction, 0, 4 * (VALUE_DRAW - 1));
    const int predicted = (sum + 2) >> 2;
    uint32_t levels[MAX_NEAR];
    int n_levels = 0;
    learn_distance(coder, LANE_DISTANCE + lost, distance);

    for (int i = 0; i < coding->n_near; i++) {
        const struct near_place *near = &coding->near[i];
        if (!is_of_class(coding, near, class))
            continue;
        const value_t value =
            coding->room->values[(size_t)near->place * (size_t)coding->plan->n_run_states];
        const int level = clamp(distance_of(value) - predicted, -4, 4) + 4;
        levels[n_levels++] =
            (uint32_t)(coding->plan->level + (size_t)(near->id * N_LEVELS + level));
    }
    sum_more(coder, stride, levels, n_levels);
    const int won = !lost;
    const int contexts[3] = {
        CONTEXT_ZERO + ((won * 4 + (n > 3 ? 3 : n)) * 4 + spread) * 4 + (sum & 3),
        CONTEXT_SIGN + (won * 4 + (n > 3 ? 3 : n)) * 4 + (sum & 3),
        CONTEXT_MORE + (won * 4 + spread) * 16,
    };
    const int lanes[3] = {LANE_ZERO + lost, LANE_SIGN + lost, LANE_MORE + lost};
    distance =
        clamp_distance(predicted + code_difference(coder, contexts, lanes, distance - predicted));
    coding->room->error[place] = (int8_t)clamp(4 * distance - from_squares, -127, 127);
    return distance;
}

/* Whether the fresh state is a draw, or won. */
ALWAYS_INLINE bool decide_outcome(struct coding *coding, CODER *coder, int lane, bool value)
{
    const struct terms terms = {
        .context = {CONTEXT_AROUND + lane * OUTCOME_PATTERNS + coding->around,
                    CONTEXT_BEYOND + lane * OUTCOME_PATTERNS + coding->beyond},
        .lane = lane,
    };
    return decide_drifting(coding, coder, terms, lane,
                           (int)((coding->inner[0] & 3) * 4 + (coding->inner[1] & 3)), value);
}

ALWAYS_INLINE value_t code_fresh(struct coding *coding, CODER *coder, const int stride,
                                 const bool distances, uint32_t place, value_t value)
{
    int class = CLASS_DRAW;
    if (!decide_outcome(coding, coder, LANE_DRAW, class_of(value) == CLASS_DRAW))
        class = decide_outcome(coding, coder, LANE_WIN, class_of(value) == CLASS_WIN) ? CLASS_WIN
                                                                                      : CLASS_LOSS;
    if (class == CLASS_DRAW || !distances)
        return value_from(class, 0);
    return value_from(class,
                      code_fresh_distance(coding, coder, stride, place, class, distance_of(value)));
}

/* What is known of a run state's value before it is coded. */
struct bounds {
    const struct model_step *step;
    value_t low, high;
    bool from_high;        /* which of the two is the anchor */
    value_t anchor, limit; /* that one, and the other one */
    bool limited;          /* `limit` is another state's value */
    int reference;         /* the run state the anchor is compared with beside */
    int limit_reference;
    int class_beside[2];
};

/* The best and the worst value a state can have, given those coded before. */
ALWAYS_INLINE value_t upper_bound(const struct model_step *step, const value_t *values)
{
    value_t high = VALUE_WIN_IN_1;
    for (int i = 0; i < step->n_above; i++)
        high = values[step->above[i]] < high ? values[step->above[i]] : high;
    return high;
}

ALWAYS_INLINE value_t lower_bound(const struct model_step *step, const value_t *values)
{
    value_t low = VALUE_LOST;
    for (int i = 0; i < step->n_below; i++)
        low = values[step->below[i]] > low ? values[step->below[i]] : low;
    return low;
}

/* The rest of what is known; `low` and `high` are set. */
ALWAYS_INLINE void set_bounds(struct bounds *bounds, const struct coding *coding,
                              const struct model_step *step, const value_t *values)
{
    const bool own = step->kind >= 4;
    const bool other = (step->kind & 3) != 0;
    const value_t low = bounds->low;
    const value_t high = bounds->high;

    bounds->step = step;
    bounds->from_high = own && other ? values[step->low_reference] == values[0] ||
                                           values[step->high_reference] != values[0]
                                     : own;
    bounds->anchor = bounds->from_high ? high : low;
    bounds->limit = bounds->from_high ? low : high;
    bounds->limited = (bounds->from_high ? step->n_below : step->n_above) > 0;
    bounds->reference = bounds->from_high ? step->high_reference : step->low_reference;
    bounds->limit_reference = bounds->from_high ? step->low_reference : step->high_reference;
    for (int i = 0; i < 2; i++)
        bounds->class_beside[i] =
            coding->inner[i] == 0 ? NO_CLASS : class_of(coding->beside[i][step->state]);
}

/* A distance within its class, between the bounds but neither of them. */
ALWAYS_INLINE int code_run_distance(struct coding *coding, CODER *coder,
                                    const struct bounds *bounds, int class, int distance)
{
    const struct model_step *step = bounds->step;
    const bool own = step->kind >= 4;
    const bool other = (step->kind & 3) != 0;
    const int type = own && other ? 2 : other;
    const int won = class == CLASS_WIN;
    const int first_lane = coding->plan->first_run_lane;
    const bool from_anchor = class == class_of(bounds->anchor);
    const bool based = from_anchor || (bounds->limited && class == class_of(bounds->limit));
    const int base = distance_of(from_anchor ? bounds->anchor : bounds->limit);
    const int reference = from_anchor ? bounds->reference : bounds->limit_reference;
    const int direction = (bounds->from_high == won) == from_anchor ? 1 : -1;
    int predicted = -1;
    int apart = 0;

    for (int i = 0; i < 2; i++) {
        if (bounds->class_beside[i] != class)
            continue;
        const value_t value = coding->beside[i][step->state];
        int beside = distance_of(value);
        if (based) {
            const value_t base_beside = coding->beside[i][reference];
            if (class_of(base_beside) != class)
                continue;
            beside = (beside - distance_of(base_beside)) * direction - 1;
            if (beside < 0)
                continue;
        }
        if (predicted < 0) {
            predicted = beside;
        } else {
            apart = abs(predicted - beside) <= 1 ? 1 : 2;
            predicted = (predicted + beside) / 2;
        }
    }
    if (based) {
        const int bucket = predicted < 0 ? 0 : predicted > 5 ? 6 : predicted + 1;
        const int further =
            code_unary(coder, CONTEXT_UNARY + ((won * 16 + step->kind) * 7 + bucket) * 16,
                       first_lane + LANE_RUN_FIRST + type, first_lane + LANE_RUN_SECOND + type,
                       (distance - base) * direction - 1);
        return clamp_distance(base + direction * (further + 1));
    }
    const int lane = first_lane + LANE_RUN_DISTANCE + (class == CLASS_LOSS);
    const int from_squares = predicted < 0;
    if (from_squares)
        predicted = clamp_distance((lane_distance(coder, lane) + 2) >> 2);
    learn_distance(coder, lane, distance);
    const int contexts[3] = {
        CONTEXT_RUN_ZERO + ((won * 16 + step->kind) * 2 + from_squares) * 3 + apart,
        CONTEXT_RUN_SIGN + (won * 16 + step->kind) * 2 + from_squares,
        CONTEXT_RUN_MORE + ((won * 3 + type) * 2 + from_squares) * 16,
    };
    const int lanes[3] = {first_lane + LANE_RUN_ZERO, first_lane + LANE_RUN_SIGN, NO_LANE};
    return clamp_distance(predicted +
                          code_difference(coder, contexts, lanes, distance - predicted));
}

/* A run state's value, when its bounds differ. */
ALWAYS_INLINE value_t code_run_value(struct coding *coding, CODER *coder, const bool distances,
                                     const struct bounds *bounds, value_t value)
{
    const struct model_step *step = bounds->step;
    int same[2] = {0, 0}; /* beside: 1 as its reference, 2 not */
    for (int i = 0; i < 2; i++)
        if (coding->inner[i] != 0)
            same[i] =
                coding->beside[i][step->state] == coding->beside[i][bounds->reference] ? 1 : 2;
    const int class_beside =
        bounds->class_beside[0] != NO_CLASS ? bounds->class_beside[0] : bounds->class_beside[1];
    const int class_context = CONTEXT_CLASS + (step->kind * 4 + class_beside) * 4;
    const int anchor_class = class_of(bounds->anchor);
    const int limit_class = class_of(bounds->limit);
    const int first_lane = coding->plan->first_run_lane;

    const int beside = (anchor_class * 3 + same[0]) * 3 + same[1];
    const struct terms terms = {
        .context = {CONTEXT_EQUAL + step->kind * 27 + beside, NO_CONTEXT},
        .lane = step->lane == NO_LANE ? NO_LANE : first_lane + step->lane,
    };
    if (!decide_drifting(coding, coder, terms, 1 + step->state, beside, value != bounds->anchor))
        return bounds->anchor;
    if (!distances) {
        if (abs(anchor_class - limit_class) == 1)
            return bounds->limit;
        return decide(coder, class_context, first_lane + LANE_FAR, value == VALUE_DRAW)
                   ? VALUE_DRAW
                   : bounds->limit;
    }
    const value_t next = (value_t)(bounds->from_high ? bounds->anchor - 1 : bounds->anchor + 1);
    if (next == bounds->limit)
        return next;
    if (bounds->limited && !decide(coder,
                                   CONTEXT_FAR + (step->kind * 3 + limit_class) * 3 +
                                       (same[0] == 0                  ? 0
                                        : class_beside == limit_class ? 1
                                                                      : 2),
                                   NO_LANE, value != bounds->limit))
        return bounds->limit;
    const value_t last = (value_t)(!bounds->limited    ? bounds->limit
                                   : bounds->from_high ? bounds->limit + 1
                                                       : bounds->limit - 1);
    int class = class_of(next);
    if (class != class_of(last)) {
        const bool through_draw = class != CLASS_DRAW && class_of(last) != CLASS_DRAW;
        if (decide(coder, class_context + (through_draw ? 2 : 1), NO_LANE,
                   class_of(value) != class)) {
            class = class_of(last);
            if (through_draw &&
                decide(coder, class_context + 3, NO_LANE, class_of(value) == CLASS_DRAW))
                class = CLASS_DRAW;
        }
    }
    if (class == CLASS_DRAW)
        return VALUE_DRAW;
    return value_from(class, code_run_distance(coding, coder, bounds, class, distance_of(value)));
}

/* All values of a stored placement. */
ALWAYS_INLINE void code_placement(struct coding *coding, CODER *coder, const int stride,
                                  const bool distances, const bool runs, uint32_t place)
{
    const struct model_plan *plan = coding->plan;
    const size_t n_run_states = runs ? (size_t)plan->n_run_states : 1;
    value_t *values = coding->room->values + place * n_run_states;
    bool all_fresh = true;

    values[0] = code_fresh(coding, coder, stride, distances, place, values[0]);
    const value_t fresh = values[0];
    unsigned signature = (unsigned)class_of(fresh) + 1;
    for (int i = 0; runs && i < plan->n_steps; i++) {
        const struct model_step *step = &plan->steps[i];
        struct bounds bounds;
        if (i == plan->n_first_steps && all_fresh) {
            memset(values, fresh, n_run_states);
            break;
        }
        value_t value = values[step->state];
        /* Outcomes always lie between their bounds, so no other bound can be nearer. */
        if (!distances && step->between_references &&
            values[step->low_reference] == values[step->high_reference]) {
            if (value != values[step->low_reference])
                coding->impossible = true;
            values[step->state] = values[step->low_reference];
            continue;
        }
        bounds.low = lower_bound(step, values);
        bounds.high = upper_bound(step, values);
        if (value < bounds.low || value > bounds.high)
            coding->impossible = true;
        if (bounds.low >= bounds.high) {
            value = bounds.high;
        } else {
            set_bounds(&bounds, coding, step, values);
            value = code_run_value(coding, coder, distances, &bounds, value);
        }
        values[step->state] = value;
        if (i < plan->n_first_steps && value != fresh) {
            all_fresh = false;
            signature |= value < fresh ? 4 : 8;
        }
    }
    for (int i = 0; runs && i < plan->n_left_out; i++)
        values[plan->left_out[i]] = VALUE_NONE;
    coding->room->signature[place] = (uint8_t)signature;
}

/* --- a block ---------------------------------------------------------------------------------- */

/* The neighbours a row has by moving its other pieces, the inner ones first. */
static inline int list_row_near(const struct walk *walk, const struct model_plan *model_plan,
                                struct row_near list[MAX_NEAR])
{
    const struct walk_plan *plan = &model_plan->walk;
    const int last = plan->n_slots - 1;
    uint64_t multiplier = 1;
    int n = 0;

    for (int g = plan->n_groups - 1; g >= 0; g--) {
        const struct walk_group *group = &plan->groups[g];
        for (int k = 1; k <= group->n; k++) { /* k-th from below */
            const int slot = group->first_slot + group->n - k;
            if (slot == last)
                continue;
            const bool beside_last = slot + 1 == last && k > 1;
            const int below = k > 1 && !beside_last ? walk->square[slot + 1] : -1;
            for (int d = 0; d < 2; d++) {
                const int from = walk->square[slot];
                const int to = plan->rules->board.next[d == 0 ? NORTH_WEST : NORTH_EAST][from];
                if (to <= below || to < group->offset)
                    continue;
                const uint64_t offset =
                    multiplier * (choose(from - group->offset, k) - choose(to - group->offset, k));
                if (offset < (uint64_t)walk->place + (uint64_t)walk->n)
                    list[n++] = (struct row_near){(uint32_t)offset, 2 * slot + d,
                                                  (uint32_t)model_plan->near +
                                                      (uint32_t)((2 * slot + d) * N_SIGNATURES),
                                                  beside_last ? to : MAX_SQUARES};
            }
        }
        multiplier *= group->n_sets;
    }
    return n;
}

/* Keeps which of a row's neighbours are contexts, and forgets what the row before has shown. */
static inline void begin_row(struct coding *coding, const struct row_near *row_near, int n_row_near)
{
    const struct model_plan *plan = coding->plan;
    memset(coding->fixed, 0, sizeof coding->fixed);
    for (int i = 0; i < n_row_near; i++)
        if (row_near[i].id / 2 == plan->walk.n_slots - 2)
            coding->fixed[row_near[i].id % 2] = row_near[i];
    for (int decision = 0; decision <= plan->n_run_states; decision++)
        coding->room->drifts[decision][DRIFT_ROW] = 0;
}

/* Lists the neighbours of a placement of the row, first those that differ in the innermost piece,
 * and the vectors for them; returns the number of vectors. Signatures before the block and of the
 * placement itself are 0. */
ALWAYS_INLINE int list_near(struct coding *coding, const bool distances, const size_t n_run_states,
                            const struct row_near *row_near, int n_row_near, int square,
                            uint32_t place, uint32_t *vectors)
{
    const struct model_plan *plan = coding->plan;
    const uint8_t *past = plan->past[square];
    const int last = plan->walk.n_slots - 1;
    const uint8_t *signature = coding->room->signature + place;
    int n_vectors = 1;
    int n = 0;

    for (int d = 0; d < 2; d++) {
        const int offset = past[d];
        coding->inner[d] = signature[-offset];
        coding->beside[d] = coding->room->values +
                            (coding->inner[d] == 0 ? 0 : place - (uint32_t)offset) * n_run_states;
        if (distances) {
            coding->near[n] = (struct near_place){place - (uint32_t)offset, 2 * last + d};
            n += coding->inner[d] != 0;
        }
    }
    vectors[0] = (uint32_t)plan->joint + coding->inner[0] * N_SIGNATURES + coding->inner[1];
    for (int i = 0; i < n_row_near; i++) {
        const unsigned there = signature[-(ptrdiff_t)row_near[i].offset];
        const int counts = (there != 0) & (square < row_near[i].above);
        vectors[n_vectors] = row_near[i].vector + there;
        n_vectors += counts;
        if (distances) {
            coding->near[n] = (struct near_place){place - row_near[i].offset, row_near[i].id};
            n += counts;
        }
    }
    coding->n_near = n;
    return n_vectors;
}

/* The outcome at an index before a place: 0 where nothing is stored, 1 loss, 2 draw, 3 win. */
ALWAYS_INLINE int outcome_before(const struct coding *coding, uint32_t place, uint32_t offset)
{
    return coding->room->signature[(ptrdiff_t)place - (ptrdiff_t)offset] & 3;
}

/* The contexts of a placement by outcomes of others. */
ALWAYS_INLINE void note_outcomes(struct coding *coding, int square, uint32_t place)
{
    const uint8_t *past = coding->plan->past[square];
    int at[N_PAST], fixed[2];
    for (int i = 0; i < N_PAST; i++)
        at[i] = outcome_before(coding, place, past[i]);
    for (int d = 0; d < 2; d++)
        fixed[d] = outcome_before(coding, place,
                                  square < coding->fixed[d].above ? coding->fixed[d].offset : 0);
    const int inner = (at[PAST_NORTH_WEST] * 4 + at[PAST_NORTH_EAST]) * 4;
    coding->around = (((inner + fixed[0]) * 4 + fixed[1]) * 4 + at[PAST_NORTH]) * 4 + at[PAST_WEST];
    coding->beyond = (((inner + at[PAST_TWICE_NORTH_WEST]) * 4 + at[PAST_TWICE_NORTH_EAST]) * 4 +
                      at[PAST_NORTH]) *
                         4 +
                     at[PAST_WEST];
}

/* Codes the stored placements of a block: n indices from `first` on. */
ALWAYS_INLINE void code_values(struct coding *coding, const int stride, const bool distances,
                               const bool runs, uint64_t first, uint32_t n)
{
    const struct model_plan *plan = coding->plan;
    const size_t n_run_states = runs ? (size_t)plan->n_run_states : 1;
    const int last = plan->walk.n_slots - 1;
    CODER own = *coding->coder; /* a local copy, so that the compiler keeps it in registers */
    CODER *const coder = &own;
    struct walk walk;

    memset(coding->room->signature, 0, n);
    memset(coding->room->drifts, 0, (n_run_states + 1) * sizeof *coding->room->drifts);
    walk_begin(&walk, &plan->walk, first, n);
    while (walk_row(&walk) && walk.place <= coding->last) {
        struct row_near row_near[MAX_NEAR];
        uint32_t vectors[MAX_PAIRS + MAX_NEAR];
        uint32_t pair[MAX_SLOTS]; /* of a fixed piece with the innermost one on square 0 */
        int n_pairs = 0;
        if (walk.quiet == 0)
            continue;
        const int n_row_near = list_row_near(&walk, plan, row_near);
        begin_row(coding, row_near, n_row_near);
        for (int j = 0; j < last; j++) {
            for (int i = 0; i < j; i++)
                vectors[n_pairs++] = pair_vector(i, walk.square[i], j, walk.square[j]);
            pair[j] = pair_vector(j, walk.square[j], last, 0);
        }
        sum_row(coder, stride, vectors, n_pairs);
        for (squares_t left = walk.quiet; left != 0; left &= left - 1) {
            const int square = squares_first(left);
            const uint32_t place = walk.place + (uint32_t)(square - walk.first);
            for (int i = 0; i < last; i++)
                vectors[i] = pair[i] + (uint32_t)square;
            const int n_vectors = last + list_near(coding, distances, n_run_states, row_near,
                                                   n_row_near, square, place, vectors + last);
            coding->square = square;
            note_outcomes(coding, square, place);
            sum_placement(coder, stride, vectors, n_vectors);
            code_placement(coding, coder, stride, distances, runs, place);
        }
    }
    coding->n_coded = walk.place;
    *coding->coder = own;
}

/* The same, specialised by the compiler for each kind of table. */
static inline void code_block(struct coding *coding, uint64_t first, uint32_t n)
{
    const bool runs = coding->plan->n_run_states > 1;
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
