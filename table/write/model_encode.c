/* Encodes a block with a model: the decisions of model_code_template.h with an encoder instead
 * of the decoder, so that the two always agree. */
#include "table/write/model_encode.h"
#include "table/model_coder.h"
#include "table/write/range_encoder.h"

ALWAYS_INLINE bool decide_by(struct model_coder *coder, int context, int lane, int drift,
                             bool value, uint32_t *chance)
{
    bool likelier;
    const uint32_t probability = coder_probability(coder, context, lane, drift, &likelier);
    *chance = likelier ? probability : 65536 - probability;
    range_encode(coder->encoder, probability, value == likelier);
    return value;
}

#include "table/model_code_template.h"

/* In the file the weights are grouped by lane. */
void model_pack(const struct model *model, uint8_t *section)
{
    for (int side = WHITE; side <= BLACK; side++) {
        const struct model_plan *plan = &model->plans[side];
        const int8_t *weights = model->weights[side];
        if (!model_has_side(model, side))
            continue;
        const size_t stride = (size_t)plan->stride;
        for (size_t lane = 0; lane < (size_t)plan->n_lanes; lane++)
            for (size_t i = 0; i < plan->n_vectors; i++)
                *section++ = (uint8_t)weights[i * stride + lane];
        memcpy(section, weights + plan->n_vectors * stride, N_CONTEXTS);
        section += N_CONTEXTS;
    }
}

/* A decision takes at most two bytes, because probabilities are multiples of 2^-16. */
size_t model_encode_bound(const struct model_plan *plan, uint32_t n)
{
    /* per value: outcome, bounds, sign, and a magnitude of 15 unary and 7 binary decisions */
    enum { MAX_DECISIONS = 32 };
    return (size_t)n * (size_t)plan->n_rule_states * MAX_DECISIONS * 2 + 16;
}

bool model_encode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                  struct model_scratch *scratch, uint8_t *bytes, size_t *n_bytes)
{
    const struct model_plan *plan = &model->plans[side];
    struct range_encoder encoder;
    struct model_coder coder;
    struct block_coding coding = {.coder = &coder, .plan = plan, .scratch = scratch, .last = n};

    coder_init(&coder, plan, model->weights[side]);
    coder.encoder = &encoder;
    range_encode_start(&encoder, bytes);
    code_block(&coding, first, n);
    *n_bytes = range_encode_end(&encoder);
    return !coding.impossible;
}
