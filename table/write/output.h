/* Atomic replacement of a file: writes a temporary file in the same folder, syncs it and renames
 * it. */
#ifndef EINSPUL_TABLE_WRITE_OUTPUT_H
#define EINSPUL_TABLE_WRITE_OUTPUT_H

#include "core/status.h"

#include <stdint.h>

struct output {
    int file;        /* -1 if none is open; must be so before output_create */
    char *temporary; /* <folder>/.<name>.<number>.tmp */
    char *path;
};

/* Checks that a file can be put at a path: no file exists, or a regular one to be replaced.
 * Symbolic links are refused. IO. */
einspul_status output_check(const char *path, einspul_error *error);

/* Opens the temporary file. Removes leftovers of interrupted writers of the same path first; the
 * file of an active writer is locked, and stays. The new file gets mode and owner of the file it
 * will replace; it is an error if that fails. Errors as output_check, NO_SPACE, NO_MEMORY; after an
 * error no temporary file remains. */
einspul_status output_create(struct output *output, const char *path, einspul_error *error);

/* Writes at an offset of the file. IO, NO_SPACE. */
einspul_status output_write(struct output *output, uint64_t offset, const void *bytes,
                            size_t n_bytes, einspul_error *error);

/* Syncs the file, renames it into place and syncs the folder. IO, NO_SPACE. */
einspul_status output_commit(struct output *output, einspul_error *error);

/* Renames the file into place without syncing. After a system crash the path may hold the old file,
 * the new one, or an empty one. Errors as output_commit. */
einspul_status output_commit_unsynced(struct output *output, einspul_error *error);

/* Removes an uncommitted file and releases memory; to be called after a commit too. */
void output_abandon(struct output *output);

/* Reports that there is not enough memory to write `path`; returns NO_MEMORY. */
einspul_status output_no_memory(const char *path, einspul_error *error);

/* Creates a file, with further flags of os_open_as, and locks it to mark it as active. -1 and
 * errno; EAGAIN if another process removed it as a leftover before it was locked: try another
 * name. */
int output_create_locked(const char *path, unsigned how);

/* A number for a unique file name, also among machines that share the folder: a hash of host,
 * process, time and a random number. */
uint64_t output_unique_number(void);

/* Removes leftovers of interrupted writers from a folder. */
void output_remove_leftovers(const char *folder);

#endif
