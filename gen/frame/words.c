/* Slides of the kings of many words at once. */
#include "gen/frame/words.h"

#include "core/program/extensions.h"

static inline void slide_all(size_t n, const cells_t *restrict empty, const cells_t *restrict to,
                             cells_t *restrict from, int step)
{
    for (size_t i = 0; i < n; i++)
        from[i] = cells_reached(to[i], empty[i], step, true) |
                  cells_reached(to[i], empty[i], step + 1, true) |
                  cells_reached(to[i], empty[i], -step, true) |
                  cells_reached(to[i], empty[i], -step - 1, true);
}

MULTI_TARGET
static void slide_ten(size_t n, const cells_t *restrict empty, const cells_t *restrict to,
                      cells_t *restrict from)
{
    slide_all(n, empty, to, from, 5);
}

MULTI_TARGET
static void slide_eight(size_t n, const cells_t *restrict empty, const cells_t *restrict to,
                        cells_t *restrict from)
{
    slide_all(n, empty, to, from, 4);
}

static void step_all(int step, size_t n, const cells_t *restrict empty, const cells_t *restrict to,
                     cells_t *restrict from)
{
    for (size_t i = 0; i < n; i++)
        from[i] =
            empty[i] & (to[i] << step | to[i] << (step + 1) | to[i] >> step | to[i] >> (step + 1));
}

void words_slide_back(const struct board *board, bool flying, size_t n, const cells_t *empty,
                      const cells_t *to, cells_t *from)
{
    if (!flying)
        step_all(board->n_rows / 2, n, empty, to, from);
    else if (board->n_rows == 10)
        slide_ten(n, empty, to, from);
    else
        slide_eight(n, empty, to, from);
}
