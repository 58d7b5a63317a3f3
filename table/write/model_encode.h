/* Encoding blocks with a model, and packing its weights. */
#ifndef EINSPUL_TABLE_WRITE_MODEL_ENCODE_H
#define EINSPUL_TABLE_WRITE_MODEL_ENCODE_H

#include "table/model.h"

/* Packs the weights as a section of model_section_size bytes. */
void model_pack(const struct model *model, uint8_t *section);

/* An upper bound on the size of a coded block. */
size_t model_encode_bound(const struct model_plan *plan, uint32_t n);

/* Codes the n placements of a block from scratch->values into `bytes`; *n_bytes, which may become
 * 0, is their number. False if a value lies outside the bounds that other rule states set, which
 * the rules rule out. Values implied by others are not coded: in scratch->values they are
 * overwritten with the implied ones; compare to see whether they differed. */
bool model_encode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                  struct model_scratch *scratch, uint8_t *bytes, size_t *n_bytes);

#endif
