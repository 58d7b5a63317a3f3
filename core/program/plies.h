/* Values from distances, for programs that compute or check values. */
#ifndef EINSPUL_CORE_PROGRAM_PLIES_H
#define EINSPUL_CORE_PROGRAM_PLIES_H

#include "core/value.h"

enum { MAX_WIN_PLIES = 253, MAX_LOSS_PLIES = 252 };

/* A win for odd plies, 1..MAX_WIN_PLIES, a loss for even ones, 0..MAX_LOSS_PLIES. */
static inline value_t value_from_plies(int plies)
{
    return (value_t)(plies % 2 != 0 ? VALUE_WIN_IN_1 - plies / 2 : plies / 2);
}

#endif
