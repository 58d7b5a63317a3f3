/* The folder that the tables of a rule set are written to, and the lock that keeps a second writer
 * out of it. What the lock promises, and what holds without it, is in docs/method.md. */
#ifndef EINSPUL_GEN_RUN_FOLDER_H
#define EINSPUL_GEN_RUN_FOLDER_H

#include "core/rules.h"
#include "core/status.h"

/* Makes <root>/<rules> with all folders above it; nothing is wrong when it is there. IO,
 * BAD_ARGUMENT (the path is empty or too long). */
einspul_status folder_make(const char *root, const struct rules *rules, einspul_error *error);

/* Locks <root>/<rules> against other processes that write tables there, until `*lock`, a file, is
 * closed, and removes what stopped writers left there. A writer looks at the folder only after
 * this. `*lock` is -1 unless OK comes back. NO_FOLDER when it is not there; LOCKED when another
 * process holds it; IO, also when no lock can be had; BAD_ARGUMENT. */
einspul_status folder_lock(const char *root, const struct rules *rules, int *lock,
                           einspul_error *error);

/* Holds the folder with others that do the same, each of which makes one material, and keeps
 * folder_lock out. Nothing is removed. Where the file system has no such locks, it succeeds without
 * one. LOCKED when a process holds it alone; else errors as folder_lock. */
einspul_status folder_share(const char *root, const struct rules *rules, int *lock,
                            einspul_error *error);

#endif
