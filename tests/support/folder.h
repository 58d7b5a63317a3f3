/* A separate folder for each test. */
#ifndef EINSPUL_TESTS_SUPPORT_FOLDER_H
#define EINSPUL_TESTS_SUPPORT_FOLDER_H

#include "tests/support/files.h"

/* The test's folder. Created and removed by `.init` and `.fini` of a suite, or by a main. */
extern char folder[512];
void make_folder(void);
void drop_folder(void);

/* The path of a name in the folder; overwritten by the next call. */
const char *path_of(const char *name);

int folder_entries(void);

/* Runs a shell command there, which must succeed. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void shell(const char *format, ...);

/* True if two folders in it hold byte-identical files. */
void expect_same(const char *a, const char *b);

#endif
