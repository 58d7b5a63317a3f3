/* A frame's values into chunks. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_CHUNKS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_CHUNKS_H

#include "gen/material/material_work.h"

/* Sets `twin_rule_state`: Black to move in a frame of symmetric material is White to move in its
 * twin. */
void work_fill_twin_states(struct work *work);

/* Enters placements first .. first + n - 1 of a frame, with `side` to move, from `place` of a chunk
 * on. NO_MEMORY. */
einspul_status work_put_frame(const struct work *work, struct chunk_builder *builder,
                              uint32_t place, const struct frame *frame, int side, uint64_t first,
                              uint32_t n);

/* Makes a page's chunk, unless the file had it. NO_MEMORY; errors of pages_add. */
einspul_status work_finish_chunk(struct work *work, const struct chunk_builder *builder, int side,
                                 uint64_t page, einspul_error *error);

/* Makes the chunks of a worker's frame of several pages, of which the first is `page`. */
einspul_status work_finish_large_frame(struct work *work, struct worker *worker, uint64_t page,
                                       einspul_error *error);

#endif
