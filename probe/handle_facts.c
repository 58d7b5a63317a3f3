/* All of it stands in the handle and its cache. */
#include "probe/handle_facts.h"

#include "probe/query.h"

const struct rules *probe_rules(const einspul *handle)
{
    return &handle->rules;
}

einspul_status probe_table(einspul *handle, const struct material *material, einspul_metric metric,
                           const struct table **table, einspul_error *error)
{
    struct source *own = &handle->sources[*handle_number(handle, material)][metric - 1];
    const struct opened *opened = NULL;
    /* The other file answers probes in its place; who asks for this one must know that it cannot. */
    const einspul_status status =
        own->path != NULL ? handle_source(handle, own, material, metric, false, &opened, error)
                          : handle_table(handle, material, metric, false, &opened, error);
    *table = status == EINSPUL_OK ? opened->table : NULL;
    return status;
}

einspul_status probe_raw(einspul *handle, const struct state *state, value_t *value,
                         einspul_error *error)
{
    struct query query = {.handle = handle, .metric = EINSPUL_DTW, .raw = true, .error = error};
    return query_state(&query, state, value);
}

void probe_count(const einspul *handle, struct probe_counters *counters)
{
    const struct cache *cache = handle->cache;
    *counters = (struct probe_counters){
        .misses = atomic_load_explicit(&cache->counts.misses, memory_order_relaxed),
        .decoded_blocks = atomic_load_explicit(&cache->counts.decoded_blocks, memory_order_relaxed),
        .decoded_bytes = atomic_load_explicit(&cache->counts.decoded_bytes, memory_order_relaxed),
        .cached_bytes = atomic_load_explicit(&cache->counts.cached_bytes, memory_order_relaxed),
    };
    for (size_t i = 0; i < N_READERS; i++)
        counters->hits += atomic_load_explicit(&cache->readers[i].hits, memory_order_relaxed);
}
