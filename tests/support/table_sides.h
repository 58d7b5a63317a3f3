/* Writes a table from arrays of values indexed by placement. */
#ifndef EINSPUL_TESTS_SUPPORT_TABLE_SIDES_H
#define EINSPUL_TESTS_SUPPORT_TABLE_SIDES_H

#include "table/write/table_write.h"

/* The values of one side to move, as patterns: the rule states of a placement form one pattern. */
struct table_side {
    uint32_t n_patterns;
    const value_t *patterns; /* n_patterns * n_rule_states values, in the order of core/rank.h */
    const uint16_t *low;     /* by placement index: pattern number, its low 16 bits */
    const uint8_t *high;     /* bits 16..23; NULL if n_patterns <= 65536 */
    const uint64_t *stored;  /* bit per placement index: 0 is a don't-care (impossible, or the side
                                to move has a capture) */
};

/* Like tables_write. `sides` has an entry for each stored side to move (shape.n_sides), [0] for
 * White. */
einspul_status tables_write_sides(const struct table_output *outputs, int n_outputs,
                                  const struct table_side *sides, int level, int n_threads,
                                  einspul_error *error);

/* The same for one table. */
einspul_status table_write_sides(const char *path, struct table_id id,
                                 const struct table_side *sides, int level, int n_threads,
                                 einspul_error *error);

#endif
