/* The solvers. */
#include "gen/solver/solve_clock_template.h"
#include "gen/solver/solve_fast_template.h"
#include "gen/solver/solve_plain_template.h"
