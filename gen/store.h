/* Solved materials in memory: what the seeds of larger materials are looked up in. */
#ifndef EINSPUL_GEN_STORE_H
#define EINSPUL_GEN_STORE_H

#include "core/rank.h"
#include "gen/patterns.h"
#include "table/table_write.h"

/* A material's values, captures included: a pattern number a placement. */
struct solved {
    struct shape shape;
    struct patterns patterns[2]; /* by stored side to move */
    value_t *entry[2][2]; /* by metric - 1, side: the patterns as a move from other material meets
                             them, a limited material's late wins being draws. NULL: as they are */
    uint16_t *low[2];     /* pattern number by placement index, low 16 bits */
    uint8_t *high[2];     /* bits 16..23; NULL where 16 bits are enough */
    uint64_t *quiet[2];   /* bit per placement: possible, and the side to move has no capture */
};

/* Room for the values of a metric. NO_MEMORY leaves nothing behind. */
enum status solved_create(const struct rules *rules, const struct material *material,
                          enum metric metric, struct solved **solved);
void solved_destroy(struct solved *solved);

/* Bytes a solved material needs before its patterns are counted. */
uint64_t solved_bytes(const struct shape *shape, enum metric metric);

/* How many patterns a solved material can tell apart: 2^16 or 2^24. */
uint32_t solved_max_patterns(const struct solved *solved);

/* Sets `entry` (see above) once all patterns are there; `metric` says what the patterns hold. */
enum status solved_set_entry(struct solved *solved, const struct rules *rules, enum metric metric);

static inline uint32_t solved_pattern(const struct solved *solved, int side, uint64_t index)
{
    const uint32_t high = solved->high[side] == NULL ? 0 : solved->high[side][index];
    return solved->low[side][index] | high << 16;
}

/* The solved materials of a run, found by the pieces on the board. Read only while seeds are made.
 */
struct store {
    const struct rules *rules;
    struct solved *by_counts[MAX_SET + 1][MAX_SET + 1][MAX_SET + 1][MAX_SET + 1];
};

/* Enters or (with NULL) removes a canonical material; the store does not own it. */
void store_set(struct store *store, const struct material *material, struct solved *solved);
struct solved *store_get(const struct store *store, const struct material *material);

/* The values of a placement with pieces on both sides, for the side to move, by run of the side to
 * move; the other side has no run. values[run * stride], where run counts kings from the other end
 * if `turned` comes back true. With METRIC_WDL the values have no distances. NULL when the material
 * is not in the store. */
const value_t *store_find(const struct store *store, const struct placement *placement,
                          enum metric metric, int *stride, bool *turned);

#endif
