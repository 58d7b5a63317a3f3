/* Loads tables into memory before a search. */
#include "probe/handle.h"
#include "table/table_format.h"

#include <stdlib.h>

/* Loads the blocks of a table until `*left` bytes are taken; the first error is kept, and does not
 * stop the others. */
static void load_table(einspul *handle, int number, einspul_metric metric, size_t *left,
                       einspul_error *first)
{
    const struct open_table *opened = NULL;
    einspul_error error;
    einspul_status status = handle_table(handle, number, metric, false, &opened, &error);
    const uint64_t n = status == EINSPUL_OK ? opened->table->header.n_blocks : 0;
    if (status != EINSPUL_OK && first->status == EINSPUL_OK)
        *first = error;
    for (uint64_t i = 0; i < n && *left != 0; i++) {
        struct block *block = NULL;
        bool kept = false;
        if (cache_is_whole(&opened->slots[i]))
            continue;
        status = cache_decode(handle->cache, &opened->slots[i], opened->table, i, UINT32_MAX,
                              &block, &kept, &error);
        if (status != EINSPUL_OK && first->status == EINSPUL_OK)
            *first = error;
        if (status == EINSPUL_OK) /* stop after a block that the cache has no space for */
            *left -= kept && block->n_bytes < *left ? block->n_bytes : *left;
        free(block);
    }
}

/* Missing tables are skipped. Under Article 18 outcomes of 2K v 1K depend on distances, so these
 * are loaded too. */
einspul_status einspul_preload(einspul *handle, int pieces, einspul_metric metric,
                               size_t most_bytes, einspul_error *error)
{
    einspul_error first = {.status = EINSPUL_OK};
    if (handle == NULL || (metric != EINSPUL_WDL && metric != EINSPUL_DTW))
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "the handle is NULL, or the metric %d is unknown", (int)metric);
    for (int i = 0; i < handle->n_materials; i++) {
        const struct material *material = handle_material(handle, i);
        if (material_pieces(material) > pieces ||
            (handle->sources[i][0].path == NULL && handle->sources[i][1].path == NULL))
            continue;
        load_table(handle, i, metric, &most_bytes, &first);
        if (metric == EINSPUL_WDL && table_always_has_distances(&handle->rules, material))
            load_table(handle, i, EINSPUL_DTW, &most_bytes, &first);
    }
    return first.status == EINSPUL_OK ? EINSPUL_OK
                                      : error_set(error, first.status, "%s", first.text);
}
