/* Solvers with values of two bytes (gen/values/sized.h). */
#define VALUE_BITS 16
#include "gen/solver/solve_clock_template.h"
#include "gen/solver/solve_fast_template.h"
#include "gen/solver/solve_plain_template.h"
