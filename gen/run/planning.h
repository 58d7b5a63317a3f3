/* Making the plan of a run. */
#ifndef EINSPUL_GEN_RUN_PLANNING_H
#define EINSPUL_GEN_RUN_PLANNING_H

#include "gen/run/plan.h"
#include "table/table_read.h"

/* Finds out what is complete (headers and indexes read; with options->check
 * blocks too) and what the rest needs. The folder is not touched, nor locked: unless the caller has
 * done that (folder_lock), the plan tells what was there a moment ago. Does not fail because
 * something does not fit. A file counts as missing or damaged only if that is what was found: what
 * keeps it from being read is an error. So is an intact table of something else under its name.
 *
 * With options->only no block is read, and what the material leads to must be there: NO_TABLE. Of
 * a material that is complete nothing else is looked at. BAD_ARGUMENT, IO, NO_MEMORY, WRONG_VERSION, WRONG_RULES, WRONG_MATERIAL, NO_METRIC. */
einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error);

/* The path of a material's table where the plan found it, or where it will be. */
einspul_status plan_path(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, char *path, size_t size,
                         einspul_error *error);

/* Opens it there, in a folder or a pack. Errors as table_open. */
einspul_status plan_open(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, struct table **table,
                         einspul_error *error);

#endif
