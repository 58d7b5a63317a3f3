/* Proofs beyond the tables. */
#ifndef EINSPUL_SERVE_API_SOLVE_H
#define EINSPUL_SERVE_API_SOLVE_H

#include "serve/api.h"

void api_solve(const struct call *call, struct reply *reply);

#endif
