/* Writing models: training the weights, and encoding blocks. */
#ifndef EINSPUL_TABLE_WRITE_MODEL_WRITE_H
#define EINSPUL_TABLE_WRITE_MODEL_WRITE_H

#include "core/status.h"
#include "table/model.h"

/* The training sample: blocks of one side to move. They are read once per pass rather than kept in
 * memory. */
struct model_sample {
    size_t n_blocks;
    uint32_t block_placements;
    /* Reads a block: its first placement index, its placements, and values[place][rule state], of
     * which only those of stored placements are read. */
    einspul_status (*read)(void *context, size_t block, uint64_t *first, uint32_t *n,
                           uint8_t *values);
    void *context;
};

/* Trains the weights of a side to move by logistic regression for decisions and linear regression
 * for distances; each weight has its own step size, which falls with its accumulated squared errors
 * (AdaGrad). Weights that save less than they cost are dropped. Single-threaded. NO_MEMORY, errors
 * of the sample's read function. */
einspul_status model_train(struct model *model, enum side side, const struct model_sample *sample);

/* Packs the weights as a section of model_section_size bytes. */
void model_pack(const struct model *model, uint8_t *section);

/* An upper bound on the size of a coded block. */
size_t model_encode_bound(const struct model_plan *plan, uint32_t n);

/* Codes the n placements of a block from scratch->values into `bytes`; *n_bytes, which may become
 * 0, is their number. False if a value lies outside the bounds that other rule states set, which
 * the rules rule out. Values implied by others are not coded but overwritten in scratch->values
 * with what they must be; compare to see whether they differed. */
bool model_encode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                  struct model_scratch *scratch, uint8_t *bytes, size_t *n_bytes);

#endif
