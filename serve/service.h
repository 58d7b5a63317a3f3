/* The server's state: open tables and prepared lists of every rule set. Thread-safe once it is
 * open; calls hold `in_use` for reading, since service_refresh replaces handles. */
#ifndef EINSPUL_SERVE_SERVICE_H
#define EINSPUL_SERVE_SERVICE_H

#include "core/material.h"
#include "einspul.h"
#include "serve/http.h"
#include "serve/proofs.h"
#include "study/lists.h"

#include <pthread.h>

/* A rule set with tables. */
struct rule_set {
    struct rules rules;
    einspul *handle;
    struct lists lists;
};

struct server_options {
    const char *listen;         /* an address such as 127.0.0.1 or ::1 */
    int port;                   /* 0: a free one */
    const char *base;           /* path of the page, such as /einspul; NULL: the root */
    const char *const *folders; /* roots of the tables; must last as long as the server */
    size_t n_folders;           /* 1.. */
    const char *lists;          /* folder of prepared lists; NULL: none */
    size_t cache_bytes;         /* of decoded blocks, for each rule set */
    size_t prover_bytes;        /* of a search for a proof */
    int n_threads;              /* for counting in parallel */
};

struct service {
    struct server_options options;
    const char *find_arguments[MAX_ARGUMENTS]; /* names of a search's arguments, ended by NULL */
    _Atomic uint64_t search;                   /* hash of the running search, 0: none */
    _Atomic int search_share;                  /* its progress in thousandths */
    struct proofs proofs;                      /* certified ones, and progress of a search */
    uint64_t n_list_bytes_left;                /* budget of the lists */
    pthread_mutex_t refreshing;                /* guards the two below */
    int64_t refreshed;                         /* seconds */
    uint64_t listings[N_RULES];                /* of the files, in the order of the rules */
    pthread_rwlock_t in_use;                   /* guards the rule sets */
    int n_sets;
    struct rule_set sets[N_RULES]; /* a set keeps its place */
};

/* Opens the tables of all rule sets under the folders. NO_FOLDER if there are no tables at all;
 * other errors of einspul_open. */
einspul_status service_open(struct service *service, const struct server_options *options,
                            einspul_error *error);
void service_close(struct service *service);

/* Reopens the tables of rule sets whose files were added or removed since, and opens those of new
 * rule sets, at most once in REFRESH_SECONDS and while no call is running. Tables that cannot be
 * opened leave the earlier ones. */
enum { REFRESH_SECONDS = 5 };
void service_refresh(struct service *service);

/* Writes the names of the rule sets, with commas between. */
enum { SERVICE_NAMES_SIZE = 256 };
void service_names(const struct service *service, char names[SERVICE_NAMES_SIZE]);

/* The rule set with a name, its own or that of a game (rules_name_of_game). NULL if it is unknown or has
 * no tables. */
struct rule_set *service_find(struct service *service, const char *name);

#endif
