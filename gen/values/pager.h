/* The pages of solved materials (frame_order.h): the chunk of each, in memory or as a record in a
 * file; and the pager, which keeps the chunks of all materials within a memory limit: chunks not
 * used recently are evicted, and read back from the file when needed.
 *
 * Threads that look chunks up take no lock. They are readers, which report from time to time that
 * they hold no chunk (chunk_reader_quiesce); an evicted chunk is freed once every reader has
 * reported that. One page is written by one thread at a time. */
#ifndef EINSPUL_GEN_VALUES_PAGER_H
#define EINSPUL_GEN_VALUES_PAGER_H

#include "core/material.h"
#include "gen/values/chunk.h"
#include "gen/values/chunk_file.h"

#include <stdatomic.h>

struct pager;
struct chunk_reader;

/* --- the pages of a material ------------------------------------------------------------------ */

struct pages {
    struct pager *pager;             /* NULL: all chunks stay in memory */
    char name[MATERIAL_NAME_SIZE];   /* of the material, for messages */
    struct chunk_form form;          /* of its files */
    uint64_t n;                      /* of all sides */
    _Atomic(struct chunk *) *chunks; /* by page; NULL: not in memory, or not created yet */
    struct chunk_record *records;    /* by page: its location in the file */
    struct chunk_file *file;         /* NULL: nothing was written */
};

/* `n` pages without chunks. `pager` may be NULL. On NO_MEMORY nothing is allocated. */
einspul_status pages_create(struct pager *pager, const struct material *material,
                            const struct chunk_form *form, uint64_t n, struct pages **pages);

/* Frees all chunks and closes the file; no thread may be using them. NULL is allowed. `ending`: the
 * process ends, so chunks with a mapping each are left to the kernel: it frees gigabytes at once in a
 * fraction of the time that they take one by one. */
void pages_destroy(struct pages *pages, bool ending);

/* The memory that `n` pages need in addition to their chunks. */
uint64_t pages_bytes(uint64_t n);

/* True if a page's chunk is in memory or in the file. */
bool pages_have(const struct pages *pages, uint64_t page);

/* Adds the chunk of a page, which it then owns, evicting others as needed. NO_SPACE, IO, NO_MEMORY
 * if a chunk to be evicted could not be written. `reader` is the caller's, or NULL; it must hold no
 * chunk. */
einspul_status pages_add(struct pages *pages, struct chunk_reader *reader, uint64_t page,
                         struct chunk *chunk, einspul_error *error);

/* Writes the chunk of a page to the file; if it has none yet, to a hidden one in the pager's
 * folder. Errors of chunk_file.h. */
einspul_status pages_write(struct pages *pages, uint64_t page, struct chunk *chunk,
                           einspul_error *error);

/* Reads back the chunk of a page that is not in memory. `holding`: the reader holds other chunks,
 * which must stay. IO, NO_SPACE, NO_MEMORY; CORRUPT if the file lacks it or it is damaged. */
einspul_status pages_fetch(struct pages *pages, struct chunk_reader *reader, bool holding,
                           uint64_t page, const struct chunk **chunk, einspul_error *error);

/* --- the pager -------------------------------------------------------------------------------- */

/* `folder` is for files of chunks that do not fit in memory. NO_MEMORY. */
einspul_status pager_create(const char *folder, struct pager **pager);
void pager_destroy(struct pager *pager); /* NULL is allowed; no chunk may be left */

/* Sets how many bytes of chunks are kept; no limit at first. */
void pager_set_limit(struct pager *pager, uint64_t n_bytes);

/* Limits the resident size of the whole process (0: no limit). If it grows beyond that, because
 * malloc retains freed memory or the plan was too low, fewer chunks are kept, but at least a
 * quarter of their limit. */
void pager_set_memory_limit(struct pager *pager, uint64_t n_bytes);

/* How many bytes of chunks there are, and how many were read from files. */
uint64_t pager_bytes(struct pager *pager);
uint64_t pager_bytes_read(struct pager *pager);

/* A reader for one thread; one without a pager costs nothing and does nothing. NO_MEMORY. */
einspul_status chunk_reader_create(struct pager *pager, struct chunk_reader **reader);
void chunk_reader_free(struct chunk_reader *reader);

/* The reader holds no chunk now, and will look up more. */
void chunk_reader_quiesce(struct chunk_reader *reader);

/* The reader will look up no chunk until it pauses again. */
void chunk_reader_offline(struct chunk_reader *reader);

#endif
