/* The published statistics of data/statistics, compiled in. */
#ifndef EINSPUL_SERVE_PUBLISHED_H
#define EINSPUL_SERVE_PUBLISHED_H

#include "core/material.h"

struct published {
    unsigned long long wins, draws, losses;
    int max_win, max_loss; /* -1: none, or not known */
    char fen[320];         /* of a longest win; empty where there is none */
};

/* The row of a rule set, a canonical material, a side ("white", "black") and kind of states
 * ("fresh", "all", "raw"). False when there is none. */
bool published_find(const char *rules, const char *material, const char *side, const char *states,
                    struct published *row);

#endif
