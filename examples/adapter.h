/* Adapter between the library and an engine with its own move generator and a board with ghost
 * squares. */
#ifndef EXAMPLE_ADAPTER_H
#define EXAMPLE_ADAPTER_H

#include <einspul.h>

/* The rule state. An engine stores it in its position, and includes it in the hash key of
 * positions within reach of the tables. All zero in a fresh position. */
struct rule_state {
    uint8_t run_square[2]; /* by side, 1..50 */
    uint8_t run_count[2];
    uint8_t clock;
    uint8_t limited;
};

/* The engine's position: bitboards with ghost squares. */
struct engine_position {
    uint64_t men[2], kings[2]; /* White, Black */
    int side;
    struct rule_state rule;
};

einspul_position adapter_position(const struct engine_position *position);

/* Sets the rule state of `after`, which has the pieces after a legal move from `before`. `from`, `to`
 * and `captured` are einspul's squares. */
void adapter_advance(const struct engine_position *before, int from, int to, uint64_t captured,
                     struct engine_position *after);

#endif
