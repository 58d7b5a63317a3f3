/* Verifies all values of a table in memory, instead of probing each successor. */
#ifndef EINSPUL_VERIFY_VERIFY_ROWS_H
#define EINSPUL_VERIFY_VERIFY_ROWS_H

#include "verify/verify_placement.h"

/* Compares every value of a table with what its successors imply. *done is false if that needs more than
 * `max_bytes`, or the table omits values or has values by clock: then nothing was verified. Errors of
 * the prober and of reading, NO_MEMORY. */
einspul_status verify_rows(const struct verified *verified, uint64_t max_bytes, int n_threads,
                           bool *done, struct findings *findings, einspul_error *error);

#endif
