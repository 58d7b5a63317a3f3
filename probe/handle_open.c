/* Opening and closing handles: finding the table files in folders and packs. Tables are opened later, when they are needed (probe/handle.c), or loaded into
 * memory before a search. */
#include "probe/handle_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/path_list.h"

/* Returns the path of a name below a root; release with free(). NULL if out of memory. */
static char *path_below(const char *root, const char *name, einspul_error *error)
{
    const size_t size = strlen(root) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL)
        error_set(error, EINSPUL_NO_MEMORY, "not enough memory for the list of tables");
    else
        snprintf(path, size, "%s/%s", root, name);
    return path;
}

/* Looks for the file of a source. A file that exists but cannot be examined, such as a symlink
 * loop, counts as found: opening it later reports the reason. */
static bool find_in_folder(struct source *source)
{
    struct os_info info;
    if (os_info_at(source->path, &info) != 0)
        return errno != ENOENT && errno != ENOTDIR;
    source->n_bytes = info.n_bytes;
    return info.kind == OS_REGULAR;
}

static int compare_names(const void *name, const void *entry)
{
    return strcmp(name, ((const struct pack_entry *)entry)->name);
}

static bool find_in_pack(struct source *source, const struct pack *pack, const char *name)
{
    const struct pack_entry *entry =
        bsearch(name, pack->entries, pack->n_entries, sizeof *entry, compare_names);
    if (entry == NULL)
        return false;
    source->pack = pack;
    source->offset = entry->offset;
    source->n_bytes = entry->n_bytes;
    return true;
}

/* Looks for the tables that have not been found yet: in a pack or, where that is NULL, in a folder.
 * Tries all 420 possible names, which works the same for both and needs no directory listing. */
static einspul_status find_tables(einspul *handle, const char *root, const struct pack *pack,
                                  einspul_error *error)
{
    for (int i = 0; i < 2 * handle->n_materials; i++) {
        struct source *source = &handle->sources[i / 2][i % 2];
        const struct table_name name = table_file_name(source->id);
        if (source->path != NULL)
            continue;
        source->path = path_below(root, name.text, error);
        if (source->path == NULL)
            return EINSPUL_NO_MEMORY;
        if (pack != NULL ? find_in_pack(source, pack, name.text) : find_in_folder(source)) {
            handle->n_found++;
        } else {
            free(source->path);
            source->path = NULL;
        }
    }
    return EINSPUL_OK;
}

/* Opens a pack, which becomes the handle's, and looks into it. */
static einspul_status find_pack_tables(einspul *handle, const char *path, einspul_error *error)
{
    struct pack *pack = NULL;
    const einspul_status status = pack_open(path, handle->callbacks, &pack, error);
    if (status == EINSPUL_NO_TABLE)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: no such file", path_tail(path));
    if (status != EINSPUL_OK)
        return status;
    pack->next = handle->packs;
    handle->packs = pack;
    return find_tables(handle, path, pack, error);
}

/* Checks that a rule set's folder, if it exists, can be searched. */
static einspul_status check_folder(const char *root, enum rules_id id, einspul_error *error)
{
    struct os_info info;
    char name[TABLE_NAME_SIZE];
    einspul_status status = EINSPUL_OK;
    snprintf(name, sizeof name, "%s/.", einspul_rules_list()[id - 1]);
    char *path = path_below(root, name, error);
    if (path == NULL)
        return EINSPUL_NO_MEMORY;
    if (os_info_at(path, &info) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = error_set(error, EINSPUL_IO, "%s: %s", path_tail(path), strerror(errno));
    free(path);
    return status;
}

einspul_status handle_look_in(einspul *handle, const char *root, einspul_error *error)
{
    struct os_info info;
    if (handle->callbacks != NULL)
        return find_pack_tables(handle, root, error);
    if (os_info_at(root, &info) != 0)
        return error_set(error, errno == ENOENT ? EINSPUL_NO_FOLDER : EINSPUL_IO, "%s: %s",
                         path_tail(root), strerror(errno));
    if (info.kind == OS_REGULAR)
        return find_pack_tables(handle, root, error);
    if (info.kind != OS_FOLDER)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: not a folder or pack of tables",
                         path_tail(root));
    einspul_status status = check_folder(root, handle->rules.id, error);
    if (status == EINSPUL_OK)
        status = check_folder(root, handle->rules.table_rules, error);
    return status == EINSPUL_OK ? find_tables(handle, root, NULL, error) : status;
}

static void list_sources(einspul *handle)
{
    struct material materials[MAX_MATERIALS];
    handle->n_materials = material_list(2, MAX_PIECES, materials);
    for (int i = 0; i < handle->n_materials; i++) {
        const struct material flipped = material_flip(&materials[i]);
        handle->number[key_of_material(&materials[i])] = (uint8_t)i;
        handle->number[key_of_material(&flipped)] = (uint8_t)i;
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
            handle->sources[i][metric - 1].id =
                (struct table_id){&handle->rules, materials[i], (einspul_metric)metric};
    }
}

/* The share of the cache's memory that goes to `values`, and its minimum: without them a long
 * probe would recompute the same values again and again. */
enum { VALUE_CACHE_PART = 16, MIN_VALUE_CACHE = 512 << 10 };

einspul_status handle_create(const char *rules, size_t cache_bytes,
                             const einspul_callbacks *callbacks, einspul **handle,
                             einspul_error *error)
{
    const size_t part = cache_bytes / VALUE_CACHE_PART;
    if (callbacks != NULL && (callbacks->open == NULL || callbacks->size == NULL ||
                              callbacks->read_at == NULL || callbacks->close == NULL))
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "the callbacks open, size, read_at and close must all be set");
    einspul *created = calloc(1, sizeof *created);
    if (created == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a handle");
    os_mutex_init(&created->open_lock);
    if (callbacks != NULL) {
        created->own_callbacks = *callbacks;
        created->callbacks = &created->own_callbacks;
    }
    einspul_status status =
        rules_by_name(&created->rules, rules == NULL ? einspul_rules_list()[0] : rules, error);
    if (status == EINSPUL_OK) {
        created->values = value_cache_create(part < MIN_VALUE_CACHE ? MIN_VALUE_CACHE : part);
        created->cache = cache_create(cache_bytes - part);
        if (created->values == NULL || created->cache == NULL)
            status = error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a cache of %zu MiB",
                               cache_bytes >> 20);
    }
    if (status != EINSPUL_OK) {
        einspul_close(created);
        return status;
    }
    list_sources(created);
    *handle = created;
    return EINSPUL_OK;
}

einspul_status handle_finish(einspul *opened, einspul_status status, const char *where,
                             einspul **handle, einspul_error *error)
{
    if (status == EINSPUL_OK && opened->n_found == 0)
        status = error_set(error, EINSPUL_NO_FOLDER, "no tables for '%s' in %s", opened->rules.name,
                           path_tail(where));
    if (status != EINSPUL_OK)
        einspul_close(opened);
    *handle = status == EINSPUL_OK ? opened : NULL;
    return status;
}

/* Searches the paths of a list, which is split in place; *n is their number. Paths of the file system
 * become absolute. */
static einspul_status find_in_list(einspul *handle, char *list, int *n, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    const bool of_files = handle->callbacks == NULL;
    for (char *given = path_list_next(&list, of_files); given != NULL && status == EINSPUL_OK;
         given = path_list_next(&list, of_files), ++*n) {
        char *path = of_files ? os_absolute(given) : strdup(given);
        status = path != NULL ? handle_look_in(handle, path, error)
                              : error_set(error, status_of_errno(errno), "%s: %s", path_tail(given),
                                          strerror(errno));
        free(path);
    }
    return status;
}

einspul_status einspul_open(const char *tables, const char *rules, size_t cache_bytes,
                            const einspul_callbacks *callbacks, einspul **handle,
                            einspul_error *error)
{
    einspul *opened = NULL;
    int n = 0;

    if (handle != NULL)
        *handle = NULL;
    if (tables == NULL || handle == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the paths or the handle pointer are NULL");
    einspul_status status = handle_create(rules, cache_bytes, callbacks, &opened, error);
    if (status != EINSPUL_OK)
        return status;
    char *list = strdup(tables);
    status = list != NULL ? find_in_list(opened, list, &n, error)
                          : error_set(error, EINSPUL_NO_MEMORY, "not enough memory for the paths");
    free(list);
    if (status == EINSPUL_OK && n == 0)
        status = error_set(error, EINSPUL_NO_FOLDER, "no path of tables is given");
    return handle_finish(opened, status, tables, handle, error);
}

void einspul_close(einspul *handle)
{
    if (handle == NULL)
        return;
    cache_destroy(handle->cache);
    free(handle->values);
    for (int i = 0; i < 2 * handle->n_materials; i++) {
        struct source *source = &handle->sources[i / 2][i % 2];
        open_table_free(atomic_load(&source->opened));
        free(source->path);
    }
    while (handle->packs != NULL) {
        struct pack *pack = handle->packs;
        handle->packs = pack->next;
        pack_close(pack);
    }
    os_mutex_destroy(&handle->open_lock);
    free(handle);
}

size_t einspul_list(const einspul *handle, einspul_table_info *tables, size_t capacity)
{
    size_t n = 0;
    for (int i = 0; handle != NULL && i < handle->n_materials; i++) {
        const struct source *wdl = &handle->sources[i][EINSPUL_WDL - 1];
        const struct source *dtw = &handle->sources[i][EINSPUL_DTW - 1];
        if (wdl->path == NULL && dtw->path == NULL)
            continue;
        if (n < capacity && tables != NULL) {
            tables[n] = (einspul_table_info){
                .has_wdl = wdl->path != NULL,
                .has_dtw = dtw->path != NULL,
                .pieces = material_pieces(handle_material(handle, i)),
                .wdl_bytes = wdl->n_bytes,
                .dtw_bytes = dtw->n_bytes,
            };
            strcpy(tables[n].material, material_name(handle_material(handle, i)).text);
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
        const struct open_table *opened = NULL;
        if (handle_table(handle, i, metric, false, &opened, NULL) == EINSPUL_OK)
            continue;
        const int pieces = material_pieces(handle_material(handle, i)) - 1;
        return pieces < 2 ? 0 : pieces;
    }
    return MAX_PIECES;
}

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
