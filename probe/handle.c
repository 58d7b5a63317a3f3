/* Opening tables when they are first needed. Everything a probe needs to know about a table is
 * computed once, as a way, and is immutable afterwards. */
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

void opened_free(struct opened *opened)
{
    if (opened == NULL)
        return;
    table_close(opened->table);
    free(opened->slots);
    free(opened);
}

/* Sets up the look-up of a material's placements, for the board as it is or with colours exchanged,
 * which turns it round; symmetric material is turned so that White is to move. */
static void fill_way(struct way *way, const struct opened *opened, const struct rules *rules,
                     bool turned, enum side side)
{
    const struct shape *shape = &opened->table->shape;
    const uint64_t weights[4] = {shape->n_men_sets[BLACK] * shape->frame_size, shape->frame_size,
                                 shape->n_king_sets[BLACK], 1};
    const int last = rules->board.n_squares - 1;
    const enum side stored = turned ? side_other(side) : side;

    *way = (struct way){
        .slots = opened->slots + table_first_block(opened->table, stored),
        .opened = opened,
        .place_bits = (uint8_t)bits_first(opened->table->header.block_placements),
        .n_run_states = (uint8_t)shape->n_run_states,
        .has_clock = shape->n_clocks > 1,
        .turned = turned,
        .most_own_run = (int8_t)table_most_run(opened->table, stored),
    };
    /* A set has the rank C(a, 1) + C(b, 2) + ... of its squares a < b < ...; on a board that is
     * turned round they come in the opposite order. */
    for (int set = 0; set < 4; set++) { /* as stored */
        const bool kings = set >= 2;
        const int of = set % 2;
        const int size = kings ? shape->material.kings[of] : shape->material.men[of];
        const int offset = kings ? 0 : shape->man_offset[of];
        for (int i = 0; i < size; i++)
            way->terms[way->n_pieces++] = (struct term){
                .weight = weights[set],
                .set = (uint8_t)(turned ? set ^ 1 : set),
                .k = (uint8_t)(turned ? size - i : i + 1),
                .add = (int8_t)((turned ? last + 1 : 0) - offset),
            };
    }
    for (int of = WHITE; of <= BLACK; of++)
        if (shape->n_runs[of] > 1)
            way->run_weight[turned ? !of : of] = (uint8_t)(of == WHITE ? shape->n_runs[BLACK] : 1);
}

static void fill_ways(struct opened *opened, const struct rules *rules)
{
    const bool symmetric = material_is_symmetric(&opened->table->shape.material);
    for (int side = WHITE; side <= BLACK; side++) {
        fill_way(&opened->ways[false][side], opened, rules, symmetric && side == BLACK,
                 (enum side)side);
        if (!symmetric)
            fill_way(&opened->ways[true][side], opened, rules, true, (enum side)side);
    }
}

/* Numbers the ways of a table that omits a side; `number` is its material's. */
static void number_ways(struct opened *opened, int number)
{
    const struct way *stored = opened->ways[false];
    if (stored[WHITE].most_own_run >= 0 && stored[BLACK].most_own_run >= 0)
        return;
    for (int i = 0; i < 2; i++)
        for (int side = WHITE; side <= BLACK; side++)
            opened->ways[i][side].number = (uint8_t)(number + 1);
}

static einspul_status open_file(const einspul *handle, const struct source *source,
                                struct file **file, einspul_error *error)
{
    if (source->pack == NULL)
        return file_open(source->path, handle->callbacks, file, error);
    return file_open_part(source->pack->file, source->path, source->offset, source->n_bytes, file,
                          error);
}

static einspul_status open_source(einspul *handle, const struct source *source,
                                  const struct material *material, einspul_metric metric,
                                  struct opened **result, einspul_error *error)
{
    struct opened *opened = calloc(1, sizeof *opened);
    struct file *file = NULL;
    *result = NULL;
    if (opened == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: no memory to open it",
                         path_text(source->path));
    const struct table_id id = {&handle->rules, *material, metric};
    einspul_status status = open_file(handle, source, &file, error);
    if (status == EINSPUL_OK)
        status = table_open_file(file, id, &opened->table, error);
    if (status != EINSPUL_OK) {
        opened_free(opened);
        return status;
    }
    opened->slots = calloc((size_t)opened->table->header.n_blocks, sizeof *opened->slots);
    if (opened->slots == NULL) {
        opened_free(opened);
        return error_set(error, EINSPUL_NO_MEMORY, "%s: no memory to open it",
                         path_text(source->path));
    }
    fill_ways(opened, &handle->rules);
    number_ways(opened, *handle_number(handle, material));
    *result = opened;
    return EINSPUL_OK;
}

/* Whether a file is not tried again. All errors but these, such as no memory, no permission, too
 * many open files, a failed read, or a missing or truncated file, may be gone at the next call. */
static bool is_final(einspul_status status)
{
    return (status_is_content(status) && status != EINSPUL_TRUNCATED) ||
           status == EINSPUL_NO_METRIC;
}

/* Opens a source that has not been opened yet, under the lock. */
static einspul_status open_once(einspul *handle, struct source *source,
                                const struct material *material, einspul_metric metric,
                                einspul_error *error)
{
    einspul_error own;
    struct opened *opened = NULL;
    if (atomic_load(&source->opened) != NULL || atomic_load(&source->failure) != NULL)
        return EINSPUL_OK;
    const einspul_status status = open_source(handle, source, material, metric, &opened, &own);
    if (status == EINSPUL_OK) {
        atomic_store_explicit(&source->opened, opened, memory_order_release);
        return EINSPUL_OK;
    }
    einspul_error *failure = is_final(status) ? malloc(sizeof *failure) : NULL;
    if (failure == NULL)
        return error_set(error, status, "%s", own.text);
    *failure = own;
    atomic_store_explicit(&source->failure, failure, memory_order_release);
    return EINSPUL_OK;
}

einspul_status handle_source(einspul *handle, struct source *source,
                             const struct material *material, einspul_metric metric,
                             bool cached_only, const struct opened **result, einspul_error *error)
{
    struct opened *opened = atomic_load_explicit(&source->opened, memory_order_acquire);
    einspul_error *failure = atomic_load_explicit(&source->failure, memory_order_acquire);
    if (opened == NULL && failure == NULL) {
        if (cached_only) {
            cache_refuse(handle->cache);
            return error_set(error, EINSPUL_NOT_CACHED, "%s is not open yet",
                             path_text(source->path));
        }
        os_mutex_lock(&handle->open_lock);
        const einspul_status status = open_once(handle, source, material, metric, error);
        os_mutex_unlock(&handle->open_lock);
        if (status != EINSPUL_OK)
            return status;
        opened = atomic_load_explicit(&source->opened, memory_order_acquire);
        failure = atomic_load_explicit(&source->failure, memory_order_acquire);
    }
    if (failure != NULL)
        return error_set(error, failure->status, "%s", failure->text);
    *result = opened;
    return EINSPUL_OK;
}

/* The file of the metric comes first; the other one, if it is sufficient, where that is missing or
 * cannot be used. */
einspul_status handle_table(einspul *handle, const struct material *material, einspul_metric metric,
                            bool cached_only, const struct opened **result, einspul_error *error)
{
    struct source *sources = handle->sources[*handle_number(handle, material)];
    const einspul_metric other = metric == EINSPUL_WDL ? EINSPUL_DTW : EINSPUL_WDL;
    const bool other_exists = sources[other - 1].path != NULL;
    const bool other_answers =
        other_exists && (metric == EINSPUL_WDL || table_keeps_distances(&handle->rules, material));
    einspul_status status = other_exists ? EINSPUL_NO_METRIC : EINSPUL_NO_TABLE;

    if (sources[metric - 1].path != NULL) {
        status = handle_source(handle, &sources[metric - 1], material, metric, cached_only, result,
                               error);
        if (!other_answers || status == EINSPUL_OK || status == EINSPUL_NOT_CACHED)
            return status;
        return handle_source(handle, &sources[other - 1], material, other, cached_only, result,
                             NULL) == EINSPUL_OK
                   ? EINSPUL_OK
                   : status;
    }
    if (other_answers)
        return handle_source(handle, &sources[other - 1], material, other, cached_only, result,
                             error);
    if (error == NULL)
        return status;
    const struct material_name name = material_name(material);
    return error_set(error, status,
                     other_exists ? "the table of %s has no distances (%s)" : "no table of %s (%s)",
                     name.text, handle->rules.name);
}

einspul_status handle_check_pieces(const einspul *handle, const struct placement *placement,
                                   einspul_error *error)
{
    const int n_pieces = squares_count(placement_occupied(placement));
    if (n_pieces <= MAX_PIECES)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_TABLE, "no table of %d pieces, %d at most (%s)", n_pieces,
                     MAX_PIECES, handle->rules.name);
}

einspul_status handle_find_way(einspul *handle, const struct placement *placement,
                               einspul_metric metric, bool cached_only, const struct way **way,
                               einspul_error *error)
{
    struct material material = material_of(placement);
    const struct material met = material;
    const struct opened *opened = NULL;
    einspul_status status = handle_check_pieces(handle, placement, error);

    if (status != EINSPUL_OK)
        return status;
    const bool canonical = material_is_canonical(&material);
    if (!canonical)
        material = material_turn(&material);
    const int key = way_key(met.men[WHITE], met.kings[WHITE], met.men[BLACK], met.kings[BLACK]);
    status = handle_table(handle, &material, metric, cached_only, &opened, error);
    const struct source *sources = handle->sources[*handle_number(handle, &material)];
    if (status == EINSPUL_NO_METRIC ||
        (status == EINSPUL_NO_TABLE && sources[0].path == NULL && sources[1].path == NULL))
        atomic_store_explicit(&handle->absent[metric - 1][key], (uint8_t)status,
                              memory_order_relaxed);
    if (status != EINSPUL_OK)
        return status;
    const struct way *ways = opened->ways[canonical ? 0 : 1];
    if (ways->number != 0)
        atomic_store_explicit(&handle->omits[metric - 1], true, memory_order_relaxed);
    atomic_store_explicit(&handle->ways[metric - 1][key], ways, memory_order_release);
    *way = &ways[placement->side];
    return EINSPUL_OK;
}
