/* The limits of the control groups of the process, version 1 or 2, and of those above. */
#ifndef EINSPUL_GEN_RUN_CGROUP_H
#define EINSPUL_GEN_RUN_CGROUP_H

#include <stdint.h>

/* Bytes of memory left below the lowest limit; UINT64_MAX: no limit. */
uint64_t cgroup_memory(void);

/* Processors of the lowest quota, rounded up; UINT64_MAX: no quota. */
uint64_t cgroup_processors(void);

#endif
