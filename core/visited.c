#include "core/visited.h"

enum { FIRST_NODES = 2048 };

void visited_free(struct visited *visited)
{
    pattern_set_free(&visited->nodes);
}

bool visited_add(struct visited *visited, int from, int square, squares_t captured)
{
    _Static_assert(MAX_SQUARES <= 50, "six bits for each square and fifty for a set: a word");
    const uint64_t node = (captured << 6 | (uint64_t)square) << 6 | (uint64_t)from;
    const uint8_t *pattern = (const uint8_t *)&node;
    einspul_status status = EINSPUL_OK;
    uint32_t number;
    if (visited->nodes.values == NULL)
        status = pattern_set_init(&visited->nodes, sizeof node, FIRST_NODES, UINT32_MAX);
    if (status == EINSPUL_OK && pattern_set_find(&visited->nodes, pattern, &number))
        return false;
    if (status == EINSPUL_OK)
        status = pattern_set_insert(&visited->nodes, pattern, &number);
    visited->out_of_memory = status != EINSPUL_OK;
    return status == EINSPUL_OK;
}
