/* Opens a handle for each rule set that has tables in the folders. */
#include "serve/service.h"

#include "core/os.h"
#include "core/program/game.h"
#include "core/program/text.h"
#include "probe/position.h"
#include "probe/program_handle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MAX_LIST_BYTES = 256 << 20 }; /* of all prepared lists */

/* A number that changes when a table of a rule set is added, replaced or removed: in a folder, or by
 * replacing a pack. */
static uint64_t listing_of(const struct server_options *options, const char *rules)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < options->n_folders; i++) {
        char path[4096];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", options->folders[i], rules);
        const bool there = stat(path, &info) == 0 || stat(options->folders[i], &info) == 0;
        if (there)
            sum += (i + 1) * (uint64_t)(info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec);
    }
    return sum;
}

/* Without this check a missing folder would look like one without tables. */
static einspul_status check_folder(const char *path, einspul_error *error)
{
    struct os_info info;
    return os_info_at(path, &info) == 0
               ? EINSPUL_OK
               : error_set(error, EINSPUL_NO_FOLDER, "%s: %s", path_tail(path), strerror(errno));
}

/* Opens the tables of a rule set, for the first time or again. */
static einspul_status open_set(struct service *service, const char *name, einspul_error *error)
{
    struct rule_set *known = service_find(service, name);
    struct rule_set *set = known != NULL ? known : &service->sets[service->n_sets];
    einspul *handle = NULL;
    einspul_error failure;
    const einspul_status status = probe_open(service->options.folders, service->options.n_folders,
                                             name, service->options.cache_bytes, &handle, &failure);
    if (status == EINSPUL_NO_FOLDER)
        return EINSPUL_OK;
    if (status != EINSPUL_OK)
        return error_set(error, status, "%s", failure.text);
    if (known != NULL) {
        proofs_drop_suspended(&service->proofs); /* its prover uses the handle */
        einspul_close(set->handle);
    }
    set->handle = handle;
    if (known != NULL)
        return EINSPUL_OK;
    rules_by_name(&set->rules, name, NULL);
    service->n_sets++;
    return service->options.lists == NULL
               ? EINSPUL_OK
               : lists_read(service->options.lists, name, &service->n_list_bytes_left, &set->lists,
                            error);
}

einspul_status service_open(struct service *service, const struct server_options *options,
                            einspul_error *error)
{
    einspul_status status = EINSPUL_OK;

    *service = (struct service){.options = *options, .n_list_bytes_left = MAX_LIST_BYTES};
    pthread_mutex_init(&service->refreshing, NULL);
    pthread_rwlock_init(&service->in_use, NULL);
    proofs_init(&service->proofs);
    for (size_t i = 0; i < options->n_folders && status == EINSPUL_OK; i++)
        status = check_folder(options->folders[i], error);
    if (options->lists != NULL && status == EINSPUL_OK)
        status = check_folder(options->lists, error);
    for (int i = 0; i < N_RULES && status == EINSPUL_OK; i++) {
        service->listings[i] = listing_of(options, einspul_rules_list()[i]);
        status = open_set(service, einspul_rules_list()[i], error);
    }
    if (status == EINSPUL_OK && service->n_sets == 0)
        status = error_set(error, EINSPUL_NO_FOLDER, "no tables found in %s",
                           path_tail(options->folders[0]));
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
    pthread_rwlock_destroy(&service->in_use);
    pthread_mutex_destroy(&service->refreshing);
}

void service_refresh(struct service *service)
{
    struct timespec now;
    if (pthread_mutex_trylock(&service->refreshing) != 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const bool due = now.tv_sec - service->refreshed >= REFRESH_SECONDS;
    service->refreshed = due ? now.tv_sec : service->refreshed;
    for (int i = 0; i < N_RULES && due; i++) {
        const uint64_t listing = listing_of(&service->options, einspul_rules_list()[i]);
        if (listing == service->listings[i] || pthread_rwlock_trywrlock(&service->in_use) != 0)
            continue;
        open_set(service, einspul_rules_list()[i], NULL);
        pthread_rwlock_unlock(&service->in_use);
        service->listings[i] = listing;
    }
    pthread_mutex_unlock(&service->refreshing);
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
