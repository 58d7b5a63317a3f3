/* Looking up the page's files. Views of the page have paths of their own, so that an address can be
 * shared; all of them are the one HTML file. */
#include "serve/page.h"

#include <string.h>

const struct page_file *page_find(const char *path)
{
    static const char *const views[] = {"/",       "/game",  "/material", "/materials",
                                        "/search", "/train", "/help"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        if (strcmp(path, views[i]) == 0)
            path = "/index.html";
    for (const struct page_file *file = page_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}
