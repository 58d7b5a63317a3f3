/* Converts an engine's position for probing: removes the ghost squares from its bitboards, and
 * carries the rule state from move to move. */
#include "adapter.h"

#include "layouts.h"

einspul_position adapter_position(const struct engine_position *position)
{
    einspul_position to = {
        .men = {squares_from_scan(position->men[0]), squares_from_scan(position->men[1])},
        .kings = {squares_from_scan(position->kings[0]), squares_from_scan(position->kings[1])},
        .side = (uint8_t)position->side,
        .clock = position->rule.clock,
        .limited = position->rule.limited,
    };
    for (int side = 0; side < 2; side++) {
        to.run_square[side] = position->rule.run_square[side];
        to.run_count[side] = position->rule.run_count[side];
    }
    return to;
}

void adapter_advance(const struct engine_position *before, int from, int to, uint64_t captured,
                     struct engine_position *after)
{
    const einspul_position old = adapter_position(before);
    einspul_position next = adapter_position(after);
    einspul_advance("frisian", &old, from, to, captured, &next);
    after->rule = (struct rule_state){
        .clock = next.clock,
        .limited = next.limited,
        .run_square = {next.run_square[0], next.run_square[1]},
        .run_count = {next.run_count[0], next.run_count[1]},
    };
}
