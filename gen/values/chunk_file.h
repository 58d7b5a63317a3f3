/* A file of chunks, one behind the other: what is solved of a material, for a run that is stopped
 * and goes on, or what memory has no room for. A record is read back by the program that wrote it;
 * one that is damaged is as if it were not there. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_FILE_H
#define EINSPUL_GEN_VALUES_CHUNK_FILE_H

#include "gen/values/chunk.h"

enum { CHUNK_FILE_KEY_SIZE = 64 };

struct chunk_file;

/* Where a record stands; of 0 bytes where there is none. */
struct chunk_record {
    uint64_t offset;
    uint32_t n_bytes;
};

/* Tells of a record that was found: whose chunk it is, and the quiet placements by pattern. */
typedef einspul_status chunk_found(void *context, uint64_t page, const struct chunk *chunk,
                                   const uint32_t *count, struct chunk_record record);

/* What chunks of a file have in common. */
struct chunk_form {
    int n_run_states;
    int limit; /* of moves of White's two kings; 0: none */
    uint64_t n_pages_a_side;
};

/* Opens `path`, which is kept, and tells of its sound records if it begins with `key`; if it does
 * not, it begins anew. No file comes back where none can be made, or what has its name is no
 * regular file; a symbolic link is an error. IO, NO_SPACE, NO_MEMORY, errors of `found`. */
einspul_status chunk_file_open(const char *path, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                               const struct chunk_form *form, chunk_found *found, void *context,
                               struct chunk_file **file, einspul_error *error);

/* For a material that other processes may solve too: makes a file <stem>.<number>.part that no other process
 * has, with the sound records of all others of that stem, and tells of them. Those whose writers
 * are there no more are removed; without locks all are left. IO, NO_SPACE, NO_MEMORY, errors of
 * `found`. */
einspul_status chunk_file_adopt(const char *stem, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                                const struct chunk_form *form, chunk_found *found, void *context,
                                struct chunk_file **file, einspul_error *error);

/* Removes those files of a stem whose writers are there no more, as far as locks tell. */
void chunk_file_remove_parts(const char *stem);

/* A file without a name in a folder. IO, NO_SPACE, NO_MEMORY. */
einspul_status chunk_file_hidden(const char *folder, const struct chunk_form *form,
                                 struct chunk_file **file, einspul_error *error);

/* Closes it; removes its name, if it has one, when `remove`. NULL is allowed. */
void chunk_file_close(struct chunk_file *file, bool remove);

/* Removes the name of a file, which is used on. */
void chunk_file_unlink(struct chunk_file *file);

/* Adds a chunk of any owner; `count` may be NULL. Any number of threads may. IO, NO_SPACE,
 * NO_MEMORY. */
einspul_status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                              const uint32_t *count, struct chunk_record *record,
                              einspul_error *error);

/* Reads one back, and with `count` not NULL its counts, to be freed. Any number of threads may.
 * IO, NO_MEMORY; CORRUPT where it is not what was written. */
einspul_status chunk_file_get(const struct chunk_file *file, uint64_t page,
                              struct chunk_record record, struct chunk **chunk, uint32_t **count,
                              einspul_error *error);

#endif
