/* How large a material and its levels are, without making a list of its men sets. */
#ifndef EINSPUL_GEN_JOBS_JOB_SIZE_H
#define EINSPUL_GEN_JOBS_JOB_SIZE_H

#include "gen/values/levels.h"

struct level_sizes {
    int n_levels;                  /* numbered as those of levels.h */
    uint64_t n_frames[MAX_LEVELS]; /* with each number of steps to go, twins included */
    uint64_t total;
};

void level_sizes_init(struct level_sizes *sizes, const struct rules *rules,
                      const struct material *material);

#endif
