/* Trains a model by stochastic gradient descent on the code length of sampled placements, in two
 * passes. Between them weights that save too little are dropped; at the end weights are rounded to
 * bytes. The second pass takes half of the sample, which costs 0.3 % of the bytes (half of the first
 * one would cost up to 3 %), but with distances only if the first one made many steps: else it would
 * cost up to 2.5 %. */
#include "table/write/model_train.h"
#include "table/range_decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = 96, ODDS_ONE = 8, DISTANCE_ONE = 4 };

enum { LEARNING, REFINING };

static const float rates[] = {[LEARNING] = 0.3f, [REFINING] = 0.12f};
/* Most errors are small: only every so many-th of these makes a step, for all of them. */
static const float small_error = 0.02f;
enum { SMALL_APART = 16 };
enum { MANY_STEPS = 300 };                /* of a pass, for each vector */
static const float min_bits_saved = 4.0f; /* bits a weight must save */

/* Each vector keeps side by side, because a step touches all three: its weights, per weight the sum
 * of squared errors, which scales the steps, and per weight the information, the sum of p * (1 - p)
 * over its decisions. */
enum { WEIGHTS, SQUARED, INFORMATION, N_PARTS };

enum {
    MAX_ODDS = 11,
    PROBABILITIES_PER_ODDS = 64,
    N_PROBABILITIES = 2 * MAX_ODDS * PROBABILITIES_PER_ODDS + 1
};

#define CODER struct trainer
struct trainer {
    const struct model_plan *plan;
    float *vectors;  /* by vector, part, lane; weights as a model's, in natural units */
    float *contexts; /* by part, context */
    float rate;
    bool counts_information;
    float *used[MAX_VECTORS];   /* the vectors in use for the placement */
    int n_used, n_row;          /* vectors; those of the row come first */
    float row[MAX_STRIDE];      /* sums of the row's, kept up to date */
    float sum[MAX_STRIDE];      /* of all */
    uint32_t n_small;           /* small errors so far */
    uint64_t n_steps;           /* decisions that made a step */
    const float *probabilities; /* by log-odds */
};

/* Steps of a lane's weights in the vectors from `first` to `last`; returns the sum of the steps. A
 * dropped weight's squared errors are infinite, its steps 0. */
ALWAYS_INLINE float step_vectors(struct trainer *coder, int lane, int first, int last, float scaled,
                                 float squares, float start)
{
    const size_t squared = SQUARED * (size_t)coder->plan->stride + (size_t)lane;
    float change = 0;
    for (int i = first; i < last; i++) {
        float *at = coder->used[i];
        at[squared] += squares;
        const float step = scaled / sqrtf(at[squared] + start);
        at[lane] += step;
        change += step;
    }
    return change;
}

/* `times`: how many equal errors this one stands for. */
ALWAYS_INLINE void step_lane(struct trainer *coder, int lane, float error, float information,
                             float start, float times)
{
    const size_t information_at = INFORMATION * (size_t)coder->plan->stride + (size_t)lane;
    const float scaled = coder->rate * error * times;
    const float squares = error * error * times;
    const float change = step_vectors(coder, lane, 0, coder->n_row, scaled, squares, start);
    coder->row[lane] += change;
    coder->sum[lane] +=
        change + step_vectors(coder, lane, coder->n_row, coder->n_used, scaled, squares, start);
    for (int i = 0; coder->counts_information && i < coder->n_used; i++)
        coder->used[i][information_at] += information * times;
}

/* e to the power of x, |x| at most 11, to about 2^-18. Uses only additions and multiplications, so
 * that every system produces the same file; exp differs between C libraries. */
ALWAYS_INLINE float power_of_e(float x)
{
    const float twos = x * 1.44269504f;
    const int exponent = (int)(twos < 0 ? twos - 0.5f : twos + 0.5f);
    const float f = x - (float)exponent * 0.69314718f;
    const float rest =
        1 + f * (1 + f * (1 / 2.0f + f * (1 / 6.0f + f * (1 / 24.0f + f * (1 / 120.0f)))));
    const uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power * rest;
}

ALWAYS_INLINE void step_context(struct trainer *coder, int context, float error, float information,
                                float times)
{
    float *squared = &coder->contexts[SQUARED * N_CONTEXTS + context];
    *squared += error * error * times;
    coder->contexts[context] += coder->rate * error * times / sqrtf(*squared + 0.5f);
    if (coder->counts_information)
        coder->contexts[INFORMATION * N_CONTEXTS + context] += information * times;
}

ALWAYS_INLINE bool decide_by(struct trainer *coder, int context, int lane, int drift, bool value,
                             uint32_t *chance)
{
    float odds = (float)drift / ODDS_ONE + (lane == NO_LANE ? 0 : coder->sum[lane]) +
                 (context == NO_CONTEXT ? 0 : coder->contexts[context]);
    odds = odds > MAX_ODDS ? MAX_ODDS : odds < -MAX_ODDS ? -MAX_ODDS : odds;
    const float probability =
        coder->probabilities[(int)((odds + MAX_ODDS) * PROBABILITIES_PER_ODDS + 0.5f)];
    const float error = (float)value - probability;
    *chance = (uint32_t)(probability * 65536 + 0.5f);
    float times = 1;
    if (error < small_error && error > -small_error) {
        if (++coder->n_small % SMALL_APART != 0)
            return value;
        times = SMALL_APART;
    }
    coder->n_steps++;
    const float information = probability * (1 - probability);
    if (context != NO_CONTEXT)
        step_context(coder, context, error, information, times);
    if (lane != NO_LANE)
        step_lane(coder, lane, error, information, 0.5f, times);
    return value;
}

ALWAYS_INLINE int lane_distance(struct trainer *coder, int lane, int distance)
{
    const float sum = coder->sum[lane];
    const float scaled = sum * DISTANCE_ONE;
    const float error = (float)distance - sum;
    step_lane(coder, lane, error > 4 ? 4 : error < -4 ? -4 : error, 1, 4, 1);
    return (int)lrintf(scaled < -500 ? -500 : scaled > 900 ? 900 : scaled);
}

static inline void list_vectors(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    for (int i = 0; i < n; i++)
        coder->used[coder->n_used++] =
            coder->vectors + (size_t)vectors[i] * N_PARTS * (size_t)stride;
}

ALWAYS_INLINE void add_vectors(struct trainer *coder, float *sum, int stride, int first)
{
    for (int i = first; i < coder->n_used; i++) {
        const float *at = coder->used[i];
#pragma omp simd
        for (int lane = 0; lane < stride; lane++)
            sum[lane] += at[lane];
    }
}

ALWAYS_INLINE void sum_more(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    const int first = coder->n_used;
    list_vectors(coder, stride, vectors, n);
    add_vectors(coder, coder->sum, stride, first);
}

ALWAYS_INLINE void sum_row(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    coder->n_used = 0;
    list_vectors(coder, stride, vectors, n);
    coder->n_row = n;
    memset(coder->row, 0, (size_t)stride * sizeof *coder->row);
    add_vectors(coder, coder->row, stride, 0);
}

ALWAYS_INLINE void sum_placement(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    memcpy(coder->sum, coder->row, (size_t)stride * sizeof *coder->sum);
    coder->n_used = coder->n_row;
    list_vectors(coder, stride, vectors, n);
    add_vectors(coder, coder->sum, stride, coder->n_row);
}

#include "table/model_code_template.h"

static bool is_distance_lane(const struct model_plan *plan, int lane)
{
    const int run = lane - plan->first_run_lane;
    return plan->distances && ((lane >= LANE_DISTANCE && lane < LANE_ZERO) ||
                               (run >= LANE_RUN_DISTANCE && run < RUN_DISTANCE_LANES));
}

/* Drops a weight that saves too little: to second order, a log-odds weight w saves w * w / 2 times
 * its information, and so does a distance weight if errors have variance `scale`. `stride` is that
 * between a weight's parts. */
static void drop_weight(float *weight, size_t stride, float scale)
{
    const float information_at = weight[INFORMATION * stride];
    if (*weight * *weight / 2 * information_at / scale < min_bits_saved * 0.693f) {
        *weight = 0;
        weight[SQUARED * stride] = INFINITY;
    }
}

/* Drops weak weights of pair vectors and of neighbour contexts; all others stay. */
static void drop_weights(struct trainer *coder)
{
    const struct model_plan *plan = coder->plan;
    const size_t stride = (size_t)plan->stride;
    for (size_t vector = 0; vector < plan->bias_vector; vector++) {
        float *weights = coder->vectors + vector * N_PARTS * stride;
        for (size_t lane = 0; lane < stride; lane++)
            drop_weight(&weights[lane], stride, is_distance_lane(plan, (int)lane) ? 4 : 1);
    }
    for (size_t context = CONTEXT_NEIGHBOURS; context < N_CONTEXTS; context++)
        drop_weight(&coder->contexts[context], N_CONTEXTS, 1);
}

static int8_t round_weight(float weight, int one)
{
    const float scaled = weight * (float)one;
    return (int8_t)lrintf(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

static void round_weights(const struct trainer *coder, int8_t *weights)
{
    const struct model_plan *plan = coder->plan;
    const size_t stride = (size_t)plan->stride;
    for (size_t vector = 0; vector < plan->n_vectors; vector++)
        for (size_t lane = 0; lane < stride; lane++)
            *weights++ = round_weight(coder->vectors[vector * N_PARTS * stride + lane],
                                      is_distance_lane(plan, (int)lane) ? DISTANCE_ONE : ODDS_ONE);
    for (size_t context = 0; context < N_CONTEXTS; context++)
        *weights++ = round_weight(coder->contexts[context], ODDS_ONE);
}

/* A stride coprime to n that visits all of n blocks, far apart from each other. */
static size_t stride_for(size_t n)
{
    static const size_t primes[] = {7919, 104729, 611953};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        if (n % primes[i] != 0)
            return primes[i];
    return 1;
}

/* A pass over n blocks of the sample. */
static einspul_status learn_pass(struct block_coding *coding, const struct model_sample *sample,
                                 size_t n_blocks)
{
    const size_t stride = stride_for(sample->n_blocks);
    einspul_status status = EINSPUL_OK;
    for (size_t i = 0; i < n_blocks && status == EINSPUL_OK; i++) {
        uint64_t first = 0;
        uint32_t n = 0;
        status = sample->read(sample->context, i * stride % sample->n_blocks, &first, &n,
                              coding->scratch->values);
        if (status == EINSPUL_OK)
            code_block(coding, first, n);
    }
    return status;
}

einspul_status model_train(struct model *model, enum side side, const struct model_sample *sample,
                           bool refines)
{
    const struct model_plan *plan = &model->plans[side];
    struct trainer coder = {.plan = plan};
    float probabilities[N_PROBABILITIES];
    struct model_scratch scratch = {0};
    struct block_coding coding = {
        .coder = &coder, .plan = plan, .scratch = &scratch, .last = UINT32_MAX};
    einspul_status status = EINSPUL_NO_MEMORY;

    coder.probabilities = probabilities;
    for (int i = 0; i < N_PROBABILITIES; i++)
        probabilities[i] = 1 / (1 + power_of_e(MAX_ODDS - (float)i / PROBABILITIES_PER_ODDS));
    coder.vectors = calloc(plan->n_vectors * N_PARTS * (size_t)plan->stride, sizeof *coder.vectors);
    coder.contexts = calloc(N_PARTS * (size_t)N_CONTEXTS, sizeof *coder.contexts);
    if (model->weights[side] == NULL) /* else retrain in place */
        model->weights[side] = malloc(plan->n_weights);
    if (coder.vectors == NULL || coder.contexts == NULL || model->weights[side] == NULL ||
        !model_scratch_init(&scratch, plan, sample->block_placements))
        goto cleanup;
    coder.rate = rates[LEARNING];
    coder.counts_information = true;
    status = learn_pass(&coding, sample, sample->n_blocks);
    if (status == EINSPUL_OK && refines) {
        const bool many = !plan->distances || coder.n_steps >= MANY_STEPS * plan->n_vectors;
        drop_weights(&coder);
        coder.rate = rates[REFINING];
        coder.counts_information = false;
        status = learn_pass(&coding, sample, many ? (sample->n_blocks + 1) / 2 : sample->n_blocks);
    }
    round_weights(&coder, model->weights[side]);
cleanup:
    free(coder.vectors);
    free(coder.contexts);
    model_scratch_free(&scratch);
    return status;
}
