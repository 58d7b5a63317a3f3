/* Encodes a block with a model: the decisions of model_code_template.h with an encoder instead
 * of the decoder, so that the two always agree. */
#include "table/model_coder.h"
#include "table/write/model_write.h"

ALWAYS_INLINE bool decide_by(struct model_coder *coder, const struct terms *terms, bool value,
                             uint32_t *chance)
{
    bool likelier;
    const uint32_t probability = coder_probability(coder, terms, &likelier);
    *chance = coder_chance(probability, likelier);
    range_encode(&coder->encoder, probability, value == likelier);
    return value;
}

#include "table/model_code_template.h"

/* A decision takes at most two bytes, because probabilities are multiples of 2^-16. */
size_t model_encode_bound(const struct model_plan *plan, uint32_t n)
{
    enum { MAX_DECISIONS = 32 }; /* of a value: class, bounds, sign, a number of 15 and 7 */
    return (size_t)n * (size_t)plan->n_run_states * MAX_DECISIONS * 2 + 16;
}

bool model_encode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                  struct model_room *room, uint8_t *bytes, size_t *n_bytes)
{
    const struct model_plan *plan = &model->plans[side];
    struct model_coder coder;
    struct coding coding = {.coder = &coder, .plan = plan, .room = room, .last = n};

    coder_init(&coder, plan, model->weights[side]);
    range_encode_start(&coder.encoder, bytes);
    code_block(&coding, first, n);
    *n_bytes = range_encode_end(&coder.encoder);
    return !coding.impossible;
}
