/* The solver of material that is stored with its clock. */
#ifndef EINSPUL_GEN_SOLVER_CLOCK_SOLVER_H
#define EINSPUL_GEN_SOLVER_CLOCK_SOLVER_H

#include "gen/solver/solver.h"

/* Overrides the caller's choice (solver_of). */
extern const struct solver_ops clock_solver;

static inline const struct solver_ops *solver_of(const struct shape *shape,
                                                 const struct solver_ops *chosen)
{
    return shape->n_clocks > 1 ? &clock_solver : chosen;
}

#endif
