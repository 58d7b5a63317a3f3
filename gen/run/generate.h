/* Making tables: carrying a plan out (plan.h). */
#ifndef EINSPUL_GEN_RUN_GENERATE_H
#define EINSPUL_GEN_RUN_GENERATE_H

#include "gen/run/plan.h"

/* Carries a plan out, material by material; each file appears whole, by rename. Refuses with
 * NO_MEMORY or NO_SPACE what does not fit, before anything is written. What was complete before an
 * error stays, and is not written again. A file that the plan found damaged is made anew; a block
 * that is found damaged when it is read ends the run with the file's name. What is solved of a large
 * material is kept in a part, which the next run goes on from, and which is removed when the material
 * is complete. Same
 * bytes for any number of threads.
 *
 * The caller has held the folder's lock since before the plan was made. Where locks do nothing, a
 * table that is read and is not the one the plan was made with ends the run with LOCKED: another
 * process has replaced it. */
einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error);

/* Locks the folder, which is made if need be, plans, and carries the plan out. options->planned is
 * told the plan once, before anything is refused for its size, or written. With options->only the
 * folder is shared with other processes that do the same, where locks work. LOCKED when another
 * process has it alone; else errors as generate_plan and generate_run. */
einspul_status generate_tables(const struct generate_options *options, einspul_error *error);

#endif
