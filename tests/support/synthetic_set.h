/* A complete set of synthetic tables in a folder, with the expected value of any state. */
#ifndef EINSPUL_TESTS_SUPPORT_SYNTHETIC_SET_H
#define EINSPUL_TESTS_SUPPORT_SYNTHETIC_SET_H

#include "tests/support/synthetic.h"

/* Synthetic tables of all materials of two and three pieces, in <root>/<rules>/. */
struct synthetic_set {
    struct rules rules;
    char root[512];
    int n_materials;
    struct material materials[MAX_MATERIALS];
    struct synthetic made[16];
};

/* `root` is a template for mkdtemp. */
void synthetic_set_create(struct synthetic_set *synthetic, const char *rules, const char *root,
                          uint64_t seed);
void synthetic_set_free(struct synthetic_set *synthetic);

void synthetic_set_path(const struct synthetic_set *synthetic, const struct material *material,
                        einspul_metric metric, char path[1024]);

/* Packs every `step`-th file of them into one. */
void synthetic_set_pack(const struct synthetic_set *synthetic, int step, const char *path);

/* A legal state of a known material, of either colour, with random runs and clock. */
struct state synthetic_set_random_state(const struct synthetic_set *synthetic, uint64_t *seed);

/* A legal state with captures, of either colour: one or two kings of the side to move against 3 to
 * `most` pieces. The captures may lead into the tables. */
struct state synthetic_set_random_crowd(const struct synthetic_set *synthetic, int most,
                                        uint64_t *seed);

/* The value of a state by the tables, computed without reading them. `raw`: without the limit of 2K
 * v 1K. */
value_t synthetic_set_value(const struct synthetic_set *synthetic, const struct state *state,
                            bool raw);

#endif
