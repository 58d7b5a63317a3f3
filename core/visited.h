/* Which nodes a search for captures has been at. A node is the piece that captures, the square it
 * stands on, and what it has captured so far; how the capture can go on depends on nothing else.
 * So a node that is met again, the other way round a circle, leads to nothing new. Ways to capture
 * twenty pieces go into the billions where nodes are a million. */
#ifndef EINSPUL_CORE_VISITED_H
#define EINSPUL_CORE_VISITED_H

#include "core/board.h"

#include <stdbool.h>

/* All zero: none yet. */
struct visited {
    uint64_t *keys; /* open addressing; 0: free */
    uint32_t n, n_slots;
    bool out_of_memory; /* a node could not be taken in */
};

void visited_free(struct visited *visited);

/* Takes a node in. False when it was there before, or there is no memory for it. */
bool visited_add(struct visited *visited, int from, int square, squares_t captured);

#endif
