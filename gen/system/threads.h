/* How many threads there can be. OpenMP ends the process when it cannot have those it is asked for,
 * so that is tried out before. */
#ifndef EINSPUL_GEN_SYSTEM_THREADS_H
#define EINSPUL_GEN_SYSTEM_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* The number of threads, the caller's included, that are there when `n_wanted` (1..) of them are
 * begun at once, each with the stack OpenMP gives it and as much room besides: n_wanted, or fewer,
 * but at least 1. They have ended when this returns. Nothing keeps other processes from taking them
 * later. */
int threads_possible(int n_wanted);

/* Bytes of the stack of a thread that OpenMP begins. */
size_t threads_stack_bytes(void);

/* The whole number that an environment variable has, or that its list between commas begins with;
 * 0 where there is none. */
uint64_t environment_number(const char *name);

/* How many threads to begin where nobody says: SLURM_CPUS_PER_TASK; else OMP_NUM_THREADS; else
 * the processors the process may use, no more than a control group's quota of them, rounded up.
 * Files of the system are read below `root`, "" if it is not a test's. 1..1024. */
int threads_wanted(const char *root);

/* The least quota of processors of the process's control groups, version 1 or 2, rounded up;
 * INT_MAX where there is none. Part of threads_wanted. */
int threads_of_cgroups(const char *root);

#endif
