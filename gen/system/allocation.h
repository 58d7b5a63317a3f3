/* Arrays and their sizes from one description.
 *
 * A function takes its arrays one after the other. Run with `counts_only` it adds up their bytes,
 * run without it allocates them: what a plan foresees and what is allocated are one sum. */
#ifndef EINSPUL_GEN_SYSTEM_ALLOCATION_H
#define EINSPUL_GEN_SYSTEM_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct allocation {
    bool counts_only;
    bool failed;      /* memory ran out: what was taken after that is NULL */
    uint64_t n_bytes; /* of what was taken */
};

/* Room for `n` objects of `size` bytes, its content undefined, to be freed with free(). NULL when
 * only counting, and when memory runs out. */
static inline void *allocation_take(struct allocation *allocation, uint64_t n, size_t size)
{
    void *room = NULL;
    allocation->n_bytes += n * size;
    if (allocation->counts_only || allocation->failed)
        return NULL;
    if (n <= SIZE_MAX / size) /* else not even an address could be told */
        room = malloc(n > 0 ? (size_t)n * size : 1);
    allocation->failed = room == NULL;
    return room;
}

#endif
