/* Opening tables when they are first needed. Everything a probe needs to know about a table is
 * computed once, as a view, and is immutable afterwards. */
#include "probe/handle.h"

#include "table/table_format.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *einspul_version(void)
{
    return VERSION_TEXT(EINSPUL_VERSION_MAJOR, EINSPUL_VERSION_MINOR, EINSPUL_VERSION_PATCH);
}

void open_table_free(struct open_table *opened)
{
    if (opened == NULL)
        return;
    table_close(opened->table);
    free(opened->slots);
    free(opened);
}

/* Fills in a view: how to look up placements of a material as stored, or (`flipped`) with colours
 * exchanged and the board turned round. Symmetric material is flipped if Black is to move. */
static void fill_view(struct table_view *view, const struct open_table *opened,
                      const struct rules *rules, bool flipped, enum side side)
{
    const struct shape *shape = &opened->table->shape;
    const uint64_t weights[4] = {shape->n_men_sets[BLACK] * shape->frame_size, shape->frame_size,
                                 shape->n_king_sets[BLACK], 1};
    const int last = rules->board.n_squares - 1;
    const enum side stored = flipped ? side_other(side) : side;
    struct term *term = view->terms;

    *view = (struct table_view){
        .slots = opened->slots + table_first_block(opened->table, stored),
        .opened = opened,
        .n_rule_states = (uint8_t)shape->n_rule_states,
        .is_outcome = !opened->table->header.has_distances,
        .has_clock = shape->n_clocks > 1,
        .flipped = flipped,
        .most_own_run = (int8_t)table_max_run(opened->table, stored),
    };
    for (uint32_t n = opened->table->header.block_placements; n > 1; n /= 2)
        view->place_bits++;
    /* A set has the rank C(a, 1) + C(b, 2) + ... of its squares a < b < ...; on a board that is
     * flipped they come in the opposite order. */
    for (int set = 0; set < 4; set++) { /* on the board */
        const bool kings = set >= 2;
        const int of = flipped ? !(set % 2) : set % 2;
        const int size = kings ? shape->material.kings[of] : shape->material.men[of];
        const int offset = kings ? 0 : shape->man_offset[of];
        for (int i = 0; i < size; i++)
            *term++ = (struct term){
                .weight = weights[kings ? 2 + of : of],
                .add = (flipped ? last + 1 : 0) - offset,
                .k = flipped ? size - i : i + 1,
            };
    }
    for (int of = WHITE; of <= BLACK; of++)
        if (shape->n_runs[of] > 1)
            view->run_weight[flipped ? !of : of] =
                (uint8_t)(of == WHITE ? shape->n_runs[BLACK] : 1);
}

static void fill_views(einspul *handle, struct open_table *opened)
{
    const struct shape *shape = &opened->table->shape;
    const bool symmetric = material_is_symmetric(&shape->material);
    const bool omits = !symmetric && (table_max_run(opened->table, WHITE) < 0 ||
                                      table_max_run(opened->table, BLACK) < 0);
    const uint64_t n_states = shape->n_placements * (uint64_t)shape->n_rule_states;
    const uint64_t first = omits ? atomic_fetch_add(&handle->n_value_keys, 2 * n_states) + 1 : 0;
    for (int i = 0; i < 4; i++) {
        const int side = i % 2;
        const bool flipped = symmetric ? side == BLACK : i >= 2;
        struct table_view *view = &opened->views[i / 2][side];
        fill_view(view, opened, &handle->rules, flipped, (enum side)side);
        view->first_key = omits && flipped != (side == BLACK) ? first + n_states : first;
        view->is_plain = !omits && !material_has_limit(&handle->rules, &shape->material);
    }
}

/* Opens a source; wrong content is a permanent failure, which is kept with its reason. NULL with
 * any other error, such as no memory, no permission, too many open files, a failed read, or a
 * missing or truncated file, which may have gone by the next call. */
static struct open_table *open_source(einspul *handle, const struct source *source,
                                      einspul_error *error)
{
    struct open_table *opened = calloc(1, sizeof *opened);
    struct file *file = NULL;
    if (opened == NULL) {
        file_no_memory(source->path, error);
        return NULL;
    }
    einspul_error *failure = &opened->failure;
    einspul_status status = source->pack == NULL
                                ? file_open(source->path, NULL, &file, failure)
                                : file_open_part(source->pack->file, source->path, source->offset,
                                                 source->n_bytes, &file, failure);
    if (status == EINSPUL_OK)
        status = table_open_file(file, source->id, &opened->table, failure);
    if (status == EINSPUL_OK) {
        opened->slots = calloc((size_t)opened->table->header.n_blocks, sizeof *opened->slots);
        if (opened->slots == NULL)
            status = file_no_memory(source->path, failure);
    }
    if (status == EINSPUL_OK)
        fill_views(handle, opened);
    failure->status = status;
    if (status == EINSPUL_OK || status == EINSPUL_NO_METRIC ||
        (status_is_wrong_content(status) && status != EINSPUL_TRUNCATED))
        return opened;
    *error = *failure;
    open_table_free(opened);
    return NULL;
}

einspul_status handle_source(einspul *handle, struct source *source, bool cached_only,
                             const struct open_table **result, einspul_error *error)
{
    struct open_table *opened = atomic_load_explicit(&source->opened, memory_order_acquire);
    einspul_error own = {.status = EINSPUL_OK};
    if (opened == NULL && cached_only) {
        handle->cache->misses++;
        return error_set(error, EINSPUL_NOT_CACHED, "%s: not loaded yet", path_tail(source->path));
    }
    if (opened == NULL) {
        os_mutex_lock(&handle->open_lock);
        opened = atomic_load(&source->opened);
        if (opened == NULL) {
            opened = open_source(handle, source, &own);
            atomic_store_explicit(&source->opened, opened, memory_order_release);
        }
        os_mutex_unlock(&handle->open_lock);
    }
    const einspul_error *failure = opened != NULL ? &opened->failure : &own;
    *result = opened;
    return failure->status == EINSPUL_OK ? EINSPUL_OK
                                         : error_set(error, failure->status, "%s", failure->text);
}

/* Tries the file of the metric first; if that is missing or unusable, the other file if it can
 * answer. */
einspul_status handle_table(einspul *handle, int number, einspul_metric metric, bool cached_only,
                            const struct open_table **result, einspul_error *error)
{
    const struct material *material = handle_material(handle, number);
    struct source *own = &handle->sources[number][metric - 1];
    struct source *other = &handle->sources[number][metric == EINSPUL_WDL];
    einspul_status status = handle_has_table(handle, number, metric);

    if (status != EINSPUL_OK)
        return error_set(error, status,
                         status == EINSPUL_NO_METRIC ? "no distances for %s (%s)"
                                                     : "no table for %s (%s)",
                         material_name(material).text, handle->rules.name);
    if (own->path == NULL)
        return handle_source(handle, other, cached_only, result, error);
    status = handle_source(handle, own, cached_only, result, error);
    if (status == EINSPUL_OK || status == EINSPUL_NOT_CACHED || other->path == NULL ||
        (metric == EINSPUL_DTW && !table_always_has_distances(&handle->rules, material)))
        return status;
    return handle_source(handle, other, cached_only, result, NULL) == EINSPUL_OK ? EINSPUL_OK
                                                                                 : status;
}

einspul_status handle_find_view(einspul *handle, int key, const struct placement *placement,
                                einspul_metric metric, bool cached_only,
                                const struct table_view **view, einspul_error *error)
{
    const struct open_table *opened = NULL;
    const einspul_status status =
        handle_table(handle, handle->number[key], metric, cached_only, &opened, error);
    if (status != EINSPUL_OK)
        return status;
    const struct material material = material_of(placement);
    const struct table_view *views = opened->views[!material_is_canonical(&material)];
    atomic_store_explicit(&handle->views[metric - 1][key], views, memory_order_release);
    *view = &views[placement->side];
    return EINSPUL_OK;
}
