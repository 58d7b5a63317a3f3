/* Reference solver and seeds, one state at a time, easy to check against the rules. They share only
 * the move generator with the production code, whose results must equal theirs. */
#ifndef EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H
#define EINSPUL_TESTS_SUPPORT_ORACLE_SOLVER_H

#include "gen/solver/solver.h"

extern const struct seed_ops seeds_plain;
extern const struct solver_ops solver_plain;

#endif
