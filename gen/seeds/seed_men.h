/* Seeds of men alone. */
#ifndef EINSPUL_GEN_SEEDS_SEED_MEN_H
#define EINSPUL_GEN_SEEDS_SEED_MEN_H

#include "gen/seeds/seeder.h"

/* Sets class and seed of a frame without kings, which is one placement, for one side to move.
 * Errors in seeder->status. */
void seed_men(struct seeder *seeder);

#endif
