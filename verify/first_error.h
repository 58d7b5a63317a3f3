/* The error of the lowest part of a loop whose parts run on several threads, so that a report does not
 * depend on their number; and the request to stop, which every part heeds. */
#ifndef EINSPUL_VERIFY_FIRST_ERROR_H
#define EINSPUL_VERIFY_FIRST_ERROR_H

#include "core/watch.h"

#include <stdbool.h>
#include <stdint.h>

struct first_error {
    struct watch *watch; /* of the loop; may be NULL */
    uint64_t part;       /* UINT64_MAX: no error */
    einspul_error error;
};

/* Before a loop of n_parts. */
static inline void first_error_init(struct first_error *first, struct watch *watch,
                                    uint64_t n_parts)
{
    *first = (struct first_error){.watch = watch, .part = UINT64_MAX};
    watch_parts(watch, n_parts);
}

/* True if an earlier part failed or the loop is to stop, so that this one need not run. */
static inline bool first_error_precedes(const struct first_error *first, uint64_t part)
{
    uint64_t failed;
#pragma omp atomic read
    failed = first->part;
    return failed < part || watch_stopped(first->watch);
}

/* After a part: keeps its error if it is the first. */
static inline void first_error_keep(struct first_error *first, uint64_t part, einspul_status status,
                                    const einspul_error *error)
{
    watch_add(first->watch, 1);
    if (status == EINSPUL_OK)
        return;
#pragma omp critical(verify_error)
    if (part < first->part) {
#pragma omp atomic write
        first->part = part;
        first->error = *error;
        first->error.status = status;
    }
}

static inline einspul_status first_error_give(const struct first_error *first, einspul_error *error)
{
    if (first->part == UINT64_MAX)
        return watch_status(first->watch, error);
    if (error != NULL)
        *error = first->error;
    return first->error.status;
}

#endif
