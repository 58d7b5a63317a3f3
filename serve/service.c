/* Opens a handle for each rule set that has tables in the folders. */
#include "serve/service.h"

#include "core/os.h"
#include "core/program/game.h"
#include "core/program/text.h"
#include "probe/position.h"
#include "probe/program_handle.h"

#include <errno.h>
#include <string.h>

enum { MAX_LIST_BYTES = 256 << 20 }; /* of all prepared lists */

/* Without this check a missing folder would look like one without tables. */
static einspul_status check_folder(const char *path, einspul_error *error)
{
    struct os_info info;
    return os_info_at(path, &info) == 0
               ? EINSPUL_OK
               : error_set(error, EINSPUL_NO_FOLDER, "%s: %s", path_tail(path), strerror(errno));
}

static einspul_status open_set(struct service *service, const char *name, einspul_error *error)
{
    struct rule_set *set = &service->sets[service->n_sets];
    einspul_error failure;
    const einspul_status status =
        probe_open(service->options.folders, service->options.n_folders, name,
                   service->options.cache_bytes, &set->handle, &failure);
    if (status == EINSPUL_NO_FOLDER)
        return EINSPUL_OK;
    if (status != EINSPUL_OK)
        return error_set(error, status, "%s", failure.text);
    rules_by_name(&set->rules, name, NULL);
    service->n_sets++;
    return EINSPUL_OK;
}

einspul_status service_open(struct service *service, const struct server_options *options,
                            einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    uint64_t n_left = MAX_LIST_BYTES;

    *service = (struct service){.options = *options};
    proofs_init(&service->proofs);
    for (size_t i = 0; i < options->n_folders && status == EINSPUL_OK; i++)
        status = check_folder(options->folders[i], error);
    if (options->lists != NULL && status == EINSPUL_OK)
        status = check_folder(options->lists, error);
    for (const char *const *name = rules_names(); *name != NULL && status == EINSPUL_OK; name++)
        status = open_set(service, *name, error);
    if (status == EINSPUL_OK && service->n_sets == 0)
        status = error_set(error, EINSPUL_NO_FOLDER, "no tables found in %s",
                           path_tail(options->folders[0]));
    for (int i = 0; i < service->n_sets && options->lists != NULL && status == EINSPUL_OK; i++)
        status = lists_read(options->lists, service->sets[i].rules.name, &n_left,
                            &service->sets[i].lists, error);
    if (status != EINSPUL_OK)
        service_close(service);
    return status;
}

void service_close(struct service *service)
{
    proofs_free(&service->proofs);
    for (int i = 0; i < service->n_sets; i++) {
        einspul_close(service->sets[i].handle);
        lists_free(&service->sets[i].lists);
    }
    service->n_sets = 0;
}

void service_names(const struct service *service, char names[SERVICE_NAMES_SIZE])
{
    names[0] = '\0';
    for (int i = 0; i < service->n_sets; i++)
        text_append(names, SERVICE_NAMES_SIZE, "%s%s", i == 0 ? "" : ", ",
                    service->sets[i].rules.name);
}

struct rule_set *service_find(struct service *service, const char *name)
{
    name = rules_name_of_game(name);
    for (int i = 0; i < service->n_sets && name != NULL; i++)
        if (strcmp(service->sets[i].rules.name, name) == 0)
            return &service->sets[i];
    return NULL;
}
