/* The nodes that a search for captures has visited. A node is the origin of the capturing piece,
 * the square it stands on, and the set of pieces captured so far; the continuations depend on
 * nothing else. So a node reached again, say the other way round a circle, leads to nothing new.
 * Twenty pieces may be captured in billions of ways through a million nodes. */
#ifndef EINSPUL_CORE_VISITED_H
#define EINSPUL_CORE_VISITED_H

#include "core/board.h"
#include "core/pattern_set.h"

/* All zero: none yet. */
struct visited {
    struct pattern_set nodes;
    bool out_of_memory; /* a node could not be added */
};

void visited_free(struct visited *visited);

/* Adds a node. False if it was there before, or if there is no memory for it. */
bool visited_add(struct visited *visited, int from, int square, squares_t captured);

#endif
