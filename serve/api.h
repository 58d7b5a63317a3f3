/* The calls of the API, described in docs/api.md. Each reads its arguments and fills a reply. */
#ifndef EINSPUL_SERVE_API_H
#define EINSPUL_SERVE_API_H

#include "serve/http.h"
#include "serve/service.h"

enum {
    MOST_BODY = 512 * 1024,         /* bytes of a request's body */
    MOST_BATCH = 4096,              /* positions of a batch */
    MOST_LINE = 300,                /* moves of a line */
    MOST_COUNTED = 32 * 1024 * 1024 /* placements, both sides to move: some seconds */
};

/* What a call is about. */
struct call {
    struct service *service;
    struct rule_set *set; /* named in its path; NULL for api_rules */
    const char *rest;     /* of the path, after the call's name */
    const struct request *request;
};
/* A call that takes long leaves the reply empty where its request has no `go_on`; it is then made
 * again as a job (serve/jobs.h). */
typedef void api_call(const struct call *call, struct reply *reply);

api_call api_rules, api_position, api_annotate, api_mainline, api_compare, api_map, api_batch,
    api_tables, api_material, api_find, api_solve, api_progress, api_lists, api_list, api_monitor;

/* Fills in the names of a search's arguments: the conditions of study/find_text.h and its own. */
void api_find_arguments(const char *names[MOST_ARGUMENTS]);

#endif
