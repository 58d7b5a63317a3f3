/* Maps paths to calls. */
#ifndef EINSPUL_SERVE_ROUTES_H
#define EINSPUL_SERVE_ROUTES_H

#include "serve/api.h"
#include "serve/page.h"

/* The target of a path: a call or a file of the page. */
struct route {
    api_call *call;                           /* NULL: `file` */
    bool (*is_slow)(const struct call *call); /* NULL: never */
    bool post;                                /* POST instead of GET and HEAD */
    struct rule_set *set;                     /* of the call */
    const char *rest;                         /* of the path, after the call's name */
    const char *const *arguments;             /* of the call, ended by NULL */
    const struct page_file *file;
};

/* Finds the target of a path. False, with a 404 in `reply`, if there is none. */
bool route_find(struct service *service, const char *path, struct route *route,
                struct reply *reply);

#endif
