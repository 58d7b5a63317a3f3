/* How many threads there can be. OpenMP ends the process when it cannot have those it is asked for,
 * so that is tried out before. */
#ifndef EINSPUL_GEN_THREADS_H
#define EINSPUL_GEN_THREADS_H

#include <stddef.h>

/* The number of threads, the caller's included, that are there when `n_wanted` (1..) of them are
 * begun at once, each with the stack OpenMP gives it and as much room besides: n_wanted, or fewer,
 * but at least 1. They have ended when this returns. Nothing keeps other processes from taking them
 * later. */
int threads_possible(int n_wanted);

/* Bytes of the stack of a thread that OpenMP begins. */
size_t threads_stack_bytes(void);

#endif
