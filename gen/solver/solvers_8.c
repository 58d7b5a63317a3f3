/* Solvers with values of one byte (gen/values/sized.h). */
#define VALUE_BITS 8
#include "gen/solver/solve_clock_template.h"
#include "gen/solver/solve_fast_template.h"
#include "gen/solver/solve_plain_template.h"
