/* What the control groups of the process, version 1 or 2, and those above them let it have. Files of
 * the system are read below `root`, "" if it is not a test's; one that is not there sets no limit. */
#ifndef EINSPUL_GEN_RUN_CGROUP_H
#define EINSPUL_GEN_RUN_CGROUP_H

#include <stdint.h>
#include <stdio.h>

/* Opens a file of the system to read it. NULL: there is none. */
FILE *system_open(const char *root, const char *path);

/* Bytes of memory left below the lowest limit; UINT64_MAX: no limit. */
uint64_t cgroup_memory(const char *root);

/* Processors of the lowest quota, rounded up; UINT64_MAX: no quota. */
uint64_t cgroup_processors(const char *root);

#endif
