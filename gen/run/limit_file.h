/* The system's files on limits. */
#ifndef EINSPUL_GEN_RUN_LIMIT_FILE_H
#define EINSPUL_GEN_RUN_LIMIT_FILE_H

#include <stdio.h>

/* Opens a system file, such as "/proc/meminfo", for reading. NULL if it is missing. */
FILE *limit_file_open(const char *path);

#endif
