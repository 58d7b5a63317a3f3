/* Values of solved materials. */
#include "tests/support/solved.h"

const uint8_t *solved_values(const struct solved *solved, int side, uint64_t index,
                             int *value_bytes)
{
    const struct shape *shape = &solved->shape;
    const uint64_t frame = index / shape->frame_size;
    const uint64_t address =
        solved_frame_address(solved, side, (uint32_t)(frame / shape->n_men_sets[BLACK]),
                             (uint32_t)(frame % shape->n_men_sets[BLACK])) +
        index % shape->frame_size;
    const struct chunk *chunk = solved_chunk(solved, address);
    if (chunk == NULL)
        return NULL;
    *value_bytes = chunk->value_bytes;
    return chunk_values(chunk, address, shape->n_run_states);
}
