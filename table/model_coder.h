/* The coder interface of model_code_template.h as far as decoder and encoder share it: sums of
 * weights, and the probabilities they stand for. Each defines its own decide_by. */
#ifndef EINSPUL_TABLE_MODEL_CODER_H
#define EINSPUL_TABLE_MODEL_CODER_H

#include "table/model.h"
#include "table/range_decoder.h"

#include <string.h>

enum { MAX_LIKELIHOOD = 95 };

/* Probability of the likelier outcome of a decision, by log-odds in units of 1/8: 65536 / (1 +
 * exp(-i / 8)), rounded, at most 65535. */
extern const uint16_t model_probabilities[MAX_LIKELIHOOD + 1];

#define CODER struct model_coder
struct model_coder {
    struct range_decoder decoder;
    struct range_encoder
        *encoder; /* used by the encoder instead of `decoder` (table/write/range_encoder.h) */
    const int8_t *weights;
    const int8_t *contexts;
    int16_t row[MAX_STRIDE]; /* sums of what counts for the row, and for the placement */
    int16_t sum[MAX_STRIDE];
};

static inline void coder_init(struct model_coder *coder, const struct model_plan *plan,
                              const int8_t *weights)
{
    memset(coder, 0, sizeof *coder);
    coder->weights = weights;
    coder->contexts = weights + plan->n_weights - N_CONTEXTS;
}

/* The probability of the likelier way, and which one that is. */
ALWAYS_INLINE uint32_t coder_probability(const struct model_coder *coder, int context, int lane,
                                         int drift, bool *likelier)
{
    const int sum = drift + (lane == NO_LANE ? 0 : coder->sum[lane]) +
                    (context == NO_CONTEXT ? 0 : coder->contexts[context]);
    const int odds = sum >= 0 ? sum : -sum;
    *likelier = sum >= 0;
    return model_probabilities[odds > MAX_LIKELIHOOD ? MAX_LIKELIHOOD : odds];
}

/* `distance` is for the trainer only. */
ALWAYS_INLINE int lane_distance(const struct model_coder *coder, int lane, int distance)
{
    (void)distance;
    return coder->sum[lane];
}

/* Adds vectors to the sums `from`. */
ALWAYS_INLINE void add_vectors(const struct model_coder *coder, int16_t *sum, const int16_t *from,
                               const int stride, const uint32_t *vectors, int n)
{
    enum { MOST_LANES = 16 }; /* that compilers keep in vector registers */
    for (int part = 0; part < stride; part += MOST_LANES) {
        int16_t lanes[MOST_LANES];
        const int n_lanes = stride < MOST_LANES ? stride : MOST_LANES;
        memcpy(lanes, from + part, (size_t)n_lanes * sizeof *lanes);
        for (int i = 0; i < n; i++) {
            const int8_t *numbers = coder->weights + part + (size_t)vectors[i] * (size_t)stride;
            for (int lane = 0; lane < n_lanes; lane++)
                lanes[lane] = (int16_t)(lanes[lane] + numbers[lane]);
        }
        memcpy(sum + part, lanes, (size_t)n_lanes * sizeof *lanes);
    }
}

ALWAYS_INLINE void sum_row(struct model_coder *coder, const int stride, const uint32_t *vectors,
                           int n)
{
    static const int16_t none[MAX_STRIDE];
    add_vectors(coder, coder->row, none, stride, vectors, n);
}

ALWAYS_INLINE void sum_placement(struct model_coder *coder, const int stride,
                                 const uint32_t *vectors, int n)
{
    add_vectors(coder, coder->sum, coder->row, stride, vectors, n);
}

ALWAYS_INLINE void sum_more(struct model_coder *coder, const int stride, const uint32_t *vectors,
                            int n)
{
    add_vectors(coder, coder->sum, coder->sum, stride, vectors, n);
}

#endif
