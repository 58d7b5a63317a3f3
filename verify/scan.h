/* Visits decoded slices of a table on several threads. */
#ifndef EINSPUL_VERIFY_SCAN_H
#define EINSPUL_VERIFY_SCAN_H

#include "table/table_read.h"

/* Consecutive placement indices of one side to move, within one block. */
struct slice {
    uint64_t number; /* through the whole table */
    enum side side;
    uint64_t first; /* placement index of the first */
    uint32_t n_placements;
    const struct block *block;
    uint32_t place; /* of the first, within the block */
};

/* Visits a slice. Called from several threads at once, once for each slice. */
typedef enum status scan_visit(void *context, const struct slice *slice, struct error *error);

/* True when a slice is to be visited; or NULL: all of them. */
typedef bool scan_choose(const void *context, uint64_t slice);

/* Slices of a table, those of both sides. */
uint64_t scan_slices(const struct table *table);

/* Visits the chosen slices, or only decodes them if `visit` is NULL. Returns the first error in the
 * order of slices, whatever the number of threads; slices after it may not have been visited. */
enum status scan_table(const struct table *table, int n_threads, scan_choose *chosen,
                       scan_visit *visit, void *context, struct error *error);

#endif
