/* Opens a handle for each rule set that has tables in the folders. */
#include "serve/service.h"

#include "core/os.h"
#include "core/program/game.h"
#include "core/program/os_write.h"
#include "core/program/random.h"
#include "core/program/text.h"
#include "probe/position.h"
#include "probe/program_handle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_LIST_BYTES = 256 << 20 }; /* of all prepared lists */

/* A hash of the names of the files of a rule set, in any order, and of the sizes of packs. */
static uint64_t listing_of(const struct server_options *options, const char *rules)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < options->n_folders; i++) {
        char path[4096];
        struct os_info info;
        const char *entry = NULL;
        if (os_info_at(options->folders[i], &info) == 0 && info.kind == OS_REGULAR)
            sum += random_mix(info.n_bytes + i);
        snprintf(path, sizeof path, "%s/%s", options->folders[i], rules);
        struct os_folder *folder = os_folder_open(path);
        while (folder != NULL && (entry = os_folder_next(folder)) != NULL) {
            uint64_t hash = i;
            for (const char *at = entry; *at != '\0'; at++)
                hash = random_mix(hash + (unsigned char)*at);
            sum += entry[0] != '.' ? hash : 0; /* files being written have names with a dot */
        }
        if (folder != NULL)
            os_folder_close(folder);
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

static void reopen(struct service *service, const char *name)
{
    struct rule_set *set = service_find(service, name);
    einspul *handle = NULL;
    if (set == NULL) {
        open_set(service, name, NULL);
        return;
    }
    if (probe_open(service->options.folders, service->options.n_folders, name,
                   service->options.cache_bytes, &handle, NULL) != EINSPUL_OK)
        return;
    proofs_drop_suspended(&service->proofs); /* its prover uses the handle */
    einspul_close(set->handle);
    set->handle = handle;
}

static void refresh(struct service *service)
{
    uint64_t listings[N_RULES];
    for (int i = 0; i < N_RULES; i++)
        listings[i] = listing_of(&service->options, einspul_rules_list()[i]);
    if (memcmp(listings, service->listings, sizeof listings) == 0 ||
        pthread_rwlock_trywrlock(&service->in_use) != 0)
        return;
    for (int i = 0; i < N_RULES; i++)
        if (listings[i] != service->listings[i])
            reopen(service, einspul_rules_list()[i]);
    pthread_rwlock_unlock(&service->in_use);
    memcpy(service->listings, listings, sizeof listings);
}

void service_refresh(struct service *service)
{
    struct timespec now;
    if (pthread_mutex_trylock(&service->refreshing) != 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - service->refreshed >= REFRESH_SECONDS) {
        service->refreshed = now.tv_sec;
        refresh(service);
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
