/* Loads tables into memory before a search.
 *
 * Prefetching the place of a value before its probe was measured and left out: finding the place
 * takes 60 ns, more than it saves on tables of four pieces. */
#include "probe/handle.h"
#include "table/table_format.h"

/* How far loading has come. */
struct load {
    einspul *handle;
    size_t bytes_left;   /* 0: nothing more is loaded */
    einspul_error error; /* the first; EINSPUL_OK: none */
};

static void note_failure(struct load *load, const einspul_error *error)
{
    if (load->error.status == EINSPUL_OK)
        load->error = *error;
}

static void load_block(struct load *load, const struct opened *opened, uint64_t number)
{
    einspul_error error;
    size_t n_bytes = 0;
    if (cache_load(load->handle->cache, &opened->slots[number], opened->table, number, &n_bytes,
                   &error) != EINSPUL_OK)
        note_failure(load, &error);
    else /* a block that the cache has no room for is the last */
        load->bytes_left -= n_bytes > 0 && n_bytes < load->bytes_left ? n_bytes : load->bytes_left;
}

static void load_table(struct load *load, const struct material *material, einspul_metric metric)
{
    const struct opened *opened = NULL;
    einspul_error error;
    if (handle_table(load->handle, material, metric, false, &opened, &error) != EINSPUL_OK) {
        note_failure(load, &error);
        return;
    }
    for (uint64_t i = 0; i < opened->table->header.n_blocks && load->bytes_left > 0; i++)
        if (!cache_is_whole(&opened->slots[i]))
            load_block(load, opened, i);
}

/* Tables that are not there are passed over. Under Article 18 an outcome depends on the distance. */
einspul_status einspul_preload(einspul *handle, int pieces, einspul_metric metric,
                               size_t most_bytes, einspul_error *error)
{
    struct load load = {.handle = handle, .bytes_left = most_bytes};
    if (handle == NULL || (metric != EINSPUL_WDL && metric != EINSPUL_DTW))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no handle, or an unknown metric: %d",
                         (int)metric);
    for (int i = 0; i < handle->n_materials; i++) {
        const struct material *material = &handle->materials[i];
        if (material_pieces(material) > pieces ||
            (handle->sources[i][0].path == NULL && handle->sources[i][1].path == NULL))
            continue;
        load_table(&load, material, metric);
        if (metric == EINSPUL_WDL && table_keeps_distances(&handle->rules, material))
            load_table(&load, material, EINSPUL_DTW);
    }
    return load.error.status == EINSPUL_OK
               ? EINSPUL_OK
               : error_set(error, load.error.status, "%s", load.error.text);
}
