/* Seeds from captures. */
#ifndef EINSPUL_GEN_SEEDS_SEED_CAPTURES_H
#define EINSPUL_GEN_SEEDS_SEED_CAPTURES_H

#include "gen/seeds/seeder.h"

/* Sets seeder->worth. */
void worths_init(struct seeder *seeder);

/* The seeds of the placements of a line that have a capture: one or more places. */
void seed_captures(struct seeder *seeder, const struct line *line, squares_t places);

#endif
