/* Slides by doubling: how far a run of empty cells goes on is found in steps of 1, 2 and 4 cells, so
 * that nine steps, the longest there are, take five rounds (Kogge-Stone, as in chess programs). */
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

/* Swaps ever smaller off-diagonal squares (Hacker's Delight 7-3). */
MULTI_TARGET
static void transpose(cells_t *matrix)
{
    static const cells_t masks[6] = {0x00000000ffffffffu, 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu,
                                     0x0f0f0f0f0f0f0f0fu, 0x3333333333333333u, 0x5555555555555555u};
    for (int s = 0; s < 6; s++) {
        const int width = 32 >> s;
        const cells_t mask = masks[s];
        for (int base = 0; base < WORD_CELLS; base += 2 * width) {
            for (int i = base; i < base + width; i++) {
                const cells_t swap = ((matrix[i] >> width) ^ matrix[i + width]) & mask;
                matrix[i] ^= swap << width;
                matrix[i + width] ^= swap;
            }
        }
    }
}

void words_transpose(cells_t matrix[WORD_CELLS])
{
    transpose(matrix);
}
