/* Which tables of a run go on record as sound (checked.h). */
#ifndef EINSPUL_GEN_RUN_CHECKED_TABLES_H
#define EINSPUL_GEN_RUN_CHECKED_TABLES_H

#include "gen/run/plan.h"

/* Those the plan has decoded. */
void checked_note_decoded(const struct generate_options *options, const struct generate_plan *plan);

/* Those of a material that the run has just written. */
void checked_note_written(const struct generate_options *options, const struct generate_plan *plan,
                          int index);

#endif
