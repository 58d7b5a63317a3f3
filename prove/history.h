/* History heuristic: moves that succeeded of late, in whatever position, are tried first: the initial
 * numbers of a position depend on how often the move to it did. */
#ifndef EINSPUL_PROVE_HISTORY_H
#define EINSPUL_PROVE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct move_count {
    uint8_t n_tried, n_succeeded;
};

/* Adds a decided move. From time to time the counts are halved, so that recent moves weigh more. */
static inline void history_add(struct move_count *count, bool succeeded)
{
    enum { MOST = 64 };
    const int half = count->n_tried == MOST ? 2 : 1;
    count->n_tried = (uint8_t)((count->n_tried + 1) / half);
    count->n_succeeded = (uint8_t)((count->n_succeeded + succeeded) / half);
}

/* The work expected of a move that takes `work` on average: almost none if it always succeeded, twice
 * as much if it always failed. */
static inline uint32_t history_work(const struct move_count *count, uint32_t work)
{
    const uint32_t n = count->n_tried + 2u;
    const uint32_t expected = (2 * work * (n - 1 - count->n_succeeded) + n / 2) / n;
    return expected > 0 ? expected : 1;
}

#endif
