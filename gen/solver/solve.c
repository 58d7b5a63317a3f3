/* What all solvers have in common: the order of their functions. */
#include "gen/solver/solve.h"

enum status solver_solve(const struct solver_type *type, struct solver *solver, struct frame *frame,
                         struct error *error)
{
    enum status status = type->start(solver, frame, error);
    if (status == STATUS_OK)
        status = type->decide(solver, error);
    if (status == STATUS_OK)
        type->read(solver, frame);
    return status;
}
