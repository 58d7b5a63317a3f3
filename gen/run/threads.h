/* How many threads to begin, and what each takes. */
#ifndef EINSPUL_GEN_RUN_THREADS_H
#define EINSPUL_GEN_RUN_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the stack of a thread that OpenMP begins. */
size_t threads_stack_bytes(void);

/* The whole number that an environment variable has, or that its list between commas begins with;
 * 0 where there is none. */
uint64_t environment_number(const char *name);

/* How many threads to begin by default: SLURM_CPUS_PER_TASK; else OMP_NUM_THREADS; else
 * the processors the process may use, no more than a control group's quota of them, rounded up.
 * Files of the system are read below `root`, "" if it is not a test's. 1..1024. */
int threads_wanted(const char *root);

/* The least quota of processors of the process's control groups, version 1 or 2, rounded up;
 * INT_MAX where there is none. Part of threads_wanted. */
int threads_of_cgroups(const char *root);

#endif
