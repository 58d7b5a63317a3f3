/* Slides by doubling: how far a run of empty cells goes on is found in steps of 1, 2 and 4
 * cells, so that nine steps, the longest there are, take five rounds (Kogge-Stone, as in chess
 * programs). */
#include "gen/frame/words.h"

/* Slides to higher cells, or lower ones, by steps of `step` cells, up to nine of them: eight over
 * empty cells, at doubling distances, then one more. */
static inline cells_t slide_up(cells_t to, cells_t empty, int step)
{
    const cells_t two = empty & (empty << step);
    const cells_t four = two & (two << (2 * step));
    cells_t reach = to;
    reach |= empty & (reach << step);
    reach |= two & (reach << (2 * step));
    reach |= four & (reach << (4 * step));
    reach |= empty & (reach << step);
    return empty & (reach << step);
}

static inline cells_t slide_down(cells_t to, cells_t empty, int step)
{
    const cells_t two = empty & (empty >> step);
    const cells_t four = two & (two >> (2 * step));
    cells_t reach = to;
    reach |= empty & (reach >> step);
    reach |= two & (reach >> (2 * step));
    reach |= four & (reach >> (4 * step));
    reach |= empty & (reach >> step);
    return empty & (reach >> step);
}

static inline void slide_all(size_t n, const cells_t *restrict empty, const cells_t *restrict to,
                             cells_t *restrict from, int step)
{
    for (size_t i = 0; i < n; i++)
        from[i] = slide_up(to[i], empty[i], step) | slide_up(to[i], empty[i], step + 1) |
                  slide_down(to[i], empty[i], step) | slide_down(to[i], empty[i], step + 1);
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
