/* The calls of the API, described in docs/api.md. */
#ifndef EINSPUL_SERVE_ENDPOINTS_H
#define EINSPUL_SERVE_ENDPOINTS_H

#include "serve/service.h"

enum {
    MAX_BODY = 512 * 1024,         /* bytes of a request's body */
    MAX_BATCH = 4096,              /* positions of a batch */
    MAX_LINE = 300,                /* moves of a line */
    MAX_ROWS = 500,                /* rows of a list in an answer */
    MAX_COUNTED = 32 * 1024 * 1024 /* placements to count, of both sides; takes seconds */
};

/* The context of a call. */
struct call {
    struct service *service;
    struct rule_set *set; /* named in its path; NULL for api_rules */
    const char *rest;     /* rest of the path after the call's name */
    const struct request *request;
};
/* A long-running call returns an empty reply if `request->go_on` is NULL; the server then runs it
 * again as a job (serve/jobs.h). */
typedef void api_call(const struct call *call, struct reply *reply);

/* Each line is a source. */
api_call api_annotate;
api_call api_batch;
api_call api_find, api_progress;
api_call api_lists, api_list;
api_call api_material, api_tables;
api_call api_position, api_mainline, api_compare, api_map, api_rules;
api_call api_solve, api_proof;

/* Fills in the names of a search's arguments: the conditions of study/find_text.h and its own. */
void api_find_arguments(const char *names[MAX_ARGUMENTS]);

struct endpoint {
    const char *name; /* in the path; NULL ends a list */
    api_call *call;
    const char *arguments[7]; /* ended by NULL */
    bool of_search;           /* accepts the arguments of `find` */
    bool post;                /* POST instead of GET and HEAD */
    bool rest;                /* the path has one more part after the name */
};

/* Calls about positions, games and proofs, which a page without a server has too. */
extern const struct endpoint position_calls[];

/* The call of a name in a list, or NULL. */
const struct endpoint *endpoint_find(const struct endpoint *list, const char *name);

#endif
