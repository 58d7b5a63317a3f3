/* The control groups of the process, version 1 or 2, and their files. */
#ifndef EINSPUL_GEN_RUN_CGROUP_H
#define EINSPUL_GEN_RUN_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CGROUP_PATH_SIZE = 4096 };

/* Opens a file to read it; all paths are below `root`, "" if it is not a test's. NULL: there is
 * none. */
FILE *cgroup_open(const char *root, const char *path);

/* The number a file of a group holds; false when there is none, as with "max". */
bool cgroup_number(const char *root, const char *group, const char *name, uint64_t *number);

/* Visits the folders of the process's group for a controller ("memory", "cpu") and of those
 * above it, as far as they are mounted, in one version (1 or 2) of control groups. */
typedef void cgroup_visit(const char *root, const char *group, void *context);
void cgroup_each(const char *root, int version, const char *controller, cgroup_visit *visit,
                 void *context);

#endif
