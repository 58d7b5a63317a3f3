/* The two things an engine needs to ask the tables about the position it really has: its sets
 * without ghost squares, and the rule state carried from move to move. */
#include "adapter.h"

static int count(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

einspul_position adapter_position(const struct engine_position *position)
{
    einspul_position to = {.side = (uint8_t)position->side};
    for (int side = 0; side < 2; side++) {
        to.men[side] = einspul_squares_from_scan(position->men[side]);
        to.kings[side] = einspul_squares_from_scan(position->kings[side]);
        to.run_square[side] = position->rule.run_square[side];
        to.run_count[side] = position->rule.run_count[side];
    }
    to.clock = position->rule.clock;
    to.limited = position->rule.limited;
    return to;
}

/* 1 + the side that has two kings against one and nothing else; else 0. */
static int two_against_one(const einspul_position *position)
{
    const int white = count(position->kings[0]);
    const int black = count(position->kings[1]);
    if ((position->men[0] | position->men[1]) != 0 || white + black != 3 || white * black == 0)
        return 0;
    return white == 2 ? 1 : 2;
}

struct rule_state adapter_carry(const einspul_position *before, const einspul_position *after,
                                int from, int to, uint64_t captured)
{
    const int side = before->side;
    const int other = 1 - side;
    const int is_king = (before->kings[side] >> (from - 1) & 1) != 0;
    struct rule_state next = {0};

    /* A simple king move of a side with a man goes on with that king's run or begins one; anything
     * else ends the run. */
    if (is_king && captured == 0 && after->men[side] != 0) {
        const int same = before->run_count[side] > 0 && before->run_square[side] == from;
        next.run_count[side] = (uint8_t)(same ? before->run_count[side] + 1 : 1);
        next.run_square[side] = (uint8_t)to;
    }
    /* The other side's run lasts until its king or its last man is captured. */
    if (before->run_count[other] > 0 && after->men[other] != 0 &&
        (captured >> (before->run_square[other] - 1) & 1) == 0) {
        next.run_count[other] = before->run_count[other];
        next.run_square[other] = before->run_square[other];
    }
    /* The clock begins where two kings against one arises, and a capture in it does not stop it. */
    const int limited = before->limited != 0 ? before->limited : two_against_one(before);
    if (limited != 0) {
        next.clock = (uint8_t)(before->clock < UINT8_MAX ? before->clock + 1 : UINT8_MAX);
        next.limited = (uint8_t)(two_against_one(after) != 0 ? 0 : limited);
    }
    return next;
}
