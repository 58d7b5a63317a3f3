/* The targets of moves that leave a frame. */
#ifndef EINSPUL_GEN_SEEDS_SEED_TARGETS_H
#define EINSPUL_GEN_SEEDS_SEED_TARGETS_H

#include "gen/seeds/seeder.h"

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 * False, with seeder->status set, when that material is not in the store. */
bool target_set(struct seeder *seeder, struct target *target, struct material after);

/* Finds the man moves of the seeder's frame, captures aside. False as target_set. */
bool man_moves_find(struct seeder *seeder);

#endif
