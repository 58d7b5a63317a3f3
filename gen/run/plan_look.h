/* Which tables are there already. */
#ifndef EINSPUL_GEN_RUN_PLAN_LOOK_H
#define EINSPUL_GEN_RUN_PLAN_LOOK_H

#include "gen/run/plan.h"
#include "table/table_read.h"

/* How much of a file is looked at: what table_open checks, or every block too. */
enum plan_depth { PLAN_HEADER, PLAN_BLOCKS };

/* Looks for a material's tables that are to be made where they are missing or damaged, in the root
 * and the further roots, and notes what there is. Errors as table_open and table_decode_block. */
einspul_status plan_look_at_own(const struct generate_options *options, struct generate_plan *plan,
                                int index, enum plan_depth depth, einspul_error *error);

/* The same for the table of a material that is only read. It must be there: NO_TABLE, with a `hint`
 * behind its text. */
einspul_status plan_look_at_input(const struct generate_options *options,
                                  struct generate_plan *plan, int index, const char *hint,
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
