/* The pages of solved materials (levels.h): the chunk of each, in memory or as a record in a file; and
 * the pager, which keeps the chunks of all of them within a number of bytes of memory: those that
 * were not used for longest are evicted, to be read again from the file.
 *
 * Threads that look chunks up take no lock. They are readers, and tell now and then that they hold
 * no chunk (reader_pause); an evicted chunk is freed once every reader has reported that. One page
 * is written by one thread at a time. */
#ifndef EINSPUL_GEN_VALUES_PAGER_H
#define EINSPUL_GEN_VALUES_PAGER_H

#include "core/material.h"
#include "gen/values/chunk.h"
#include "gen/values/chunk_file.h"

#include <stdatomic.h>

struct pager;
struct reader;

/* --- the pages of a material ------------------------------------------------------------------ */

struct pages {
    struct pager *pager;             /* NULL: all chunks stay in memory */
    char name[MATERIAL_NAME_SIZE];   /* of the material, for messages */
    struct chunk_form form;          /* of its files */
    uint64_t n;                      /* of all sides */
    _Atomic(struct chunk *) *chunks; /* by page; NULL: not in memory, or not there */
    struct chunk_record *records;    /* by page: where it stands in the file */
    struct chunk_file *file;         /* NULL: nothing was written */
};

/* `n` pages without chunks. `pager` may be NULL. NO_MEMORY leaves nothing behind. */
einspul_status pages_create(struct pager *pager, const struct material *material,
                            const struct chunk_form *form, uint64_t n, struct pages **pages);

/* Frees all chunks, which are no longer looked up, and closes the file. NULL is allowed. */
void pages_destroy(struct pages *pages);

/* Bytes of memory that `n` pages take beside their chunks. */
uint64_t pages_bytes(uint64_t n);

/* True where a page's chunk is in memory or in the file. */
bool pages_have(const struct pages *pages, uint64_t page);

/* Enters the chunk of a page, which is the pages' then, and makes room for it. NO_SPACE, IO,
 * NO_MEMORY: what was to be evicted could not be written. `reader` is the caller's, or NULL; it
 * must hold no chunk. */
einspul_status pages_add(struct pages *pages, struct reader *reader, uint64_t page,
                         struct chunk *chunk, einspul_error *error);

/* Writes the chunk of a page to the file; if there is none yet, to a hidden one in the pager's
 * folder. Errors of chunk_file.h. */
einspul_status pages_write(struct pages *pages, uint64_t page, struct chunk *chunk,
                           einspul_error *error);

/* The chunk of a page that is not in memory. `holding` is true where the reader holds others. IO,
 * NO_SPACE, NO_MEMORY; CORRUPT where the file does not have it, or has it damaged. */
einspul_status pages_fetch(struct pages *pages, struct reader *reader, bool holding, uint64_t page,
                           const struct chunk **chunk, einspul_error *error);

/* --- the pager -------------------------------------------------------------------------------- */

/* `folder` is for files with what memory has no room for. NO_MEMORY. */
einspul_status pager_create(const char *folder, struct pager **pager);
void pager_destroy(struct pager *pager); /* NULL is allowed; no chunk may be left */

/* Sets how many bytes of chunks are kept; no limit at first. */
void pager_limit(struct pager *pager, uint64_t n_bytes);

/* How many bytes the whole process may have in memory; 0: any number. Where it would have more,
 * as the C library keeps what was freed or something was not reckoned with, fewer chunks are
 * kept: no less than a quarter of the limit. */
void pager_keep_within(struct pager *pager, uint64_t n_bytes);

/* How many bytes of chunks there are, and how many were read from files. */
uint64_t pager_bytes(struct pager *pager);
uint64_t pager_bytes_read(struct pager *pager);

/* A reader for one thread; one without a pager costs nothing and does nothing. NO_MEMORY. */
einspul_status reader_create(struct pager *pager, struct reader **reader);
void reader_free(struct reader *reader);

/* The reader holds no chunk, and looks chunks up from here on; looks none up any more. */
void reader_pause(struct reader *reader);
void reader_end(struct reader *reader);

#endif
