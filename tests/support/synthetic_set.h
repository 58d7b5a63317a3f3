/* A whole set of made-up tables in a folder, and what they say of any state. */
#ifndef EINSPUL_TESTS_SUPPORT_SYNTHETIC_SET_H
#define EINSPUL_TESTS_SUPPORT_SYNTHETIC_SET_H

#include "tests/support/synthetic.h"

/* Made-up tables of all materials of two and three pieces, in <root>/<rules>/. */
struct world {
    struct rules rules;
    char root[512];
    int n_materials;
    struct material materials[MAX_MATERIALS];
    struct synthetic made[16];
};

/* `root` is a template of mkdtemp. */
void world_create(struct world *world, const char *rules, const char *root, uint64_t seed);
void world_free(struct world *world);

void world_path(const struct world *world, const struct material *material, einspul_metric metric,
                char path[1024]);

/* Packs every `step`-th file of them into one. */
void world_pack(const struct world *world, int step, const char *path);

/* A legal state of a known material, either colour, with random runs and clock. */
struct state world_random_state(const struct world *world, uint64_t *seed);

/* A legal state with captures, of either colour: a king or two of the side to move against 3 to
 * `most` pieces. Captures may leave few enough for the tables. */
struct state world_random_crowd(const struct world *world, int most, uint64_t *seed);

/* What the tables say of a state, worked out without them. `raw`: without the limit of 2K v 1K. */
value_t world_value(const struct world *world, const struct state *state, bool raw);

#endif
