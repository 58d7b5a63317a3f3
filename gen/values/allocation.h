/* Arrays, and their sizes, from one description.
 *
 * A function takes its arrays one after the other. Run with `counts_only` it adds up their bytes,
 * run without it allocates them: what a plan foresees and what is allocated are one sum. They are
 * freed together. */
#ifndef EINSPUL_GEN_VALUES_ALLOCATION_H
#define EINSPUL_GEN_VALUES_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The head of an array. */
struct taken {
    _Alignas(max_align_t) struct taken *before; /* the one that was taken before it */
};

/* Zero at first, but for `counts_only`. */
struct allocation {
    bool counts_only;
    bool failed;        /* memory ran out: what was taken after that is NULL */
    uint64_t n_bytes;   /* of what was taken */
    struct taken *last; /* that was taken */
};

/* Room for `n` objects of `size` bytes, its content undefined. NULL when only counting, and when
 * memory runs out. */
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
