/* Lists of paths, separated as in PATH: by ':', on Windows by ';'. */
#ifndef EINSPUL_CORE_PATH_LIST_H
#define EINSPUL_CORE_PATH_LIST_H

#include <stdbool.h>

/* Cuts off the next path of a list, in place, and moves *list after it; NULL at the end. Empty paths
 * are skipped. Of paths of files, the longest that exists counts as one, separators included, so
 * that any name can be given as it is written. */
char *path_list_next(char **list, bool of_files);

#endif
