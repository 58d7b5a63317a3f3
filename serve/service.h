/* What the server answers from: the tables of every rule set in a folder. Thread-safe once it is
 * open. */
#ifndef EINSPUL_SERVE_SERVICE_H
#define EINSPUL_SERVE_SERVICE_H

#include "core/material.h"
#include "probe/einspul.h"

enum { MOST_RULE_SETS = 16 };

/* A rule set with tables. */
struct rule_set {
    struct rules rules;
    einspul *handle;
};

struct service {
    const char *const *folders;
    size_t n_folders;
    int n_threads; /* for what is counted in parallel */
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* of 2 to MAX_PIECES pieces */
    int n_sets;
    struct rule_set sets[MOST_RULE_SETS];
};

/* Opens the tables of all rule sets under the folders, which must last as long as the service.
 * `cache_bytes` for each rule set. NO_FOLDER when there is no table of any; other errors of
 * einspul_open. */
enum status service_open(struct service *service, const char *const *folders, size_t n_folders,
                         size_t cache_bytes, int n_threads, struct error *error);
void service_close(struct service *service);

/* The rule set of a name: its own, or that of a lidraughts variant ("standard"). NULL when it has
 * no tables, or there is none of that name. */
struct rule_set *service_find(struct service *service, const char *name);

#endif
