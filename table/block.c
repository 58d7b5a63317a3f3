/* The memory of a decoded block, for both ways to decode one. */
#include "table/open_table.h"

#include <stdlib.h>

struct block *block_create(uint32_t n, uint32_t n_patterns, size_t length)
{
    if (length == 1)
        n_patterns = 0;
    const size_t size =
        sizeof(struct block) + block_patterns_at(n, n_patterns > 256) + n_patterns * length;
    struct block *block = malloc(size);
    if (block != NULL)
        *block = (struct block){.n_placements = n, .n_patterns = n_patterns, .n_bytes = size};
    return block;
}
