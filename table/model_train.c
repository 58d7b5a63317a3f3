/* Fits the weights of a model: gradient descent on the code length of sampled placements, in a few
 * passes, then rounded to bytes and dropped where they save too little (docs/compression.md). */
#define VALUE_BITS 8 /* models are for one-byte values only */
#include "table/model_write.h"
#include "table/range_coder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = 96, ODDS_ONE = 8, DISTANCE_ONE = 4 };

static const float first_rate = 0.3f, last_rate = 0.12f;
static const float worth = 4.0f; /* bits a weight must save */

#define CODER struct trainer
struct trainer {
    const struct model_plan *plan;
    float *weights; /* as a model's, in natural units */
    float *squared; /* by weight: sum of squared errors, which scales its steps */
    float *certain; /* by weight: information, p * (1 - p) per decision */
    uint8_t *dropped;
    float rate;
    uint32_t vectors[MAX_VECTORS];
    int n_vectors, n_kept;
    float sum[MAX_LANES];
};

ALWAYS_INLINE void step_lane(struct trainer *coder, int lane, int n_vectors, float error,
                             float tells, float start)
{
    const size_t stride = (size_t)coder->plan->stride;
    float change = 0;
    for (int i = 0; i < n_vectors; i++) {
        const size_t at = coder->vectors[i] * stride + (size_t)lane;
        coder->squared[at] += error * error;
        coder->certain[at] += tells;
        if (coder->dropped[at] != 0)
            continue;
        const float step = coder->rate * error / sqrtf(coder->squared[at] + start);
        coder->weights[at] += step;
        change += step;
    }
    coder->sum[lane] += change;
}

ALWAYS_INLINE bool decide(struct trainer *coder, int context, int lane, bool value)
{
    const size_t at =
        context == NO_CONTEXT ? 0 : coder->plan->n_weights - N_CONTEXTS + (size_t)context;
    float odds = lane == NO_LANE ? 0 : coder->sum[lane];
    if (context != NO_CONTEXT)
        odds += coder->weights[at];
    odds = odds > 11 ? 11 : odds < -11 ? -11 : odds;
    const float probability = 1 / (1 + expf(-odds));
    const float error = (float)value - probability;
    if (context != NO_CONTEXT) {
        coder->squared[at] += error * error;
        coder->weights[at] += coder->rate * error / sqrtf(coder->squared[at] + 0.5f);
    }
    if (lane != NO_LANE)
        step_lane(coder, lane, coder->n_vectors, error, probability * (1 - probability), 0.5f);
    return value;
}

ALWAYS_INLINE int lane_distance(const struct trainer *coder, int lane)
{
    const float distance = coder->sum[lane] * DISTANCE_ONE;
    return (int)lrintf(distance < -500 ? -500 : distance > 900 ? 900 : distance);
}

ALWAYS_INLINE void learn_distance(struct trainer *coder, int lane, int distance)
{
    const float error = (float)distance - coder->sum[lane];
    step_lane(coder, lane, coder->n_vectors, error > 4 ? 4 : error < -4 ? -4 : error, 1, 4);
}

ALWAYS_INLINE void sum_more(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    for (int i = 0; i < n; i++) {
        const float *weights = coder->weights + (size_t)vectors[i] * (size_t)stride;
        coder->vectors[coder->n_vectors++] = vectors[i];
        for (int lane = 0; lane < stride; lane++)
            coder->sum[lane] += weights[lane];
    }
}

ALWAYS_INLINE void sum_row(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    (void)stride;
    coder->n_kept = n;
    memcpy(coder->vectors, vectors, (size_t)n * sizeof *vectors);
}

/* Sums the weights of the row again, because training has changed them. */
ALWAYS_INLINE void sum_placement(struct trainer *coder, int stride, const uint32_t *vectors, int n)
{
    memset(coder->sum, 0, sizeof coder->sum);
    coder->n_vectors = 0;
    sum_more(coder, stride, coder->vectors, coder->n_kept);
    sum_more(coder, stride, vectors, n);
}

#include "table/model_code_template.h"

static bool is_distance_lane(const struct model_plan *plan, int lane)
{
    const int run = lane - plan->first_run_lane;
    return plan->distances && ((lane >= LANE_DISTANCE && lane < LANE_ZERO) ||
                               (run >= LANE_RUN_DISTANCE && run < RUN_DISTANCE_LANES));
}

/* Drops weights of pairs of squares that save too little: to the second order, log odds w save
 * w * w / 2 for each p * (1 - p) they met, a distance the same against errors of two. */
static void drop_weights(struct trainer *coder)
{
    const struct model_plan *plan = coder->plan;
    const size_t stride = (size_t)plan->stride;
    for (size_t at = 0; at < plan->joint * stride; at++) {
        const float weight = coder->weights[at];
        const float scale = is_distance_lane(plan, (int)(at % stride)) ? 4 : 1;
        if (weight * weight / 2 * coder->certain[at] / scale < worth * 0.693f) {
            coder->dropped[at] = 1;
            coder->weights[at] = 0;
        }
    }
}

static int8_t whole(float weight, int one)
{
    const float scaled = weight * (float)one;
    return (int8_t)lrintf(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

static void round_weights(const struct trainer *coder, int8_t *weights)
{
    const struct model_plan *plan = coder->plan;
    const size_t stride = (size_t)plan->stride;
    const size_t n_of_lanes = plan->n_vectors * stride;
    for (size_t at = 0; at < plan->n_weights; at++)
        weights[at] =
            whole(coder->weights[at], at < n_of_lanes && is_distance_lane(plan, (int)(at % stride))
                                          ? DISTANCE_ONE
                                          : ODDS_ONE);
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

/* A pass over the sample. */
static enum status learn_pass(struct coding *coding, const struct model_sample *sample)
{
    const size_t stride = stride_for(sample->n_blocks);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sample->n_blocks && status == STATUS_OK; i++) {
        uint64_t first = 0;
        uint32_t n = 0;
        status = sample->read(sample->context, i * stride % sample->n_blocks, &first, &n,
                              coding->room->values);
        if (status == STATUS_OK)
            code_block(coding, first, n);
    }
    return status;
}

enum status model_train(struct model *model, enum side side, const struct model_sample *sample)
{
    const struct model_plan *plan = &model->plans[side];
    const size_t n = plan->n_weights;
    const int last = sample->n_passes - 1;
    struct trainer coder = {.plan = plan};
    struct model_room room = {0};
    struct coding coding = {.coder = &coder, .plan = plan, .room = &room, .last = UINT32_MAX};
    enum status status = STATUS_NO_MEMORY;

    coder.weights = calloc(3 * n, sizeof *coder.weights);
    coder.dropped = calloc(n, 1);
    model->weights[side] = malloc(n);
    if (coder.weights == NULL || coder.dropped == NULL || model->weights[side] == NULL ||
        !model_room_init(&room, plan, sample->block_placements))
        goto cleanup;
    coder.squared = coder.weights + n;
    coder.certain = coder.weights + 2 * n;
    status = STATUS_OK;
    for (int pass = 0; pass <= last && status == STATUS_OK; pass++) {
        coder.rate = first_rate + (last_rate - first_rate) * (float)pass / (float)last;
        if (pass == last)
            drop_weights(&coder);
        memset(coder.certain, 0, n * sizeof *coder.certain);
        status = learn_pass(&coding, sample);
    }
    round_weights(&coder, model->weights[side]);
cleanup:
    free(coder.weights);
    free(coder.dropped);
    model_room_free(&room);
    return status;
}
