/* Training the weights of a model. */
#ifndef EINSPUL_TABLE_WRITE_MODEL_TRAIN_H
#define EINSPUL_TABLE_WRITE_MODEL_TRAIN_H

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
 * (AdaGrad). If it refines them, weights that save less than they cost are dropped, and the others
 * are trained by half of the sample or all of it again. Single-threaded. NO_MEMORY, errors of the
 * sample's read function. */
einspul_status model_train(struct model *model, enum side side, const struct model_sample *sample,
                           bool refines);

#endif
