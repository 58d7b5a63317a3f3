/* The files of the page and the published statistics, compiled in. The lists are written by
 * page.cmake when the program is built. */
#ifndef EINSPUL_SERVE_PAGE_H
#define EINSPUL_SERVE_PAGE_H

#include <stddef.h>

struct page_file {
    const char *path;     /* "/app.js", or "frisian-2-5.tsv"; NULL ends a list */
    const char *type;     /* media type */
    const char *tag;      /* of the contents, with its quotes */
    unsigned char *bytes; /* a zero byte follows them */
    size_t n_bytes;
    unsigned char *packed; /* the same by gzip; NULL: not */
    size_t n_packed;
};

extern const struct page_file page_files[];
extern const struct page_file published_files[];
extern const char page_style_hash[]; /* of the style sheet in the page, as a policy names it */

#endif
