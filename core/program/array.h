/* Arrays that grow by doubling, for lists whose length is not known before they are made. */
#ifndef EINSPUL_CORE_PROGRAM_ARRAY_H
#define EINSPUL_CORE_PROGRAM_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* The array with room for more than `n` elements of `size` bytes: itself, or, where `*room` is used
 * up, moved to twice as much, `fewest` at first. NULL without memory, and nothing has changed. */
static inline void *array_reserve(void *array, size_t n, size_t *room, size_t fewest, size_t size)
{
    if (n < *room)
        return array;
    const size_t more = *room == 0 ? fewest : 2 * *room;
    void *larger = realloc(array, more * size);
    if (larger != NULL)
        *room = more;
    return larger;
}

#endif
