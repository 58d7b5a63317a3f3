/* Memory is that of budget.c, file sizes are those of estimate.c. */
#include "gen/run/plan_size.h"

#include "core/os_write.h"
#include "gen/run/budget.h"
#include "gen/run/estimate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

uint64_t plan_disk_free(const char *root)
{
    char path[4096];
    uint64_t n_bytes = 0;
    snprintf(path, sizeof path, "%s", root);
    while (os_disk_free(path, &n_bytes) != 0) {
        char *slash = strrchr(path, '/');
        if (errno != ENOENT || strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
            return UINT64_MAX; /* the folder above may lie on another disk */
        if (slash == NULL)
            strcpy(path, ".");
        else
            slash[slash == path ? 1 : 0] = '\0';
    }
    return n_bytes;
}

/* Bytes of the file of what is solved of a material so far: values take a third of what they take in
 * memory. */
static uint64_t part_bytes(const struct generate_options *options, const struct material *material)
{
    return plan_keeps_part(options, material) ? budget_values(options, material) / 3 : 0;
}

/* The memory of a run is that of the material that takes most: as much as it can use, if there is
 * so much, and no less than it must have. */
void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit)
{
    plan->memory_available = limit.n_bytes;
    plan->memory_source = limit.source;
    plan->memory_bytes = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        if (plan->materials[i].complete)
            continue;
        budget_plan(options, plan, i);
        uint64_t bytes = plan->materials[i].wanted_bytes;
        if (bytes > plan->memory_available)
            bytes = plan->memory_available;
        if (bytes < plan->materials[i].least_bytes)
            bytes = plan->materials[i].least_bytes;
        if (bytes > plan->memory_bytes)
            plan->memory_bytes = bytes;
    }
}

einspul_status plan_check_memory(const struct generate_plan *plan, uint64_t n_bytes,
                                 einspul_error *error)
{
    const uint64_t tenths = (n_bytes * 10 + (1 << 20) - 1) >> 20; /* rounded up */
    if (n_bytes <= plan->memory_available)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_MEMORY, "%llu.%llu MiB of memory are needed, %.1f are %s",
                     (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10),
                     (double)plan->memory_available / 0x1p20,
                     memory_source_text(plan->memory_source));
}

einspul_status plan_check_disk(const char *root, uint64_t n_bytes, uint64_t n_free,
                               einspul_error *error)
{
    if (n_bytes <= n_free)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_SPACE, "%.200s: about %.1f MiB are needed, %.1f are free",
                     root, (double)n_bytes / 0x1p20, (double)n_free / 0x1p20);
}

/* Files, and what is written besides while they are made: of one material what is solved so far,
 * and the values that memory has no room for. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan)
{
    uint64_t most = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        struct shape shape;
        if (plan->materials[i].complete)
            continue;
        shape_init(&shape, options->rules, &plan->materials[i].material);
        plan->n_states += shape_states(&shape);
        plan->materials[i].file_bytes =
            estimate_file_bytes(options->rules, &shape, plan->materials[i].to_write);
        plan->disk_bytes += plan->materials[i].file_bytes;
        uint64_t besides = part_bytes(options, &plan->materials[i].material);
        if (plan->materials[i].wanted_bytes > plan->memory_available)
            besides += (plan->materials[i].wanted_bytes - plan->memory_available) / 2;
        most = besides > most ? besides : most;
    }
    plan->disk_bytes += most;
}
