/* Seeds of men alone. */
#ifndef EINSPUL_GEN_SEEDS_SEED_MEN_H
#define EINSPUL_GEN_SEEDS_SEED_MEN_H

#include "gen/seeds/seeder.h"
#include "gen/seeds/seeds.h"

/* Sets class and seed of a frame without kings, which is one placement, for one side to move.
 * Errors in seeder->status. */
void seed_men(struct seeder *seeder);

/* As seed_ops.make_men; the frame is scratch memory. */
einspul_status seed_men_page(void *seeders, struct frame *frame, struct men_page *page,
                             einspul_error *error);

#endif
