/* Moves in public form. */
#ifndef EINSPUL_PROBE_PLAY_H
#define EINSPUL_PROBE_PLAY_H

#include "core/moves.h"
#include "einspul.h"

/* A legal move of `state` in public form, without its outcome. */
void move_to_public(const struct rules *rules, const struct state *state, const struct move *move,
                    einspul_move *to);

/* Compares two moves for qsort: by from, to and captured squares. */
int move_compare(const void *a, const void *b);

#endif
