/* The error of the lowest part of a loop whose parts run on several threads, so that a report does not
 * depend on their number. */
#ifndef EINSPUL_VERIFY_FIRST_ERROR_H
#define EINSPUL_VERIFY_FIRST_ERROR_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct first_error {
    uint64_t part; /* UINT64_MAX: no error */
    einspul_error error;
};

static inline void first_error_init(struct first_error *first)
{
    *first = (struct first_error){.part = UINT64_MAX};
}

/* True if an earlier part failed, so that this one need not run. */
static inline bool first_error_precedes(const struct first_error *first, uint64_t part)
{
    uint64_t failed;
#pragma omp atomic read
    failed = first->part;
    return failed < part;
}

static inline void first_error_keep(struct first_error *first, uint64_t part, einspul_status status,
                                    const einspul_error *error)
{
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
        return EINSPUL_OK;
    if (error != NULL)
        *error = first->error;
    return first->error.status;
}

#endif
