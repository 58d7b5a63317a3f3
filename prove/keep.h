/* A prover's transposition table as a file, so that a search can be continued. It is valid for one
 * rule set and set of tables. Nothing in it counts as proved: results of a search that uses it are
 * certified like all others. */
#ifndef EINSPUL_PROVE_KEEP_H
#define EINSPUL_PROVE_KEEP_H

#include "prove/prove.h"

/* Writes the table through `put`. Errors of `put` and of proof_each_table. */
einspul_status keep_write(const struct prover *prover,
                          einspul_status (*put)(void *context, const void *bytes, size_t n_bytes,
                                                einspul_error *error),
                          void *context, einspul_error *error);

/* Adds the entries of a file. NO_TABLE if it does not exist; NOT_A_TABLE if it is not such a file;
 * WRONG_RULES for other rules or tables; CORRUPT; errors of file_read. After an error some entries may
 * have been added. */
einspul_status keep_read(struct prover *prover, const char *path, einspul_error *error);

#endif
