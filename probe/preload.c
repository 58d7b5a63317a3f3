/* Loads tables into memory before a search.
 *
 * Prefetching the place of a value before its probe was measured and left out: finding the place
 * takes 60 ns, more than it saves on tables of four pieces. */
#include "probe/handle.h"
#include "table/table_format.h"

/* How far loading has come. */
struct load {
    einspul *handle;
    einspul_metric metric;
    size_t bytes_left;
    bool full; /* of the cache: nothing else would fit */
    uint64_t n_left;
    einspul_status status; /* the first that was not EINSPUL_OK, with its text */
    einspul_error error;
};

static void note_failure(struct load *load, einspul_status status, const einspul_error *error)
{
    if (load->status != EINSPUL_OK)
        return;
    load->status = status;
    load->error = *error;
}

static void load_block(struct load *load, const struct opened *opened, uint64_t number)
{
    einspul_error error;
    size_t n_bytes = 0;
    if (load->full || load->bytes_left == 0) {
        load->n_left++;
        return;
    }
    const einspul_status status = cache_load(load->handle->cache, &opened->slots[number],
                                             opened->table, number, &n_bytes, &error);
    if (status != EINSPUL_OK)
        note_failure(load, status, &error);
    load->full = status == EINSPUL_OK && n_bytes == 0;
    load->n_left += n_bytes == 0;
    load->bytes_left -= n_bytes < load->bytes_left ? n_bytes : load->bytes_left;
}

static void load_table(struct load *load, const struct material *material, einspul_metric metric)
{
    const struct opened *opened = NULL;
    einspul_error error;
    const einspul_status status =
        handle_table(load->handle, material, metric, false, &opened, &error);
    if (status != EINSPUL_OK) {
        note_failure(load, status, &error);
        return;
    }
    for (uint64_t i = 0; i < table_header(opened->table)->n_blocks; i++)
        if (!cache_is_whole(&opened->slots[i]))
            load_block(load, opened, i);
}

/* All tables that probes of a material need for the metric: under Article 18 the outcome depends on
 * the distance. */
static void load_material(struct load *load, const struct material *material)
{
    load_table(load, material, load->metric);
    if (load->metric == EINSPUL_WDL && table_keeps_distances(&load->handle->rules, material))
        load_table(load, material, EINSPUL_DTW);
}

/* Tables that are not there are passed over. */
static void load_all(struct load *load, int pieces)
{
    const einspul *handle = load->handle;
    for (int i = 0; i < handle->n_materials; i++)
        if (material_pieces(&handle->materials[i]) <= pieces &&
            (handle->sources[i][0].path != NULL || handle->sources[i][1].path != NULL))
            load_material(load, &handle->materials[i]);
}

einspul_status probe_preload(einspul *handle, const char *material, int pieces,
                             einspul_metric metric, size_t most_bytes, uint64_t *n_left,
                             einspul_error *error)
{
    struct load load = {.handle = handle, .metric = metric, .bytes_left = most_bytes};
    struct material named;
    if (n_left != NULL)
        *n_left = 0;
    if (material == NULL) {
        load_all(&load, pieces);
    } else {
        const einspul_status status = material_read_canonical(material, &named, NULL, error);
        if (status != EINSPUL_OK)
            return status;
        load_material(&load, &named);
    }
    if (n_left != NULL)
        *n_left = load.n_left;
    return load.status == EINSPUL_OK ? EINSPUL_OK
                                     : error_set(error, load.status, "%s", load.error.text);
}

einspul_status einspul_preload(einspul *handle, int pieces, einspul_metric metric,
                               size_t most_bytes, einspul_error *error)
{
    if (handle == NULL || (metric != EINSPUL_WDL && metric != EINSPUL_DTW))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no handle, or an unknown metric: %d",
                         (int)metric);
    return probe_preload(handle, NULL, pieces, metric, most_bytes, NULL, error);
}
