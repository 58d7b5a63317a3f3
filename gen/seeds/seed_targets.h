/* The targets of moves that leave a frame. */
#ifndef EINSPUL_GEN_SEEDS_SEED_TARGETS_H
#define EINSPUL_GEN_SEEDS_SEED_TARGETS_H

#include "gen/seeds/seeder.h"

/* The target of moves that capture these numbers of pieces, none in a man move, set up when first
 * asked for. NULL, with seeder->status set, when that material is not in the store. */
const struct target *find_target(struct seeder *seeder, int n_men, int n_kings, bool promotes);

/* Finds the man moves of the seeder's frame, captures aside. False, with seeder->status set, as
 * find_target. */
bool man_moves_find(struct seeder *seeder);

#endif
