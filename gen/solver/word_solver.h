/* Retrograde analysis, a word of states at a time. */
#ifndef EINSPUL_GEN_SOLVER_WORD_SOLVER_H
#define EINSPUL_GEN_SOLVER_WORD_SOLVER_H

#include "gen/solver/solver.h"

extern const struct solver_ops word_solver;

#endif
