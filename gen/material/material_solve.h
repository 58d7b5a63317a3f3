/* Solving a material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_SOLVE_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_SOLVE_H

#include "gen/material/material_params.h"

/* Solves all frames, level by level. On success the material is in the store, which the caller
 * still owns. Errors of seeds and solver; NO_SPACE, IO, STOPPED. The result does not depend on
 * n_threads, nor on a file that was there. */
einspul_status material_solve(const struct material_params *params, einspul_error *error);

#endif
