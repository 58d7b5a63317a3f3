/* Finding the files of tables: in folders and packs, or by the caller's functions. */
#include "probe/handle.h"

#include "core/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)EINSPUL_MATERIAL_SIZE == MATERIAL_NAME_SIZE, "a name fits into the other");

/* --- finding them ----------------------------------------------------------------------------- */

/* The source of a name that has no file yet, or NULL. */
static struct source *source_named(einspul *handle, const char *name)
{
    const char *slash = strchr(name, '/');
    const size_t length = slash == NULL ? 0 : strcspn(slash + 1, ".");
    char text[MATERIAL_NAME_SIZE] = "";
    struct material material;

    if (length > 0 && length < sizeof text)
        memcpy(text, slash + 1, length);
    if (material_read(text, &material, NULL) != EINSPUL_OK || !material_is_canonical(&material))
        return NULL;
    for (int i = 0; i < 2; i++) {
        struct source *source = &handle->sources[*handle_number(handle, &material)][i];
        const struct table_id id = {&handle->rules, material, (einspul_metric)(i + 1)};
        if (strcmp(name, table_file_name(id).text) == 0)
            return source->path == NULL ? source : NULL;
    }
    return NULL;
}

static einspul_status add_source(struct source *source, const char *folder, const char *name,
                                 uint64_t n_bytes, einspul_error *error)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    source->path = malloc(size);
    if (source->path == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for the list of tables");
    snprintf(source->path, size, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    source->n_bytes = n_bytes;
    return EINSPUL_OK;
}

/* Scans <root>/<rules>, which is open. */
static einspul_status scan_entries(einspul *handle, struct os_folder *folder, const char *root,
                                   const char *rules, einspul_error *error)
{
    for (;;) {
        struct os_info info;
        char below[TABLE_NAME_SIZE];
        const char *name = os_folder_next(folder);
        if (name == NULL && errno != 0)
            return error_set(error, EINSPUL_IO, "%s/%s: %s", path_text(root), rules,
                             strerror(errno));
        if (name == NULL)
            return EINSPUL_OK;
        const int length = snprintf(below, sizeof below, "%s/%s", rules, name);
        if (length < 0 || (size_t)length >= sizeof below)
            continue; /* longer than the name of any table */
        struct source *source = source_named(handle, below);
        if (source == NULL)
            continue;
        /* A file whose info cannot be read is listed all the same: opening it later reports the
         * reason. */
        const bool known = os_folder_info(folder, name, &info) == 0;
        if (known ? info.kind != OS_REGULAR : errno == ENOENT)
            continue;
        const einspul_status status =
            add_source(source, root, below, known ? info.n_bytes : 0, error);
        if (status != EINSPUL_OK)
            return status;
    }
}

/* Scans <root>/<rules> of one rule set, which need not exist. */
static einspul_status scan_rules(einspul *handle, const char *root, enum rules_id tables,
                                 einspul_error *error)
{
    const char *name = rules_names()[tables - 1];
    const size_t size = strlen(root) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for the list of tables");
    snprintf(path, size, "%s/%s", root, name);
    einspul_status status = EINSPUL_OK;
    struct os_folder *folder = os_folder_open(path);
    if (folder != NULL) {
        status = scan_entries(handle, folder, root, name, error);
        os_folder_close(folder);
    } else if (errno != ENOENT && errno != ENOTDIR) {
        status = error_set(error, EINSPUL_IO, "%s: %s", path_text(path), strerror(errno));
    }
    free(path);
    return status;
}

/* Opens a pack, which becomes the handle's, and adds its tables. */
static einspul_status scan_pack(einspul *handle, const char *path, einspul_error *error)
{
    struct pack *pack = NULL;
    einspul_status status = pack_open(path, handle->callbacks, &pack, error);
    if (status == EINSPUL_NO_TABLE)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: there is none", path_text(path));
    if (status != EINSPUL_OK)
        return status;
    handle->packs[handle->n_packs++] = pack;
    for (size_t i = 0; i < pack->n_entries && status == EINSPUL_OK; i++) {
        const struct pack_entry *entry = &pack->entries[i];
        struct source *source = source_named(handle, entry->name);
        if (source == NULL)
            continue;
        source->pack = pack;
        source->offset = entry->offset;
        status = add_source(source, path, entry->name, entry->n_bytes, error);
    }
    return status;
}

/* Scans the folders of the rule set and of the one whose tables it uses, or a pack. The root must
 * exist. */
static einspul_status scan_root(einspul *handle, const char *root, einspul_error *error)
{
    const struct rules *rules = &handle->rules;
    struct os_info info;
    if (handle->callbacks != NULL)
        return scan_pack(handle, root, error);
    if (os_info_at(root, &info) != 0)
        return error_set(error, errno == ENOENT ? EINSPUL_NO_FOLDER : EINSPUL_IO, "%s: %s",
                         path_text(root), strerror(errno));
    if (info.kind == OS_REGULAR)
        return scan_pack(handle, root, error);
    if (info.kind != OS_FOLDER)
        return error_set(error, EINSPUL_NO_FOLDER, "%s: neither a folder nor a pack of tables",
                         path_text(root));
    einspul_status status = scan_rules(handle, root, rules->id, error);
    if (status == EINSPUL_OK && rules->tables != rules->id)
        status = scan_rules(handle, root, rules->tables, error);
    return status;
}

/* With callbacks and no pack there is nothing to scan: tries every table by name. */
static einspul_status try_sources(einspul *handle, einspul_error *error)
{
    for (int i = 0; i < handle->n_materials; i++) {
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            const struct table_id id = {&handle->rules, handle->materials[i],
                                        (einspul_metric)metric};
            struct file *file = NULL;
            struct source *source = &handle->sources[i][metric - 1];
            einspul_status status = add_source(source, "", table_file_name(id).text, 0, error);
            if (status != EINSPUL_OK)
                return status;
            status = file_open(source->path, handle->callbacks, &file, error);
            if (status == EINSPUL_NO_MEMORY)
                return status;
            if (status == EINSPUL_OK) {
                source->n_bytes = file_size(file);
                file_close(file);
            } else if (status == EINSPUL_NO_TABLE) {
                free(source->path);
                source->path = NULL;
            } /* otherwise it is listed, and opening it later reports the reason */
        }
    }
    return EINSPUL_OK;
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
        const einspul_status status = try_sources(handle, error);
        if (status != EINSPUL_OK || has_any(handle))
            return status;
        return error_set(error, EINSPUL_NO_FOLDER, "no tables of the rule set '%s'",
                         handle->rules.name);
    }
    handle->packs = calloc(n_folders, sizeof(struct pack *));
    if (handle->packs == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; i < n_folders; i++) {
        const einspul_status status = scan_root(handle, folders[i], error);
        if (status != EINSPUL_OK)
            return status;
    }
    if (!has_any(handle))
        return error_set(error, EINSPUL_NO_FOLDER, "no tables of the rule set '%s' in %s%s",
                         handle->rules.name, path_text(folders[0]),
                         n_folders > 1 ? " and the other folders" : "");
    return EINSPUL_OK;
}
