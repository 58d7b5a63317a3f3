/* A prover's transposition table as a file, so that a search can be continued. It belongs to a rule
 * set and to the tables it was found with. Nothing in it counts as proved: what a search finds with it
 * is certified as ever. */
#ifndef EINSPUL_PROVE_KEEP_H
#define EINSPUL_PROVE_KEEP_H

#include "prove/prove.h"

/* Writes it through a function of the caller. Errors of that, and of proof_each_table. */
einspul_status keep_write(const struct prover *prover,
                          einspul_status (*put)(void *context, const void *bytes, size_t n_bytes,
                                                einspul_error *error),
                          void *context, einspul_error *error);

/* Enters what a file has. NO_TABLE if it does not exist; NOT_A_TABLE if it is no such file;
 * WRONG_RULES for other rules or tables; CORRUPT; errors of file_read. After an error a part may have
 * been entered. */
einspul_status keep_read(struct prover *prover, const char *path, einspul_error *error);

#endif
