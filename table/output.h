/* A file that appears whole or not at all: a temporary one beside it, synced, then renamed. */
#ifndef EINSPUL_TABLE_OUTPUT_H
#define EINSPUL_TABLE_OUTPUT_H

#include "core/status.h"

#include <stdint.h>

struct output {
    int file;        /* -1 when there is none; must be so before output_create */
    char *temporary; /* <folder>/.<name>.<number>.tmp */
    char *path;
};

/* That a file can be put at a path: there is a regular file now, which it would replace, or none.
 * Nothing is written through a symbolic link. IO. */
enum status output_check(const char *path, struct error *error);

/* Opens the temporary file, after removing what stopped writers of the same path left: that of a
 * writer at work is locked, and stays. It gets mode and owner of the file it is to replace, or is
 * refused where that cannot be. Errors as output_check, and NO_SPACE, NO_MEMORY; then nothing is
 * there. */
enum status output_create(struct output *output, const char *path, struct error *error);

/* Writes at a place of the file. IO, NO_SPACE. */
enum status output_write(struct output *output, uint64_t offset, const void *bytes, size_t n_bytes,
                         struct error *error);

/* Syncs the file, puts it in its place and syncs the folder. IO, NO_SPACE. */
enum status output_commit(struct output *output, struct error *error);

/* Puts the file in its place without waiting for the disk: after a crash of the machine there may be
 * the old one, the new one, or one without content. Errors as output_commit. */
enum status output_put(struct output *output, struct error *error);

/* Removes what was not committed and releases the rest; after a commit as well. */
void output_abandon(struct output *output);

/* Makes a name in the folder of a path last. IO, NO_MEMORY. */
enum status output_sync_folder(const char *path, struct error *error);

/* Opens a new file, with what os_open takes besides, and locks it, by which who looks for leftovers knows
 * that it is none. -1 and errno; EAGAIN: it was taken for one before the lock, and another name is to be
 * tried. */
int output_open_own(const char *path, unsigned how);

/* A number for a name that no other process uses, on this machine or another one that shares the
 * folder: host, process, time and chance are in it. */
uint64_t output_number(void);

/* Removes what stopped writers of tables, and of the record of them, left in a folder. */
void output_clean(const char *folder);

#endif
