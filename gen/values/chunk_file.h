/* A file of chunks, appended one after the other: the part of a material solved so far, so that an
 * interrupted run can resume, or chunks that do not fit in memory. Read only by the same version of
 * the program; a damaged record counts as missing. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_FILE_H
#define EINSPUL_GEN_VALUES_CHUNK_FILE_H

#include "gen/values/chunk.h"

enum { CHUNK_FILE_SIGNATURE_SIZE = 64 };

struct chunk_file;

/* The location of a record; n_bytes is 0 if there is none. */
struct chunk_record {
    uint64_t offset;
    uint32_t n_bytes;
};

/* Creates a file <stem>.<number>.part of this process and copies into it the intact records, for
 * pages below `n`, of all other files with this stem and key; `records`, empty before, gets their
 * locations. Files whose process has ended are then removed; where locks do not work, none are. IO,
 * NO_SPACE, NO_MEMORY, or STOPPED when `stop`, which may be NULL, is non-zero: some locations may be
 * set. */
einspul_status chunk_file_create_part(const char *stem,
                                      const uint8_t key[CHUNK_FILE_SIGNATURE_SIZE],
                                      const struct chunk_form *form, struct chunk_record *records,
                                      uint64_t n, const _Atomic int *stop, struct chunk_file **file,
                                      einspul_error *error);

/* Removes the files of a stem whose lock is free, i.e. whose process has ended. */
void chunk_file_remove_parts(const char *stem);

/* A file without a name in a folder. IO, NO_SPACE, NO_MEMORY. */
einspul_status chunk_file_create_hidden(const char *folder, const struct chunk_form *form,
                                        struct chunk_file **file, einspul_error *error);

void chunk_file_close(struct chunk_file *file); /* NULL is allowed */

/* Unlinks a file; it remains usable. */
void chunk_file_unlink(struct chunk_file *file);

/* Adds a chunk. Thread-safe. IO, NO_SPACE, NO_MEMORY. */
einspul_status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                              struct chunk_record *record, einspul_error *error);

/* Reads a chunk back. Thread-safe. IO, NO_MEMORY; CORRUPT if it differs from the chunk that was written. */
einspul_status chunk_file_get(const struct chunk_file *file, uint64_t page,
                              struct chunk_record record, struct chunk **chunk,
                              einspul_error *error);

#endif
