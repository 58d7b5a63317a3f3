/* A file that appears whole or not at all: a temporary one beside it, synced, then renamed. */
#ifndef EINSPUL_TABLE_WRITE_OUTPUT_H
#define EINSPUL_TABLE_WRITE_OUTPUT_H

#include "core/status.h"

#include <stdint.h>

struct output {
    int file;        /* -1 when there is none; must be so before output_create */
    char *temporary; /* <folder>/.<name>.<number>.tmp */
    char *path;
};

/* Checks that a file can be put at a path: there is no file, or a regular one to be replaced.
 * Symbolic links are refused. IO. */
einspul_status output_check(const char *path, einspul_error *error);

/* Opens the temporary file. Removes leftovers of interrupted writers of the same path first; the
 * file of an active writer is locked, and stays. The new file gets mode and owner of the file it
 * will replace; it is an error if that fails. Errors as output_check, NO_SPACE, NO_MEMORY; after an
 * error there is no temporary file. */
einspul_status output_create(struct output *output, const char *path, einspul_error *error);

/* Writes at an offset of the file. IO, NO_SPACE. */
einspul_status output_write(struct output *output, uint64_t offset, const void *bytes,
                            size_t n_bytes, einspul_error *error);

/* Syncs the file, puts it in its place and syncs the folder. IO, NO_SPACE. */
einspul_status output_commit(struct output *output, einspul_error *error);

/* Puts the file in its place without syncing: after a crash of the machine the old file, the new
 * one, or an empty one may be there. Errors as output_commit. */
einspul_status output_commit_unsynced(struct output *output, einspul_error *error);

/* Removes an uncommitted file and releases memory; to be called after a commit too. */
void output_abandon(struct output *output);

/* The error of a file that there is no memory to write: NO_MEMORY. */
einspul_status output_no_memory(const char *path, einspul_error *error);

/* Syncs the folder of a path. IO, NO_MEMORY. */
einspul_status output_sync_folder(const char *path, einspul_error *error);

/* Opens a new file, with further flags of os_open, and locks it to mark it as no leftover. -1 and
 * errno; EAGAIN if another process removed it as a leftover before it was locked: try another
 * name. */
int output_create_locked(const char *path, unsigned how);

/* A number for a unique file name, also among machines that share the folder: made of host,
 * process, time and a random number. */
uint64_t output_unique_number(void);

/* Removes leftovers of interrupted writers of tables, and of the record of tables, from a
 * folder. */
void output_remove_leftovers(const char *folder);

#endif
