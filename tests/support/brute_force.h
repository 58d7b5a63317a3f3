/* Brute-force distances to win with the clock in the state, for rule sets with lone-king and
 * quiet-move limits. */
#ifndef EINSPUL_TESTS_SUPPORT_BRUTE_FORCE_H
#define EINSPUL_TESTS_SUPPORT_BRUTE_FORCE_H

#include "core/rank.h"

/* The limits, repeated here independently; 0: none. */
typedef int limit_of(const struct material *material);
int limit_fmjd(const struct material *material);
int limit_lidraughts(const struct material *material);

struct brute;

/* `base` is a rule set without limits and runs and with the same moves. With `quiet` there is a
 * quiet limit of 50 plies, which restarts with every capture and every move of a man. */
struct brute *brute_create(const char *base, limit_of *limit, bool quiet);
void brute_free(struct brute *brute);

/* Solves a canonical material; the materials that its moves lead to must be solved. */
void brute_solve(struct brute *brute, const struct material *material);

enum { NEVER = 255 };

/* The plies in which the side to move wins, or loses: until the game, or the count, ends with that
 * outcome. One of the two is NEVER, or both are (a draw with any limit). */
struct needs {
    uint8_t win, loss;
};
struct needs brute_needs(const struct brute *brute, const struct placement *placement);

/* The outcome with a clock. */
int brute_outcome(const struct brute *brute, const struct placement *placement, int clock);

#endif
