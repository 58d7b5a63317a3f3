/* Runs the verifier on a table of a test. */
#ifndef EINSPUL_TESTS_SUPPORT_VERIFY_TABLE_H
#define EINSPUL_TESTS_SUPPORT_VERIFY_TABLE_H

#include "verify/verify.h"

/* Compares values; `n_samples` 0: all of them, in memory. Aborts if the table cannot be
 * verified. */
struct verify_report verify(einspul *handle, const struct material *material, einspul_metric metric,
                            int n_threads, uint64_t n_samples);

/* Compares all values without memory for them, so that every successor is probed. */
struct verify_report verify_by_probes(einspul *handle, const struct material *material,
                                      einspul_metric metric, int n_threads);

bool reports_equal(const struct verify_report *a, const struct verify_report *b);

#endif
