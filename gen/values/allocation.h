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
struct taken {
    _Alignas(max_align_t) struct taken *before; /* the previous one */
};

/* Zero at first, but for `counts_only`. */
struct allocation {
    bool counts_only;
    bool failed;        /* out of memory; all later arrays are NULL */
    uint64_t n_bytes;   /* of all arrays */
    struct taken *last; /* the most recent one */
};

/* An array of `n` objects of `size` bytes, uninitialized. NULL if only counting or out of
 * memory. */
static inline void *allocation_take(struct allocation *allocation, uint64_t n, size_t size)
{
    struct taken *taken = NULL;
    allocation->n_bytes += sizeof *taken + n * size;
    if (allocation->counts_only || allocation->failed)
        return NULL;
    if (n <= (SIZE_MAX - sizeof *taken) / size) /* no overflow */
        taken = malloc(sizeof *taken + (size_t)n * size);
    allocation->failed = taken == NULL;
    if (taken == NULL)
        return NULL;
    taken->before = allocation->last;
    allocation->last = taken;
    return taken + 1;
}

static inline void allocation_free(struct allocation *allocation)
{
    while (allocation->last != NULL) {
        struct taken *taken = allocation->last;
        allocation->last = taken->before;
        free(taken);
    }
}

#endif
