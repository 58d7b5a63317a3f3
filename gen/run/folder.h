/* The folder that the tables of a rule set are written to, and the lock that keeps a second writer
 * out of it. docs/method.md states its guarantees, and those without it. */
#ifndef EINSPUL_GEN_RUN_FOLDER_H
#define EINSPUL_GEN_RUN_FOLDER_H

#include "core/rules.h"
#include "core/status.h"

/* Creates <root>/<rules> and its parents if they do not exist. IO, BAD_ARGUMENT (the path is empty
 * or too long). */
einspul_status folder_make(const char *root, const struct rules *rules, einspul_error *error);

/* Locks <root>/<rules> against other processes that write tables there, until `*lock`, a file, is
 * closed, and removes what ended writers left there. A writer examines the folder only after this.
 * *lock is -1 on error. NO_FOLDER if the folder does not exist; LOCKED if another process holds the
 * lock; IO, also if the file system refuses locks; BAD_ARGUMENT. */
einspul_status folder_lock(const char *root, const struct rules *rules, int *lock,
                           einspul_error *error);

/* Takes a shared lock, for processes that each make one material; it excludes folder_lock. Nothing
 * is removed. Where the file system has no such locks, it succeeds without one. LOCKED when a
 * process holds it alone; else errors as folder_lock. */
einspul_status folder_share(const char *root, const struct rules *rules, int *lock,
                            einspul_error *error);

#endif
