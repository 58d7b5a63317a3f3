/* A material's page table. */
#include "gen/values/pages.h"

#include <stdlib.h>

einspul_status pages_create(const struct material *material, const struct chunk_form *form,
                            uint64_t n, struct pages **result)
{
    struct pages *pages = calloc(1, sizeof *pages);
    *result = NULL;
    if (pages == NULL)
        return EINSPUL_NO_MEMORY;
    material_write(material, pages->name);
    pages->form = *form;
    pages->n = n;
    pages->chunks = calloc((size_t)n, sizeof *pages->chunks);
    pages->records = calloc((size_t)n, sizeof *pages->records);
    if (pages->chunks == NULL || pages->records == NULL) {
        pages_destroy(pages, false);
        return EINSPUL_NO_MEMORY;
    }
    *result = pages;
    return EINSPUL_OK;
}

void pages_destroy(struct pages *pages, bool own_chunks)
{
    if (pages == NULL)
        return;
    for (uint64_t page = 0; own_chunks && page < pages->n; page++)
        chunk_free(atomic_load_explicit(&pages->chunks[page], memory_order_relaxed));
    chunk_file_close(pages->file);
    free(pages->chunks);
    free(pages->records);
    free(pages);
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

einspul_status pages_write(struct pages *pages, const char *folder, struct chunk *chunk,
                           einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    if (pages->file == NULL)
        status = chunk_file_hidden(folder, &pages->form, &pages->file, error);
    if (status == EINSPUL_OK)
        status =
            chunk_file_put(pages->file, chunk, chunk->page, &pages->records[chunk->page], error);
    chunk->from_file = status == EINSPUL_OK;
    return status;
}

einspul_status pages_miss(const struct pages *pages, einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "values of %s are needed and not there", pages->name);
}

einspul_status pages_read(struct pages *pages, uint64_t page, struct chunk **chunk,
                          einspul_error *error)
{
    const struct chunk_record record = pages->records[page];
    if (pages->file == NULL || record.n_bytes == 0)
        return pages_miss(pages, error);
    const einspul_status status = chunk_file_get(pages->file, page, record, chunk, error);
    if (status == EINSPUL_OK) {
        (*chunk)->owner = pages;
        (*chunk)->page = page;
    }
    return status;
}
