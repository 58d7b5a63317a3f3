/* A call of the API, described in docs/api.md: it reads its arguments and fills a reply. */
#ifndef EINSPUL_SERVE_API_H
#define EINSPUL_SERVE_API_H

#include "serve/http.h"
#include "serve/service.h"

enum {
    MAX_BODY = 512 * 1024,         /* bytes of a request's body */
    MAX_BATCH = 4096,              /* positions of a batch */
    MAX_LINE = 300,                /* moves of a line */
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

#endif
