/* Maps paths to calls. */
#ifndef EINSPUL_SERVE_ROUTES_H
#define EINSPUL_SERVE_ROUTES_H

#include "serve/api.h"
#include "serve/page.h"

/* A call of the API. */
struct endpoint {
    const char *name;
    api_call *call;
    const char *arguments[6]; /* ended by NULL */
    bool of_search;           /* the arguments are those of a search */
    bool post;                /* POST instead of GET and HEAD */
    bool rest;                /* a name follows */
};

/* The target of a path: a call or a file of the page. */
struct route {
    const struct endpoint *endpoint; /* NULL: `file` */
    const struct page_file *file;
    struct rule_set *set; /* of the call */
    const char *rest;     /* of the path, after the call's name */
};

/* Finds the target of a path. False, with a 404 in `reply`, if there is none. */
bool route_find(struct service *service, const char *path, struct route *route,
                struct reply *reply);

#endif
