/* The pages of a solved material (levels.h): the chunk of each, in memory or as a record in a file.
 *
 * Chunks are entered and evicted by the pager, or all stay in memory where there is none. Any
 * number of threads may read pages; one page is written by one thread at a time. */
#ifndef EINSPUL_GEN_VALUES_PAGES_H
#define EINSPUL_GEN_VALUES_PAGES_H

#include "core/material.h"
#include "gen/values/chunk.h"
#include "gen/values/chunk_file.h"

#include <stdatomic.h>

struct pages {
    char name[MATERIAL_NAME_SIZE];   /* of the material, for messages */
    struct chunk_form form;          /* of its files */
    uint64_t n;                      /* of all sides */
    _Atomic(struct chunk *) *chunks; /* by page; NULL: not in memory, or not there */
    struct chunk_record *records;    /* by page: where it stands in the file */
    struct chunk_file *file;         /* NULL: nothing was written */
};

/* `n` pages without chunks. NO_MEMORY leaves nothing behind. */
einspul_status pages_create(const struct material *material, const struct chunk_form *form,
                            uint64_t n, struct pages **pages);

/* Closes the file; frees the chunks too where they are the pages' own, as without a pager. NULL is
 * allowed. */
void pages_destroy(struct pages *pages, bool own_chunks);

/* Bytes of memory that `n` pages take beside their chunks. */
uint64_t pages_bytes(uint64_t n);

/* True where a page's chunk is in memory or in the file. */
bool pages_have(const struct pages *pages, uint64_t page);

/* Writes a chunk to the pages' file; if there is none yet, to a hidden one in `folder`. Errors of
 * chunk_file.h. */
einspul_status pages_write(struct pages *pages, const char *folder, struct chunk *chunk,
                           einspul_error *error);

/* Reads the chunk of a page from its file; the caller frees it. CORRUPT where the file does not have it; errors of chunk_file_get. */
einspul_status pages_read(struct pages *pages, uint64_t page, struct chunk **chunk,
                          einspul_error *error);

/* The error of a page that is neither in memory nor in the file: CORRUPT. */
einspul_status pages_miss(const struct pages *pages, einspul_error *error);

#endif
