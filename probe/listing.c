/* Lists the materials with files, and finds the number of pieces up to which tables are complete. */
#include "probe/handle.h"

size_t einspul_list(const einspul *handle, einspul_table_info *tables, size_t capacity)
{
    size_t n = 0;
    for (int i = 0; handle != NULL && i < handle->n_materials; i++) {
        const struct source *sources = handle->sources[i];
        const bool has_wdl = sources[EINSPUL_WDL - 1].path != NULL;
        const bool has_dtw = sources[EINSPUL_DTW - 1].path != NULL;
        if (!has_wdl && !has_dtw)
            continue;
        if (n < capacity && tables != NULL) {
            tables[n] = (einspul_table_info){
                .has_wdl = has_wdl,
                .has_dtw = has_dtw,
                .pieces = material_pieces(&handle->materials[i]),
                .wdl_bytes = sources[EINSPUL_WDL - 1].n_bytes,
                .dtw_bytes = sources[EINSPUL_DTW - 1].n_bytes,
            };
            material_write(&handle->materials[i], tables[n].material);
        }
        n++;
    }
    return n;
}

/* Materials are in generation order, so those with fewer pieces come first. */
int einspul_complete(einspul *handle, einspul_metric metric)
{
    if (handle == NULL || (metric != EINSPUL_WDL && metric != EINSPUL_DTW))
        return 0;
    for (int i = 0; i < handle->n_materials; i++) {
        const struct opened *opened = NULL;
        if (handle_table(handle, &handle->materials[i], (einspul_metric)metric, false, &opened,
                         NULL) == EINSPUL_OK)
            continue;
        const int pieces = material_pieces(&handle->materials[i]) - 1;
        return pieces < 2 ? 0 : pieces;
    }
    return MAX_PIECES;
}
