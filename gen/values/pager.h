/* Keeps the chunks of solved materials within a number of bytes of memory: those that were not used
 * for longest are evicted, to be read again from a file.
 *
 * Threads that look chunks up take no lock. They are readers, and tell now and then that they hold
 * no chunk (reader_pause); an evicted chunk is freed once every reader has reported that. */
#ifndef EINSPUL_GEN_VALUES_PAGER_H
#define EINSPUL_GEN_VALUES_PAGER_H

#include "gen/values/pages.h"

struct pager;
struct reader;

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

/* Makes a chunk that its owner has entered known to the pager, and makes room for it. NO_SPACE, IO,
 * NO_MEMORY: what was to be evicted could not be written. `reader` is the caller's, or NULL; it
 * must hold no chunk. */
einspul_status pager_add(struct pager *pager, struct reader *reader, struct chunk *chunk,
                         einspul_error *error);

/* Frees all chunks of an owner, which are no longer looked up. */
void pager_drop(struct pager *pager, const struct pages *owner);

/* The chunk of a page that is not in memory. `holding` is true where the reader holds others. IO,
 * NO_SPACE, NO_MEMORY, CORRUPT. */
einspul_status pager_fetch(struct pager *pager, struct reader *reader, bool holding,
                           struct pages *owner, uint64_t page, const struct chunk **chunk,
                           einspul_error *error);

#endif
