/* A file of chunks, one behind the other: what is solved of a material, for a run that is stopped
 * and goes on, or what memory has no room for. It is read by the program that wrote it; a damaged
 * record counts as missing. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_FILE_H
#define EINSPUL_GEN_VALUES_CHUNK_FILE_H

#include "gen/values/chunk.h"

enum { CHUNK_FILE_KEY_SIZE = 64 };

struct chunk_file;

/* Where a record is; of 0 bytes where there is none. */
struct chunk_record {
    uint64_t offset;
    uint32_t n_bytes;
};

/* What chunks of a file have in common. */
struct chunk_form {
    int n_rule_states;
    int limit; /* of moves of White's two kings; 0: none */
    uint64_t n_pages_a_side;
};

/* Makes a file <stem>.<number>.part that no other process has. It takes over the sound records of
 * all other files of that stem that begin with the same key, of pages below `n`, and enters them in
 * `records`, which are empty. Files of stopped processes are then removed; where locks do nothing all
 * are left. IO, NO_SPACE, NO_MEMORY: some may have been entered. */
einspul_status chunk_file_part(const char *stem, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                               const struct chunk_form *form, struct chunk_record *records,
                               uint64_t n, struct chunk_file **file, einspul_error *error);

/* Removes the files of a stem that stopped processes left, as far as locks tell. */
void chunk_file_remove_parts(const char *stem);

/* A file without a name in a folder. IO, NO_SPACE, NO_MEMORY. */
einspul_status chunk_file_hidden(const char *folder, const struct chunk_form *form,
                                 struct chunk_file **file, einspul_error *error);

void chunk_file_close(struct chunk_file *file); /* NULL is allowed */

/* Removes the name of a file, which can still be used. */
void chunk_file_unlink(struct chunk_file *file);

/* Adds a chunk. Any number of threads may. IO, NO_SPACE, NO_MEMORY. */
einspul_status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                              struct chunk_record *record, einspul_error *error);

/* Reads one back. Any number of threads may. IO, NO_MEMORY; CORRUPT where it is not what was
 * written. */
einspul_status chunk_file_get(const struct chunk_file *file, uint64_t page,
                              struct chunk_record record, struct chunk **chunk,
                              einspul_error *error);

#endif
