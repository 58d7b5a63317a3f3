/* An allocator that can also just count.
 *
 * The function that allocates a set of arrays is run with `counts_only` to add up their sizes and
 * without it to allocate them, so that a plan's estimate and the allocation cannot differ. The
 * arrays are freed together. */
#ifndef EINSPUL_GEN_VALUES_ALLOCATION_H
#define EINSPUL_GEN_VALUES_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The head of an array. */
struct allocated {
    _Alignas(max_align_t) struct allocated *previous; /* the previous one */
};

/* Zero at first, but for `counts_only`. */
struct allocation {
    bool counts_only;
    bool failed;            /* out of memory; all later arrays are NULL */
    uint64_t n_bytes;       /* of all arrays */
    struct allocated *last; /* the most recent one */
};

/* An array of `n` objects of `size` bytes, uninitialized. NULL if only counting or out of
 * memory. */
static inline void *allocation_alloc(struct allocation *allocation, uint64_t n, size_t size)
{
    struct allocated *allocated = NULL;
    allocation->n_bytes += sizeof *allocated + n * size;
    if (allocation->counts_only || allocation->failed)
        return NULL;
    if (n <= (SIZE_MAX - sizeof *allocated) / size) /* no overflow */
        allocated = malloc(sizeof *allocated + (size_t)n * size);
    allocation->failed = allocated == NULL;
    if (allocated == NULL)
        return NULL;
    allocated->previous = allocation->last;
    allocation->last = allocated;
    return allocated + 1;
}

static inline void allocation_free(struct allocation *allocation)
{
    while (allocation->last != NULL) {
        struct allocated *allocated = allocation->last;
        allocation->last = allocated->previous;
        free(allocated);
    }
}

#endif
