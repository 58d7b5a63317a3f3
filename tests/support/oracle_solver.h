/* Solver and seeds that are easy to read beside the rules, a state at a time. They share the mover
 * with the generator's, and no more; what they find is what those must find. */
#ifndef EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H
#define EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H

#include "gen/solver/solve.h"

extern const struct seeds seeds_plain;
extern const struct solver_type solver_plain;

#endif
