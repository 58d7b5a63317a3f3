/* Finding the files of tables: in folders and packs, or with the caller's functions. What was found
 * is told by einspul_list and einspul_complete. */
#include "probe/handle.h"

#include "core/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)EINSPUL_MATERIAL_SIZE == MATERIAL_NAME_SIZE, "a name fits into the other");

/* Names a source; NO_MEMORY. */
static einspul_status set_path(struct source *source, const char *root, const char *name,
                               einspul_error *error)
{
    const size_t size = strlen(root) + strlen(name) + 2;
    source->path = malloc(size);
    if (source->path == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for the list of tables");
    snprintf(source->path, size, "%s%s%s", root, root[0] != '\0' ? "/" : "", name);
    return EINSPUL_OK;
}

/* Looks for the file of a source. One that there is but cannot be looked at, as a link in a circle,
 * counts: opening it later reports the reason. */
static void look_in_folder(struct source *source, bool *found)
{
    struct os_info info;
    const bool known = os_info_at(source->path, &info) == 0;
    *found = known ? info.kind == OS_REGULAR : errno != ENOENT && errno != ENOTDIR;
    source->n_bytes = known ? info.n_bytes : 0;
}

/* Tries the file of a source with the caller's functions. */
static einspul_status try_callbacks(const einspul *handle, struct source *source, bool *found,
                                    einspul_error *error)
{
    struct file *file = NULL;
    const einspul_status status = file_open(source->path, handle->callbacks, &file, error);
    *found = status != EINSPUL_NO_TABLE;
    if (status == EINSPUL_OK)
        source->n_bytes = file->size;
    file_close(file);
    return status == EINSPUL_NO_MEMORY ? status : EINSPUL_OK;
}

static int compare_names(const void *name, const void *entry)
{
    return strcmp(name, ((const struct pack_entry *)entry)->name);
}

static void look_in_pack(struct source *source, const struct pack *pack, const char *name,
                         bool *found)
{
    const struct pack_entry *entry =
        bsearch(name, pack->entries, pack->n_entries, sizeof *entry, compare_names);
    *found = entry != NULL;
    if (entry == NULL)
        return;
    source->pack = pack;
    source->offset = entry->offset;
    source->n_bytes = entry->n_bytes;
}

/* Looks for the tables that have not been found yet: in a pack or, where that is NULL, in a folder, or
 * with the caller's functions. There are some four hundred names; trying them needs no listing of
 * folders, and asks a pack, a folder and functions alike. */
static einspul_status look_in(einspul *handle, const char *root, const struct pack *pack,
                              einspul_error *error)
{
    for (int i = 0; i < 2 * handle->n_materials; i++) {
        struct source *source = &handle->sources[i / 2][i % 2];
        const struct table_id id = {&handle->rules, handle->materials[i / 2],
                                    (einspul_metric)(i % 2 + 1)};
        const struct table_name name = table_file_name(id);
        bool found = false;
        if (source->path != NULL)
            continue;
        einspul_status status = set_path(source, root, name.text, error);
        if (status == EINSPUL_OK && pack != NULL)
            look_in_pack(source, pack, name.text, &found);
        else if (status == EINSPUL_OK && handle->callbacks != NULL)
            status = try_callbacks(handle, source, &found, error);
        else if (status == EINSPUL_OK)
            look_in_folder(source, &found);
        if (!found) {
            free(source->path);
            source->path = NULL;
        }
        if (status != EINSPUL_OK)
            return status;
    }
    return EINSPUL_OK;
}

/* Opens a pack, which becomes the handle's, and looks into it. */
static einspul_status look_in_pack_at(einspul *handle, const char *path, einspul_error *error)
{
    struct pack *pack = NULL;
    const einspul_status status = pack_open(path, handle->callbacks, &pack, error);
    if (status == EINSPUL_NO_TABLE)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: there is none", path_text(path));
    if (status != EINSPUL_OK)
        return status;
    handle->packs[handle->n_packs++] = pack;
    return look_in(handle, path, pack, error);
}

/* Whether files in the folder of a rule set can be opened, if there is one. */
static einspul_status check_folder(const char *root, enum rules_id id, einspul_error *error)
{
    struct source folder = {0};
    struct os_info info;
    char name[TABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s/.", rules_names()[id - 1]);
    einspul_status status = set_path(&folder, root, name, error);
    if (status == EINSPUL_OK && os_info_at(folder.path, &info) != 0 && errno != ENOENT &&
        errno != ENOTDIR)
        status = error_set(error, EINSPUL_IO, "%s: %s", path_text(folder.path), strerror(errno));
    free(folder.path);
    return status;
}

/* Looks into a folder or a pack, which must exist. */
static einspul_status look_in_root(einspul *handle, const char *root, einspul_error *error)
{
    struct os_info info;
    if (handle->callbacks != NULL)
        return look_in_pack_at(handle, root, error);
    if (os_info_at(root, &info) != 0)
        return error_set(error, errno == ENOENT ? EINSPUL_NO_FOLDER : EINSPUL_IO, "%s: %s",
                         path_text(root), strerror(errno));
    if (info.kind == OS_REGULAR)
        return look_in_pack_at(handle, root, error);
    if (info.kind != OS_FOLDER)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: neither a folder nor a pack of tables",
                         path_text(root));
    einspul_status status = check_folder(root, handle->rules.id, error);
    if (status == EINSPUL_OK)
        status = check_folder(root, handle->rules.tables, error);
    return status == EINSPUL_OK ? look_in(handle, root, NULL, error) : status;
}

static bool has_any(const einspul *handle)
{
    for (int i = 0; i < handle->n_materials; i++)
        if (handle->sources[i][0].path != NULL || handle->sources[i][1].path != NULL)
            return true;
    return false;
}

einspul_status handle_find_sources(einspul *handle, const char *const *folders, size_t n_folders,
                                   einspul_error *error)
{
    handle->n_materials = material_list(2, MAX_PIECES, handle->materials);
    for (int i = 0; i < handle->n_materials; i++)
        *handle_number(handle, &handle->materials[i]) = (uint8_t)i;
    if (n_folders == 0) { /* there are callbacks */
        const einspul_status status = look_in(handle, "", NULL, error);
        if (status != EINSPUL_OK || has_any(handle))
            return status;
        return error_set(error, EINSPUL_NO_FOLDER, "no tables of the rule set '%s'",
                         handle->rules.name);
    }
    handle->packs = calloc(n_folders, sizeof(struct pack *));
    if (handle->packs == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; i < n_folders; i++) {
        const einspul_status status = look_in_root(handle, folders[i], error);
        if (status != EINSPUL_OK)
            return status;
    }
    if (!has_any(handle))
        return error_set(error, EINSPUL_NO_FOLDER, "no tables of the rule set '%s' in %s%s",
                         handle->rules.name, path_text(folders[0]),
                         n_folders > 1 ? " and the other folders" : "");
    return EINSPUL_OK;
}

/* --- what was found --------------------------------------------------------------------------- */

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
