/* Solver and seeds that are easy to read beside the rules, a state at a time. They share the mover
 * with the generator's, and no more; what they find is what those must find. */
#ifndef EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H
#define EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H

#include "gen/solver/solver.h"

extern const struct seed_ops seeds_plain;
extern const struct solver_ops solver_plain;

#endif
