/* The write side of a model: learning its weights, coding blocks with it. */
#ifndef EINSPUL_TABLE_WRITE_MODEL_WRITE_H
#define EINSPUL_TABLE_WRITE_MODEL_WRITE_H

#include "core/status.h"
#include "table/model.h"

/* Blocks of one side to move to learn from. They are read twice, so that learning takes no memory
 * for them. */
struct model_sample {
    size_t n_blocks;
    uint32_t block_placements;
    /* Reads a block: its first placement index, its placements, and values[place][rule state], of
     * which those of stored placements are looked at. */
    einspul_status (*read)(void *context, size_t block, uint64_t *first, uint32_t *n,
                           uint8_t *values);
    void *context;
};

/* Learns the weights of a side to move by logistic regression for decisions and linear regression
 * for distances; each weight has a step of its own, which shrinks as it has learnt. Weights that
 * are worth less than the bytes they take are dropped. One thread.
 * NO_MEMORY, errors of the sample's read function. */
einspul_status model_train(struct model *model, enum side side, const struct model_sample *sample);

/* Packs the weights as a section of model_section_size bytes. */
void model_pack(const struct model *model, uint8_t *section);

/* Room a coded block takes at most. */
size_t model_encode_bound(const struct model_plan *plan, uint32_t n);

/* Codes the n placements of a block from room->values into bytes; *n_bytes is how many, perhaps
 * none. False when a value that is told is worse or better than rule states bound it, which the
 * rules cannot give. Values that follow from others are not looked at, but set to what they must
 * be: comparing shows whether they were. */
bool model_encode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                  struct model_room *room, uint8_t *bytes, size_t *n_bytes);

#endif
