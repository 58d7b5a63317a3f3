/* Every name is made from its folder and what follows that. */
#include "gen/values/paths.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* `root` is what the path begins with. */
PRINTF_LIKE(4, 5)
static einspul_status make(const char *root, char path[PATHS_SIZE], einspul_error *error,
                           const char *format, ...)
{
    va_list arguments;
    if (*root == '\0')
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the path of the tables is empty");
    va_start(arguments, format);
    const int n = vsnprintf(path, PATHS_SIZE, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= PATHS_SIZE)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the path %.200s… is too long", root);
    return EINSPUL_OK;
}

einspul_status path_folder(const char *root, const struct rules *rules, char path[PATHS_SIZE],
                           einspul_error *error)
{
    return make(root, path, error, "%s/%s", root, rules->name);
}

einspul_status path_lock(const char *root, const struct rules *rules, char path[PATHS_SIZE],
                         einspul_error *error)
{
    return make(root, path, error, "%s/%s/.lock", root, rules->name);
}

einspul_status path_parts(const char *root, const struct rules *rules,
                          const struct material *material, char path[PATHS_SIZE],
                          einspul_error *error)
{
    return make(root, path, error, "%s/%s/.%s", root, rules->name, material_name(material).text);
}

einspul_status path_numbered_part(const char *stem, uint64_t number, char path[PATHS_SIZE],
                                  einspul_error *error)
{
    return make(stem, path, error, "%s.%016llx.part", stem, (unsigned long long)number);
}

bool path_is_part(const char *entry, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '.' &&
           strspn(entry + n + 1, "0123456789abcdef") == 16 && strcmp(entry + n + 17, ".part") == 0;
}

einspul_status path_values(const char *folder, uint64_t number, char path[PATHS_SIZE],
                           einspul_error *error)
{
    return make(folder, path, error, "%s/.values.%016llx", folder, (unsigned long long)number);
}
