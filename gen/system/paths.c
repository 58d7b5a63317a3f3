/* Every name is made from its folder and what follows that. */
#include "gen/system/paths.h"

#include <stdarg.h>
#include <stdio.h>

PRINTF_LIKE(4, 5)
static enum status make(const struct places *places, char path[PATHS_SIZE], struct error *error,
                        const char *format, ...)
{
    va_list arguments;
    if (*places->root == '\0')
        return error_set(error, STATUS_BAD_ARGUMENT, "the path of the tables is empty");
    va_start(arguments, format);
    const int n = vsnprintf(path, PATHS_SIZE, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= PATHS_SIZE)
        return error_set(error, STATUS_BAD_ARGUMENT, "the path %.200s… is too long", places->root);
    return STATUS_OK;
}

enum status path_folder(const struct places *places, char path[PATHS_SIZE], struct error *error)
{
    return make(places, path, error, "%s/%s", places->root, places->rules->name);
}

enum status path_in_folder(const struct places *places, const char *name, char path[PATHS_SIZE],
                           struct error *error)
{
    return make(places, path, error, "%s/%s/%s", places->root, places->rules->name, name);
}

enum status path_slices(const struct places *places, const struct material *material,
                        char path[PATHS_SIZE], struct error *error)
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    return make(places, path, error, "%s/%s/.slices/%s", places->root, places->rules->name, name);
}

enum status path_slice(const struct places *places, const struct material *material,
                       const char *job, enum metric metric, char path[PATHS_SIZE],
                       struct error *error)
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    return make(places, path, error, "%s/%s/.slices/%s/%s.%s", places->root, places->rules->name,
                name, job, metric_suffix(metric));
}

enum status path_part(const struct places *places, const struct material *material, const char *job,
                      enum metric metric, bool shared, char path[PATHS_SIZE], struct error *error)
{
    const char *suffix = metric_suffix(metric);
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    if (places->scratch != NULL)
        return make(places, path, error, "%s/.%s-%s.%s", places->scratch, places->rules->name,
                    job != NULL ? job : name, suffix);
    if (job != NULL)
        return make(places, path, error, "%s/%s/.slices/%s/.%s.%s", places->root,
                    places->rules->name, name, job, suffix);
    if (shared)
        return make(places, path, error, "%s/%s/.%s.%s", places->root, places->rules->name, name,
                    suffix);
    return make(places, path, error, "%s/%s/.%s.part", places->root, places->rules->name, name);
}
