/* Maps paths to calls. */
#ifndef EINSPUL_SERVE_ROUTES_H
#define EINSPUL_SERVE_ROUTES_H

#include "serve/api.h"
#include "serve/page.h"

/* Kinds of requests, as /monitor counts them. */
enum endpoint {
    ENDPOINT_PAGE,
    ENDPOINT_RULES,
    ENDPOINT_POSITION, /* from here to ENDPOINT_LIST: calls about a rule set */
    ENDPOINT_MAINLINE,
    ENDPOINT_COMPARE,
    ENDPOINT_MAP,
    ENDPOINT_BATCH,
    ENDPOINT_TABLES,
    ENDPOINT_MATERIAL,
    ENDPOINT_FIND,
    ENDPOINT_PROGRESS,
    ENDPOINT_LISTS,
    ENDPOINT_LIST,
    ENDPOINT_MONITOR,
    ENDPOINT_NONE, /* no such path, or no valid request */
    N_ENDPOINTS
};

const char *endpoint_name(enum endpoint endpoint);

/* The target of a path. */
struct route {
    enum endpoint endpoint;
    bool post;                    /* POST instead of GET and HEAD */
    api_call *call;               /* NULL: a page file, the monitor, or nothing */
    struct rule_set *set;         /* of the call */
    const char *rest;             /* of the path, after the call's name */
    const char *const *arguments; /* of the call, ended by NULL */
    const struct page_file *file; /* ENDPOINT_PAGE */
};

/* Finds the target of a path. False, with a 404 in `reply`, if there is none. */
bool route_find(struct service *service, const char *path, struct route *route,
                struct reply *reply);

/* True when a call may take too long for a connection's thread. */
bool route_is_slow(const struct route *route, const struct call *call);

#endif
