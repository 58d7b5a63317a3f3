/* Between an engine that has a board and moves of its own, with ghost squares, and the library. */
#ifndef EXAMPLE_ADAPTER_H
#define EXAMPLE_ADAPTER_H

#include <einspul.h>

/* What the rules remember besides the pieces; an engine keeps it in its position, and in its
 * hash key within the reach of the tables. All zero in a fresh position. */
struct rule_state {
    uint8_t run_square[2]; /* by side, 1..50 */
    uint8_t run_count[2];
    uint8_t clock;
    uint8_t limited;
};

/* A position of the engine's: sets of a board with ghost squares. */
struct engine_position {
    uint64_t men[2], kings[2]; /* White, Black */
    int side;
    struct rule_state rule;
};

einspul_position adapter_position(const struct engine_position *position);

/* The rule state after a legal move, into `after`, which has the pieces after it. `from`, `to` and
 * `captured` are einspul's squares. */
void adapter_carry(const struct engine_position *before, int from, int to, uint64_t captured,
                   struct engine_position *after);

#endif
