/* Work on all king sets of a side, shared among threads, and the words of a set as seen with each
 * of its kings designated. */
#include "gen/solver/king_sets.h"

#include "gen/frame/transpose.h"

#include <omp.h>

void for_king_sets(struct solver *solver, int to_move, uint32_t n, set_function *work)
{
    if (solver->n_threads == 1) {
        for (uint32_t set = 0; set < n && !frame_is_stopped(solver->frame); set++)
            work(solver, to_move, set, solver->scratch->buffer);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
    for (uint32_t set = 0; set < n; set++)
        if (!frame_is_stopped(solver->frame))
            work(solver, to_move, set, solver->scratch[omp_get_thread_num()].buffer);
}

/* For each set of all but two kings: the words of the set and one more square are the rows of a
 * matrix, whose transpose is the result. */
void words_cross(const struct layout *own, const cells_t *from, cells_t *to)
{
    for (uint32_t base = 0; base < own->n_pair_bases; base++) {
        const uint32_t *others = own->pair_others + (size_t)base * WORD_CELLS;
        cells_t matrix[WORD_CELLS] = {0};
        cells_t any = 0;
        for (int cell = 0; cell < WORD_CELLS; cell++)
            if (others[cell] != NO_INDEX)
                any |= matrix[cell] = from[others[cell]];
        if (any == 0)
            continue;
        words_transpose(matrix);
        for (int cell = 0; cell < WORD_CELLS; cell++)
            if (others[cell] != NO_INDEX)
                to[others[cell]] |= matrix[cell];
    }
}
