/* Making a plan from the tables that exist. */
#ifndef EINSPUL_GEN_RUN_PLAN_MAKE_H
#define EINSPUL_GEN_RUN_PLAN_MAKE_H

#include "gen/run/plan.h"

/* Finds the complete tables, by headers and indexes, and the resources the others need. The folder is
 * neither changed nor locked: unless the caller has done that (folder_lock), the plan may be out of
 * date. A plan that does not fit memory or disk is not an error here. A file counts as missing or
 * damaged only if it was found to be; a failure to read it is an error, and so is an intact table
 * of something else under its name. With options->only the tables of the material's successors must
 * exist: NO_TABLE. If that material is complete, nothing else is examined. BAD_ARGUMENT, IO,
 * NO_MEMORY, WRONG_VERSION, WRONG_RULES, WRONG_MATERIAL, NO_METRIC. */
einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error);

/* Opens a material's table. Errors as table_open. */
einspul_status plan_open(const struct generate_options *options, const struct material *material,
                         einspul_metric metric, struct table **table, einspul_error *error);

#endif
