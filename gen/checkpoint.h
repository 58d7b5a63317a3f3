/* A file that holds a material whose first levels are solved, so that a stopped run goes on from
 * there. It is read back by the program that wrote it and removed once the tables are complete. */
#ifndef EINSPUL_GEN_CHECKPOINT_H
#define EINSPUL_GEN_CHECKPOINT_H

#include "gen/store.h"

/* Writes what is solved; `level` is the first level that is not. The file appears whole or not at
 * all. IO, NO_SPACE, NO_MEMORY; then what stood there before still does. */
enum status checkpoint_write(const char *path, const struct rules *rules, enum metric metric,
                             const struct solved *solved, int level, struct error *error);

/* Fills a fresh `solved` and sets `level`, which is 0 and `solved` fresh when no regular file is
 * there or when it is damaged or something else's: of another version, rule set, metric or material,
 * or with a level above `n_levels`. IO when it is there and cannot be read: to begin anew would cost
 * what it holds. NO_MEMORY. */
enum status checkpoint_read(const char *path, const struct rules *rules, enum metric metric,
                            int n_levels, struct solved *solved, int *level, struct error *error);

#endif
