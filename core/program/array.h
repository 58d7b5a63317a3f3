/* Arrays that grow by doubling, for lists of unknown length. */
#ifndef EINSPUL_CORE_PROGRAM_ARRAY_H
#define EINSPUL_CORE_PROGRAM_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Makes space for element `n`. Returns `array`, or, if all `*capacity` elements are in use, `array`
 * reallocated to twice the size (`first` elements the first time). On failure returns NULL and
 * changes nothing. */
static inline void *array_reserve(void *array, size_t n, size_t *capacity, size_t first,
                                  size_t size)
{
    if (n < *capacity)
        return array;
    const size_t larger = *capacity == 0 ? first : 2 * *capacity;
    void *moved = realloc(array, larger * size);
    if (moved != NULL)
        *capacity = larger;
    return moved;
}

#endif
