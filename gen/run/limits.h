/* How much memory a run may take, and how many threads: what is asked for, and what the system
 * allows. */
#ifndef EINSPUL_GEN_RUN_LIMITS_H
#define EINSPUL_GEN_RUN_LIMITS_H

#include <stdint.h>
#include <stdio.h>

/* Which limit on memory is the lowest. */
enum memory_source {
    MEMORY_ASKED,         /* the caller's */
    MEMORY_SLURM,         /* what Slurm gives the job, where the caller asks for nothing */
    MEMORY_FREE,          /* what the machine has to spare */
    MEMORY_CGROUP,        /* what is left to a control group of the process, or one above it */
    MEMORY_ADDRESS_SPACE, /* what is left of RLIMIT_AS */
    MEMORY_DATA,          /* what is left of RLIMIT_DATA */
    MEMORY_ADDRESSES      /* half of the address space; the rest is the system's */
};

struct memory_limit {
    uint64_t n_bytes;
    enum memory_source source;
};

/* The limit for a run that is still to begin `n_threads` threads, the caller's included. `asked`: 0
 * if nothing is. Files of the system are read below `root`, "" if it is not a test's; one that is
 * not there sets no limit. Never fails. */
struct memory_limit memory_limit_find(const char *root, uint64_t asked, int n_threads);

/* What follows "80.0 MiB" in messages: "free", "left in the control group", and so on. */
const char *memory_source_text(enum memory_source source);

/* How many threads to begin by default: SLURM_CPUS_PER_TASK; else OMP_NUM_THREADS; else the
 * processors the process may use, no more than a control group's quota of them. 1..1024. */
int threads_wanted(const char *root);

/* --- cgroup.c: what the control groups of the process, version 1 or 2, and those above them allow - */

/* Opens a file of the system to read it. NULL: there is none. */
FILE *system_open(const char *root, const char *path);

/* Bytes of memory left below the lowest limit; UINT64_MAX: no limit. */
uint64_t cgroup_memory(const char *root);

/* Processors of the lowest quota, rounded up; UINT64_MAX: no quota. */
uint64_t cgroup_processors(const char *root);

#endif
