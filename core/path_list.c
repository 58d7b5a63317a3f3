/* A path is cut at its first separator, unless a longer part of the list exists. */
#include "core/path_list.h"
#include "core/os.h"

#include <string.h>

char *path_list_next(char **list, bool of_files)
{
    static const char separator[] = {(char)OS_LIST_SEPARATOR, '\0'};
    char *path = *list + strspn(*list, separator);
    char *shortest = path + strcspn(path, separator);
    struct os_info info;

    for (char *end = path + strlen(path); end > path; end--) {
        const char cut = *end;
        if (cut != '\0' && cut != OS_LIST_SEPARATOR)
            continue;
        *end = '\0';
        if (end == shortest || (of_files && os_info_at(path, &info) == 0)) {
            *list = end + (cut != '\0');
            return path;
        }
        *end = cut;
    }
    *list = path;
    return NULL;
}
