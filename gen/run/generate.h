/* Generating tables. */
#ifndef EINSPUL_GEN_RUN_GENERATE_H
#define EINSPUL_GEN_RUN_GENERATE_H

#include "gen/run/plan.h"

/* The progress of a run, for display. Reported from one thread at a time, a few times a second. */
struct generate_progress {
    struct material material; /* in work */
    int n_tables_done;        /* materials complete, those found complete included */
    int n_tables;             /* materials in all */
    uint64_t n_states_done;   /* in this run, those found in a file included */
    uint64_t n_states_found;  /* of these, found in part files of interrupted runs */
    uint64_t n_states;        /* to do in this run */
    double seconds;           /* since generate_run began */
    bool table_done;          /* `material` has just been completed */
    bool loading;             /* `material` is loaded because another one needs it */
};

/* Carries a plan out, material by material; each file appears whole, by rename. A plan that does
 * not fit is refused with NO_MEMORY or NO_SPACE before anything is written. Tables completed before
 * an error remain, and are not written again. A file that the plan found damaged is regenerated; a
 * damaged block found later ends the run with an error that names the file. Solved parts of a large
 * material are kept in a part file, from which the next run resumes, and which is removed when the
 * material is complete. The bytes do not depend on the number of threads. Materials whose
 * distances, or those of a successor, exceed MAX_LOSS_PLIES get their outcomes only; the run
 * continues, and ends with TOO_LONG. */
einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error);

/* Locks the folder, which is created if necessary, plans, and carries the plan out.
 * options->planned is called with the plan once, before anything is refused for its size, or
 * written. With options->only the lock is shared with other processes that do the same, if locks
 * work. LOCKED when another process has it alone; else errors as generate_plan and generate_run. */
einspul_status generate_tables(const struct generate_options *options, einspul_error *error);

#endif
