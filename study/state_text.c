/* Clocks count plies; the limit on two kings counts moves of their side. */
#include "study/state_text.h"

#include "core/text.h"

#include <stdio.h>

struct limit_left state_limit_left(const struct rules *rules, const struct state *state)
{
    struct limit_left found = {.limit = 0};
    const int limit = placement_limit(rules, &state->at);
    if (rules->two_kings_limit > 0 && state_has_clock(rules, state)) {
        found.of_side = true;
        found.side = state_limited_side(state);
        found.limit = rules->two_kings_limit;
        found.left = found.limit - (state->clock + (state->at.side != found.side)) / 2;
    } else if (rules->two_kings_limit == 0 && limit > 0 &&
               (state->clock > 0 || limit != rules->quiet_limit)) {
        found.limit = limit;
        found.left = limit - state->clock;
    }
    if (found.left < 0)
        found.left = 0;
    return found;
}

void state_write(const struct rules *rules, const struct state *state, char text[STATE_TEXT_SIZE])
{
    const struct limit_left limit = state_limit_left(rules, state);
    text[0] = '\0';
    for (int side = WHITE; side <= BLACK; side++) {
        const struct run run = state->run[side];
        if (run.count > 0)
            text_append(text, STATE_TEXT_SIZE, "%s's king on %d has moved %d time%s in a row%s.\n",
                        side_name((enum side)side), run.square + 1, run.count,
                        run.count == 1 ? "" : "s",
                        run.count >= rules->king_run_limit ? " and must rest" : "");
    }
    if (limit.limit > 0 && limit.of_side)
        text_append(text, STATE_TEXT_SIZE, "%s has %d of %d moves left to win.\n",
                    side_name(limit.side), limit.left, limit.limit);
    else if (limit.limit > 0)
        text_append(text, STATE_TEXT_SIZE, "%d of %d plies are left before a draw.\n", limit.left,
                    limit.limit);
}

void outcome_write(enum side side, einspul_outcome outcome, int plies,
                   char text[OUTCOME_SENTENCE_SIZE])
{
    const char *winner = side_name(outcome == EINSPUL_WIN ? side : side_other(side));
    if (outcome == EINSPUL_DRAW)
        snprintf(text, OUTCOME_SENTENCE_SIZE, "A draw.");
    else if (plies == 0)
        snprintf(text, OUTCOME_SENTENCE_SIZE, "%s has no move and has lost.", side_name(side));
    else if (plies < 0)
        snprintf(text, OUTCOME_SENTENCE_SIZE, "%s wins.", winner);
    else
        snprintf(text, OUTCOME_SENTENCE_SIZE, "%s wins in %d %s.", winner, plies,
                 plies == 1 ? "ply" : "plies");
}
