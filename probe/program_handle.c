/* Functions on handles for the programs, from the contents of the handle and its cache. */
#include "probe/program_handle.h"

#include "probe/handle_open.h"
#include "probe/probe.h"

einspul_status probe_open(const char *const *folders, size_t n_folders, const char *rules,
                          size_t cache_bytes, einspul **handle, einspul_error *error)
{
    einspul *opened = NULL;
    *handle = NULL;
    einspul_status status = handle_create(rules, cache_bytes, NULL, &opened, error);
    if (status != EINSPUL_OK)
        return status;
    for (size_t i = 0; i < n_folders && status == EINSPUL_OK; i++)
        status = handle_look_in(opened, folders[i], error);
    return handle_finish(opened, status, folders[0], handle, error);
}

const struct rules *probe_rules(const einspul *handle)
{
    return &handle->rules;
}

einspul_status probe_table(einspul *handle, const struct material *material, einspul_metric metric,
                           const struct table **table, einspul_error *error)
{
    const int number = handle->number[key_of_material(material)];
    struct source *own = &handle->sources[number][metric - 1];
    const struct open_table *opened = NULL;
    /* The other file answers probes in its place, but a request for this file must report that it is
     * unusable. */
    const einspul_status status = own->path != NULL
                                      ? handle_source(handle, own, false, &opened, error)
                                      : handle_table(handle, number, metric, false, &opened, error);
    *table = status == EINSPUL_OK ? opened->table : NULL;
    return status;
}

einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error)
{
    struct query query = {
        .handle = handle, .metric = metric, .cached_only = flags != 0, .error = error};
    return query_state(&query, state, value);
}

einspul_status probe_raw(einspul *handle, const struct state *state, value_t *value,
                         einspul_error *error)
{
    struct query query = {.handle = handle, .metric = EINSPUL_DTW, .raw = true, .error = error};
    return query_state(&query, state, value);
}

void probe_count(einspul *handle, struct probe_counters *counters)
{
    struct cache *cache = handle->cache;
    *counters = (struct probe_counters){
        .misses = atomic_load_explicit(&cache->misses, memory_order_relaxed),
        .decoded_blocks = atomic_load_explicit(&cache->decoded_blocks, memory_order_relaxed),
    };
    for (size_t i = 0; i < N_READERS; i++)
        counters->hits += atomic_load_explicit(&cache->readers[i].hits, memory_order_relaxed);
    os_mutex_lock(&cache->lock);
    for (size_t i = 0; i < cache->n_segments; i++)
        counters->cached_bytes += cache->filled[i];
    os_mutex_unlock(&cache->lock);
}
