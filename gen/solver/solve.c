#include "gen/solver/solve.h"

einspul_status solver_solve(const struct solver_type *type, void *solver, struct frame *frame,
                            einspul_error *error)
{
    einspul_status status = type->start(solver, frame, error);
    if (status == EINSPUL_OK)
        status = type->decide(solver, frame, error);
    if (status == EINSPUL_OK)
        type->read(solver, frame);
    return status;
}
