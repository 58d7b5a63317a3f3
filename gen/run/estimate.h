/* How long materials will take on this machine. */
#ifndef EINSPUL_GEN_RUN_ESTIMATE_H
#define EINSPUL_GEN_RUN_ESTIMATE_H

#include "gen/run/run_options.h"

/* How fast the machine is beside the one the rates were measured on: solves a little Frisian
 * material on one thread, a fraction of a second. NO_MEMORY. */
einspul_status estimate_speed(double *speed, einspul_error *error);

/* Seconds a material takes on `n_threads` threads, its tables included. */
double estimate_seconds(const struct rules *rules, const struct material *material,
                        unsigned metrics, int n_threads, double speed);

#endif
