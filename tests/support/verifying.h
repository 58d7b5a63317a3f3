/* The verifier on a table of a test. */
#ifndef EINSPUL_TESTS_SUPPORT_VERIFYING_H
#define EINSPUL_TESTS_SUPPORT_VERIFYING_H

#include "verify/verify.h"

/* Compares values; `n_samples` 0: all of them. Ends the test where the table cannot be checked. */
struct verify_report verify(einspul *handle, const struct material *material, einspul_metric metric,
                            int n_threads, uint64_t n_samples);

#endif
