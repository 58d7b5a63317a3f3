/* The rule state of a position and its outcome, in sentences. */
#ifndef EINSPUL_STUDY_STATE_TEXT_H
#define EINSPUL_STUDY_STATE_TEXT_H

#include "core/placement.h"

/* What a limit leaves: moves of one side that must win in them, or plies until a draw. */
struct limit_left {
    int limit; /* 0: none applies */
    int left;  /* the next one included */
    bool of_side;
    enum side side;
};
struct limit_left state_limit_left(const struct rules *rules, const struct state *state);

/* Writes a line for each king run and for a limit, each ended by a line feed. */
enum { STATE_TEXT_SIZE = 512 };
void state_write(const struct rules *rules, const struct state *state, char text[STATE_TEXT_SIZE]);

/* "White wins in 39 plies.", for the side to move; `plies` below 0: not known. */
enum { OUTCOME_SENTENCE_SIZE = 64 };
void outcome_write(enum side side, einspul_outcome outcome, int plies,
                   char text[OUTCOME_SENTENCE_SIZE]);

#endif
