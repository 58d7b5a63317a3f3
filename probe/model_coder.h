/* What decoding and encoding share of what probe/model_code.h wants: sums of a model's weights, and
 * the probabilities they stand for. Only `decide` is left to them. */
#ifndef EINSPUL_PROBE_MODEL_CODER_H
#define EINSPUL_PROBE_MODEL_CODER_H

#include "probe/model.h"
#include "probe/range_coder.h"

#include <string.h>

enum { MAX_LIKELIHOOD = 95 };

/* Of the likelier way of a decision, by log odds in 1/8: 65536 / (1 + exp(-i / 8)), rounded, at
 * most 65535. */
extern const uint16_t model_probabilities[MAX_LIKELIHOOD + 1];

struct coder {
    struct range_decoder decoder;
    struct range_encoder encoder;
    const int8_t *weights;
    const int8_t *contexts;
    int16_t sum[MAX_LANES];
    int16_t kept[MAX_LANES];
};

static inline void coder_init(struct coder *coder, const struct model_plan *plan,
                              const int8_t *weights)
{
    coder->weights = weights;
    coder->contexts = weights + plan->n_weights - N_CONTEXTS;
}

/* The probability of the likelier way, and which one that is. */
ALWAYS_INLINE uint32_t coder_probability(const struct coder *coder, int context, int lane,
                                         bool *likelier)
{
    int odds = lane == NO_LANE ? 0 : coder->sum[lane];
    if (context != NO_CONTEXT)
        odds += coder->contexts[context];
    *likelier = odds >= 0;
    odds = odds >= 0 ? odds : -odds;
    return model_probabilities[odds > MAX_LIKELIHOOD ? MAX_LIKELIHOOD : odds];
}

ALWAYS_INLINE int lane_distance(const struct coder *coder, int lane)
{
    return coder->sum[lane];
}

ALWAYS_INLINE void learn_distance(struct coder *coder, int lane, int distance)
{
    (void)coder, (void)lane, (void)distance;
}

ALWAYS_INLINE void clear_vectors(struct coder *coder)
{
    memset(coder->sum, 0, sizeof coder->sum);
}

ALWAYS_INLINE void add_vector(struct coder *coder, int n_lanes, size_t vector)
{
    const int8_t *weights = coder->weights + vector * (size_t)n_lanes;
    for (int lane = 0; lane < n_lanes; lane++)
        coder->sum[lane] = (int16_t)(coder->sum[lane] + weights[lane]);
}

ALWAYS_INLINE void keep_vectors(struct coder *coder, int n_lanes)
{
    memcpy(coder->kept, coder->sum, (size_t)n_lanes * sizeof *coder->kept);
}

ALWAYS_INLINE void restore_vectors(struct coder *coder, int n_lanes)
{
    memcpy(coder->sum, coder->kept, (size_t)n_lanes * sizeof *coder->kept);
}

#endif
