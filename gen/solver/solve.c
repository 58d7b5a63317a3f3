/* The solvers, each for values of both sizes. */
#include "gen/solver/solve.h"

/* A fast frame of more states does not fit the cache of a thread, nor many such frames in
 * memory. */
enum { LARGE_STATES = 8000000 };

const struct solver_type solver_plain = {
    "plain", UINT64_MAX, false, {&solver_plain_8, &solver_plain_16}};
const struct solver_type solver_fast = {
    "fast", LARGE_STATES, true, {&solver_fast_8, &solver_fast_16}};
const struct solver_type solver_clock = {
    "clock", UINT64_MAX, false, {&solver_clock_8, &solver_clock_16}};

einspul_status solver_solve(const struct solver_functions *functions, void *solver,
                            struct frame *frame, einspul_error *error)
{
    einspul_status status = functions->start(solver, frame, error);
    if (status == EINSPUL_OK)
        status = functions->decide(solver, frame, error);
    if (status == EINSPUL_OK)
        functions->read(solver, frame);
    return status;
}
