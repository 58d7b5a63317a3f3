/* The memory and the threads that a run may use: the caller's limits and the system's. */
#ifndef EINSPUL_GEN_RUN_LIMITS_H
#define EINSPUL_GEN_RUN_LIMITS_H

#include <stdint.h>

/* Which limit on memory is the lowest. */
enum memory_source {
    MEMORY_REQUESTED,     /* the caller's */
    MEMORY_SLURM,         /* the Slurm job's, without a limit of the caller's */
    MEMORY_FREE,          /* available on the machine */
    MEMORY_CGROUP,        /* left in a control group of the process, or one above it */
    MEMORY_ADDRESS_SPACE, /* left of RLIMIT_AS */
    MEMORY_DATA,          /* left of RLIMIT_DATA */
    MEMORY_ADDRESSES      /* half of the address space; the rest is the system's */
};

struct memory_limit {
    uint64_t n_bytes;
    enum memory_source source;
};

/* The memory limit of a run that will use `n_threads` threads, the caller's included. `requested`
 * is the caller's limit, or 0. Never fails: a system file that is missing sets no limit. */
struct memory_limit memory_limit_find(uint64_t requested, int n_threads);

/* What follows "80.0 MiB" in messages: "free", "left in the control group", and so on. */
const char *memory_source_text(enum memory_source source);

/* The default number of threads: SLURM_CPUS_PER_TASK; else OMP_NUM_THREADS; else the task's
 * share of SLURM_CPUS_ON_NODE, or of SLURM_JOB_CPUS_PER_NODE; else the processors the process may
 * use, no more than a control group's quota of them. At most as many as fit a limit on the address
 * space. 1..1024. */
int threads_wanted(void);

#endif
