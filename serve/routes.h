/* Maps paths to calls, and to the files of the page. These and the published statistics are compiled
 * in: their lists are written by page.cmake when the program is built. */
#ifndef EINSPUL_SERVE_ROUTES_H
#define EINSPUL_SERVE_ROUTES_H

#include "serve/endpoints.h"

struct page_file {
    const char *path;     /* "/app.js", or "frisian-2-5.tsv"; NULL ends a list */
    const char *type;     /* media type */
    const char *tag;      /* ETag of the contents, quotes included */
    unsigned char *bytes; /* a zero byte follows them */
    size_t n_bytes;
    unsigned char *packed; /* `bytes` in gzip; NULL: not packed */
    size_t n_packed;
};

extern const struct page_file page_files[];
extern const struct page_file site_files[];
extern const struct page_file published_files[];

/* The target of a path: a call or a file of the page. */
struct route {
    const struct endpoint *endpoint; /* NULL: `file` */
    const struct page_file *file;
    struct rule_set *set; /* of the call */
    const char *rest;     /* of the path, after the call's name; of a file, the path */
};

/* Finds the target of a path. False, with a 404 in `reply`, if it has none. */
bool route_find(struct service *service, const char *path, struct route *route,
                struct reply *reply);

/* The page of a position, with the position and its value as the title of link previews. False if the
 * text is none. */
bool route_preview(struct service *service, const struct page_file *page, const char *rules,
                   const char *fen, struct reply *reply);

#endif
