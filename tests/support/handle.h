/* Handles of the library on tables of a test. */
#ifndef EINSPUL_TESTS_SUPPORT_HANDLE_H
#define EINSPUL_TESTS_SUPPORT_HANDLE_H

#include "einspul.h"

/* A handle on one folder of tables; ends the test where it cannot be opened. */
einspul *open_tables(const char *root, const char *rules, size_t cache_bytes, einspul_io io);

/* The same as a user gets it who says no more than where and which. */
einspul *open_default(const char *root, const char *rules);

#endif
