/* The clock algorithm: a hand goes round the list of chunks, skips those used since its last pass
 * and evicts the others. An evicted chunk leaves its owner's page table at once and is freed when
 * every reader has paused since (epochs, as in Fraser, Practical lock-freedom, 2004).
 *
 * The plan of a run sets the limit on chunks. If the process still comes close to its own limit, the limit on chunks is lowered (check_process_memory). */
#include "gen/values/pager.h"

#include "core/program/array.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum { N_LOCKS = 64, MAX_WAITS = 64, SHARE_KEPT = 32, SHARE_SEEN = 64 };

struct chunk_reader {
    struct pager *pager;
    struct chunk_reader *next;
    _Atomic uint64_t epoch; /* at its last pause; UINT64_MAX: it is not reading */
    char padding[64];       /* padding against false sharing */
};

struct pager {
    pthread_mutex_t lock;
    pthread_mutex_t reading[N_LOCKS]; /* by page, so that only one thread reads a page back */
    char *folder;
    _Atomic uint64_t limit;
    _Atomic uint64_t epoch;
    _Atomic uint64_t n_read;
    uint64_t configured_limit; /* as configured, before it was lowered */
    uint64_t memory_limit;     /* the limit on the resident size; 0: none */
    uint64_t n_bytes;          /* of chunks in the list */
    uint64_t n_added_bytes;    /* since the resident size was last checked */
    uint64_t n_freed_bytes;    /* that malloc may still retain */
    uint64_t n_retired_bytes;  /* of evicted chunks */
    struct chunk **list;
    size_t n, capacity, hand;
    struct chunk **retired;
    size_t n_retired, retired_capacity;
    struct chunk_reader *readers;
};

einspul_status pager_create(const char *folder, struct pager **result)
{
    struct pager *pager = calloc(1, sizeof *pager);
    *result = NULL;
    if (pager == NULL)
        return EINSPUL_NO_MEMORY;
    pager->folder = malloc(strlen(folder) + 1);
    if (pager->folder == NULL) {
        free(pager);
        return EINSPUL_NO_MEMORY;
    }
    strcpy(pager->folder, folder);
    pthread_mutex_init(&pager->lock, NULL);
    for (int i = 0; i < N_LOCKS; i++)
        pthread_mutex_init(&pager->reading[i], NULL);
    atomic_init(&pager->limit, UINT64_MAX);
    pager->configured_limit = UINT64_MAX;
    atomic_init(&pager->epoch, 1);
    *result = pager;
    return EINSPUL_OK;
}

void pager_destroy(struct pager *pager)
{
    if (pager == NULL)
        return;
    for (size_t i = 0; i < pager->n_retired; i++)
        chunk_free(pager->retired[i]);
    free(pager->retired);
    free(pager->list);
    free(pager->folder);
    pthread_mutex_destroy(&pager->lock);
    for (int i = 0; i < N_LOCKS; i++)
        pthread_mutex_destroy(&pager->reading[i]);
    free(pager);
}

uint64_t pager_bytes(struct pager *pager)
{
    pthread_mutex_lock(&pager->lock);
    const uint64_t n_bytes = pager->n_bytes + pager->n_retired_bytes;
    pthread_mutex_unlock(&pager->lock);
    return n_bytes;
}

uint64_t pager_bytes_read(struct pager *pager)
{
    return atomic_load(&pager->n_read);
}

/* --- pages ------------------------------------------------------------------------------------ */

einspul_status pages_create(struct pager *pager, const struct material *material,
                            const struct chunk_form *form, uint64_t n, struct pages **result)
{
    struct pages *pages = calloc(1, sizeof *pages);
    *result = NULL;
    if (pages == NULL)
        return EINSPUL_NO_MEMORY;
    material_write(material, pages->name);
    pages->pager = pager;
    pages->form = *form;
    pages->n = n;
    pages->chunks = calloc((size_t)n, sizeof *pages->chunks);
    pages->records = calloc((size_t)n, sizeof *pages->records);
    if (pages->chunks == NULL || pages->records == NULL) {
        pages->n = 0;
        pages_destroy(pages, false);
        return EINSPUL_NO_MEMORY;
    }
    *result = pages;
    return EINSPUL_OK;
}

uint64_t pages_bytes(uint64_t n)
{
    return n * (sizeof(struct chunk *) + sizeof(struct chunk_record));
}

bool pages_have(const struct pages *pages, uint64_t page)
{
    return atomic_load_explicit(&pages->chunks[page], memory_order_relaxed) != NULL ||
           pages->records[page].n_bytes > 0;
}

einspul_status pages_write(struct pages *pages, uint64_t page, struct chunk *chunk,
                           einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    if (pages->file == NULL)
        status = chunk_file_create_hidden(pages->pager->folder, &pages->form, &pages->file, error);
    if (status == EINSPUL_OK)
        status = chunk_file_put(pages->file, chunk, page, &pages->records[page], error);
    chunk->from_file = status == EINSPUL_OK;
    return status;
}

/* --- readers ---------------------------------------------------------------------------------- */

einspul_status chunk_reader_create(struct pager *pager, struct chunk_reader **result)
{
    *result = NULL;
    if (pager == NULL)
        return EINSPUL_OK;
    struct chunk_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return EINSPUL_NO_MEMORY;
    reader->pager = pager;
    atomic_init(&reader->epoch, UINT64_MAX);
    pthread_mutex_lock(&pager->lock);
    reader->next = pager->readers;
    pager->readers = reader;
    pthread_mutex_unlock(&pager->lock);
    *result = reader;
    return EINSPUL_OK;
}

void chunk_reader_free(struct chunk_reader *reader)
{
    if (reader == NULL)
        return;
    struct pager *pager = reader->pager;
    pthread_mutex_lock(&pager->lock);
    struct chunk_reader **at = &pager->readers;
    while (*at != reader)
        at = &(*at)->next;
    *at = reader->next;
    pthread_mutex_unlock(&pager->lock);
    free(reader);
}

/* The write must be visible before any later look-up, which needs the default memory order
 * (sequentially consistent). */
void chunk_reader_quiesce(struct chunk_reader *reader)
{
    if (reader != NULL)
        atomic_store(&reader->epoch, atomic_load(&reader->pager->epoch));
}

void chunk_reader_offline(struct chunk_reader *reader)
{
    if (reader != NULL)
        atomic_store(&reader->epoch, UINT64_MAX);
}

/* --- eviction (all with the lock held) -------------------------------------------------------- */

/* Sets the limit to `limit` - `n_bytes`, but to at least a quarter of the configured one. */
static void lower_limit(struct pager *pager, uint64_t limit, uint64_t n_bytes)
{
    const uint64_t min = pager->configured_limit / 4;
    if (pager->configured_limit != UINT64_MAX)
        atomic_store(&pager->limit, limit > n_bytes + min ? limit - n_bytes : min);
}

/* malloc retains memory that is freed between live chunks. Returning it to the system from time to
 * time keeps the resident size down. */
static void trim(struct pager *pager)
{
    pager->n_freed_bytes = 0;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

/* Checks the resident size each time 1/SHARE_SEEN of the limit has been added, and lowers the chunk
 * limit by the excess. */
static void check_process_memory(struct pager *pager, uint64_t n_added)
{
    const uint64_t max = pager->memory_limit - pager->memory_limit / SHARE_KEPT;
    pager->n_added_bytes += n_added;
    if (pager->memory_limit == 0 || pager->n_added_bytes < atomic_load(&pager->limit) / SHARE_SEEN)
        return;
    pager->n_added_bytes = 0;
    uint64_t resident = os_memory_resident();
    if (resident > max && pager->n_freed_bytes > 0) {
        trim(pager);
        resident = os_memory_resident();
    }
    const uint64_t limit = atomic_load(&pager->limit);
    const uint64_t n_there = pager->n_bytes + pager->n_retired_bytes;
    if (resident > max)
        lower_limit(pager, n_there < limit ? n_there : limit, resident - max);
}

static void free_retired(struct pager *pager)
{
    uint64_t oldest = UINT64_MAX;
    size_t n = 0;
    for (const struct chunk_reader *reader = pager->readers; reader != NULL;
         reader = reader->next) {
        const uint64_t epoch = atomic_load(&reader->epoch);
        oldest = epoch < oldest ? epoch : oldest;
    }
    for (size_t i = 0; i < pager->n_retired; i++) {
        struct chunk *chunk = pager->retired[i];
        if (chunk->epoch <= oldest) {
            pager->n_retired_bytes -= chunk->n_bytes;
            pager->n_freed_bytes += chunk->n_bytes;
            chunk_free(chunk);
        } else {
            pager->retired[n++] = chunk;
        }
    }
    pager->n_retired = n;
    if (pager->n_freed_bytes > atomic_load(&pager->limit) / SHARE_KEPT)
        trim(pager);
}

static einspul_status grow(struct chunk ***list, size_t n, size_t *capacity, einspul_error *error)
{
    struct chunk **grown = array_reserve(*list, n, capacity, 256, sizeof(struct chunk *));
    if (grown == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a list of values");
    *list = grown;
    return EINSPUL_OK;
}

static void list_remove(struct pager *pager, struct chunk *chunk)
{
    struct chunk *last = pager->list[--pager->n];
    pager->list[chunk->list_index] = last;
    last->list_index = chunk->list_index;
    pager->n_bytes -= chunk->n_bytes;
}

/* The chunk to evict next; NULL if there is none. */
static struct chunk *choose_chunk(struct pager *pager)
{
    for (size_t i = 0; i < 2 * pager->n; i++) {
        if (pager->hand >= pager->n)
            pager->hand = 0;
        struct chunk *chunk = pager->list[pager->hand++];
        if (!atomic_load_explicit(&chunk->used, memory_order_relaxed))
            return chunk;
        atomic_store_explicit(&chunk->used, false, memory_order_relaxed);
    }
    return NULL;
}

static einspul_status evict(struct pager *pager, struct chunk *chunk, einspul_error *error)
{
    struct pages *owner = chunk->owner;
    einspul_status status =
        grow(&pager->retired, pager->n_retired, &pager->retired_capacity, error);
    if (status == EINSPUL_OK && !chunk->from_file)
        status = pages_write(owner, chunk->page, chunk, error);
    if (status != EINSPUL_OK)
        return status;
    list_remove(pager, chunk);
    atomic_store(&owner->chunks[chunk->page], NULL);
    chunk->epoch = atomic_fetch_add(&pager->epoch, 1) + 1;
    pager->retired[pager->n_retired++] = chunk;
    pager->n_retired_bytes += chunk->n_bytes;
    return EINSPUL_OK;
}

/* Evicts chunks until the rest and `n_bytes` more are within the limit. */
static einspul_status make_space(struct pager *pager, uint64_t n_bytes, einspul_error *error)
{
    const uint64_t limit = atomic_load(&pager->limit);
    einspul_status status = EINSPUL_OK;
    if (pager->n_bytes + pager->n_retired_bytes + n_bytes <= limit)
        return EINSPUL_OK;
    const uint64_t max = limit - limit / 16;
    while (status == EINSPUL_OK && pager->n_bytes + n_bytes > max) {
        struct chunk *chunk = choose_chunk(pager);
        if (chunk == NULL)
            break;
        status = evict(pager, chunk, error);
    }
    free_retired(pager);
    return status;
}

/* Waits a little for readers to pause where evicted chunks are not freed yet. */
static void wait_for_readers(struct pager *pager)
{
    for (int i = 0; i < MAX_WAITS && pager->n_retired > 0; i++) {
        if (pager->n_bytes + pager->n_retired_bytes <= atomic_load(&pager->limit))
            return;
        pthread_mutex_unlock(&pager->lock);
        sched_yield();
        pthread_mutex_lock(&pager->lock);
        free_retired(pager);
    }
}

void pager_set_memory_limit(struct pager *pager, uint64_t n_bytes)
{
    pthread_mutex_lock(&pager->lock);
    pager->memory_limit = n_bytes;
    pthread_mutex_unlock(&pager->lock);
}

void pager_set_limit(struct pager *pager, uint64_t n_bytes)
{
    einspul_error error;
    pthread_mutex_lock(&pager->lock);
    pager->configured_limit = n_bytes;
    atomic_store(&pager->limit, n_bytes);
    /* a write error is ignored; it will recur when space is needed */
    (void)make_space(pager, 0, &error);
    trim(pager); /* also returns other freed memory */
    pthread_mutex_unlock(&pager->lock);
}

/* --- chunks ----------------------------------------------------------------------------------- */

einspul_status pages_add(struct pages *pages, struct chunk_reader *reader, uint64_t page,
                         struct chunk *chunk, einspul_error *error)
{
    struct pager *pager = pages->pager;
    chunk->owner = pages;
    chunk->page = page;
    if (pager == NULL) {
        atomic_store(&pages->chunks[page], chunk);
        return EINSPUL_OK;
    }
    chunk_reader_quiesce(reader);
    pthread_mutex_lock(&pager->lock);
    check_process_memory(pager, chunk->n_bytes);
    einspul_status status = make_space(pager, chunk->n_bytes, error);
    if (status == EINSPUL_OK) {
        chunk_reader_quiesce(reader); /* from here on it may hold this one */
        if (reader != NULL)
            wait_for_readers(pager);
        status = grow(&pager->list, pager->n, &pager->capacity, error);
    }
    if (status == EINSPUL_OK) {
        chunk->list_index = pager->n;
        pager->list[pager->n++] = chunk;
        pager->n_bytes += chunk->n_bytes;
        atomic_store(&pages->chunks[page], chunk);
    }
    pthread_mutex_unlock(&pager->lock);
    return status;
}

void pages_destroy(struct pages *pages, bool ending)
{
    struct pager *pager = pages == NULL ? NULL : pages->pager;
    if (pages == NULL)
        return;
    if (pager != NULL)
        pthread_mutex_lock(&pager->lock);
    for (uint64_t page = 0; page < pages->n; page++) {
        struct chunk *chunk = atomic_load_explicit(&pages->chunks[page], memory_order_relaxed);
        if (chunk != NULL && pager != NULL) {
            list_remove(pager, chunk);
            pager->n_freed_bytes += chunk->n_bytes;
        }
        if (chunk != NULL && !(ending && chunk->mapped))
            chunk_free(chunk);
    }
    if (pager != NULL)
        pthread_mutex_unlock(&pager->lock);
    chunk_file_close(pages->file);
    free(pages->chunks);
    free(pages->records);
    free(pages);
}

static einspul_status read_chunk(struct pages *pages, uint64_t page, struct chunk **chunk,
                                 einspul_error *error)
{
    const struct chunk_record record = pages->records[page];
    if (pages->file == NULL || record.n_bytes == 0)
        return error_set(error, EINSPUL_CORRUPT, "values of %s are missing", pages->name);
    return chunk_file_get(pages->file, page, record, chunk, error);
}

einspul_status pages_fetch(struct pages *pages, struct chunk_reader *reader, bool holding,
                           uint64_t page, const struct chunk **result, einspul_error *error)
{
    struct pager *pager = pages->pager;
    struct chunk *chunk = NULL;
    if (pager == NULL)
        return read_chunk(pages, page, &chunk, error);
    pthread_mutex_t *reading = &pager->reading[page % N_LOCKS];
    einspul_status status = EINSPUL_OK;

    if (!holding)
        chunk_reader_quiesce(reader);
    pthread_mutex_lock(reading);
    chunk = atomic_load(&pages->chunks[page]);
    if (chunk == NULL) {
        status = read_chunk(pages, page, &chunk, error);
        if (status == EINSPUL_OK) {
            atomic_fetch_add(&pager->n_read, chunk->n_bytes);
            /* so that it is not evicted before the caller sees it */
            atomic_store(&chunk->used, true);
            status = pages_add(pages, holding ? NULL : reader, page, chunk, error);
            if (status != EINSPUL_OK)
                chunk_free(chunk);
        }
    }
    pthread_mutex_unlock(reading);
    *result = chunk;
    return status;
}
