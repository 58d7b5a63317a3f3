/* How much memory a run may take: the least of what is asked for and of the limits of the system
 * that end, or starve, a process that goes beyond them. */
#ifndef EINSPUL_GEN_RUN_MEMORY_LIMIT_H
#define EINSPUL_GEN_RUN_MEMORY_LIMIT_H

#include <stdint.h>

/* Which of them it is. */
enum memory_source {
    MEMORY_ASKED,         /* the caller's */
    MEMORY_SLURM,         /* what Slurm gives the job, where the caller asks for nothing */
    MEMORY_FREE,          /* what the machine has to spare */
    MEMORY_CGROUP,        /* what is left to a control group of the process, or one above it */
    MEMORY_ADDRESS_SPACE, /* what is left of RLIMIT_AS */
    MEMORY_DATA,          /* what is left of RLIMIT_DATA */
    MEMORY_ADDRESSES      /* half of what an address can tell; the system may have the other */
};

struct memory_limit {
    uint64_t n_bytes;
    enum memory_source source;
};

/* The limit for a run that is still to begin `n_threads` threads, the caller's included. `asked`: 0
 * if nothing is. Files of the system are read below `root`, "" if it is not a test's; one that is
 * not there sets no limit. Never fails. */
struct memory_limit memory_limit_find(const char *root, uint64_t asked, int n_threads);

/* What is left of a limit on memory in the process's control groups, version 1 or 2, the least of
 * them and those above them; UINT64_MAX where there is none. Part of memory_limit_find. */
uint64_t memory_left_to_cgroups(const char *root);

/* What SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU times the job's CPUs, say in the environment;
 * UINT64_MAX: nothing. Part of memory_limit_find. */
uint64_t memory_of_slurm(void);

/* What stands behind "80.0 MiB" in messages: "free", "left in the control group", and so on. */
const char *memory_source_text(enum memory_source source);

#endif
