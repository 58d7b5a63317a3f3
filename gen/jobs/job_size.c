/* Men sets are counted by size and steps, square by square: with a square of s steps every set
 * without it is joined by the set with it, one man and s steps more. The frames of a level are then
 * the pairs of a White and a Black set whose steps add up to it. Counting takes microseconds where
 * listing the sets of seven men takes seconds and gigabytes. */
#include "gen/jobs/job_size.h"

#include <string.h>

enum { N_STEPS = 9 * MAX_SET + 1 };

static void count_sets(const struct rules *rules, enum side side, int size, uint64_t sets[N_STEPS])
{
    uint64_t counts[MAX_SET + 1][N_STEPS] = {{1}};
    for (squares_t left = board_man_squares(&rules->board, side); left != 0; left &= left - 1) {
        const int steps = board_steps_to_go(&rules->board, side, squares_first(left));
        for (int n = size; n > 0; n--)
            for (int sum = N_STEPS - 1; sum >= steps; sum--)
                counts[n][sum] += counts[n - 1][sum - steps];
    }
    memcpy(sets, counts[size], sizeof counts[size]);
}

void level_sizes_init(struct level_sizes *sizes, const struct rules *rules,
                      const struct material *material)
{
    uint64_t sets[2][N_STEPS];
    memset(sizes, 0, sizeof *sizes);
    for (int side = WHITE; side <= BLACK; side++)
        count_sets(rules, (enum side)side, material->men[side], sets[side]);
    for (int white = 0; white < N_STEPS; white++)
        for (int black = 0; black < N_STEPS && white + black < MAX_LEVELS; black++) {
            const uint64_t n = sets[WHITE][white] * sets[BLACK][black];
            if (n == 0)
                continue;
            sizes->n_frames[white + black] += n;
            sizes->total += n;
            if (white + black >= sizes->n_levels)
                sizes->n_levels = white + black + 1;
        }
}
