/* The plies a win needs, worked out without tables: what a clock decides where a lone king has a
 * draw after so many plies, and where quiet play draws. */
#ifndef EINSPUL_TESTS_SUPPORT_BRUTE_FORCE_H
#define EINSPUL_TESTS_SUPPORT_BRUTE_FORCE_H

#include "core/rank.h"

/* The limits, written down again: 0 where there is none. */
typedef int limit_of(const struct material *material);
int limit_fmjd(const struct material *material);
int limit_lidraughts(const struct material *material);

struct brute;

/* `base` is a rule set without limits and runs that has the moves. The quiet limit of 50 plies
 * counts with `quiet`: there a count begins anew with every capture and every move of a man. */
struct brute *brute_create(const char *base, limit_of *limit, bool quiet);
void brute_free(struct brute *brute);

/* Solves a canonical material; those its moves lead to must be solved. */
void brute_solve(struct brute *brute, const struct material *material);

enum { NEVER = 255 };

/* The plies that the side to move needs to win, or holds out before it loses: until the game has
 * ended, or the count has, with that outcome. One of the two is NEVER, or both are (a draw with
 * any limit). */
struct needs {
    uint8_t win, loss;
};
struct needs brute_needs(const struct brute *brute, const struct placement *placement);

/* The outcome with a clock. */
int brute_outcome(const struct brute *brute, const struct placement *placement, int clock);

#endif
