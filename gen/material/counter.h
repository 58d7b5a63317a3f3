/* Counting the values of one side to move of a material, on threads, each with a counter of its
 * own.
 *
 * Patterns are few: a counter counts placements by the number of their pattern, and goes over to
 * values when it turns to other patterns. What the counters of all threads find together does
 * not depend on which of them got which placements, nor in which order. */
#ifndef EINSPUL_GEN_MATERIAL_COUNTER_H
#define EINSPUL_GEN_MATERIAL_COUNTER_H

#include "gen/material/counts.h"
#include "gen/values/store.h"
#include "table/block_cursor.h"

/* What is counted: fresh states, those of all king runs, and where a limit of moves applies, all
 * without it. */
enum count_kind { FRESH, ALL, RAW, N_KINDS };

/* A won state: its value, placement and run state. */
struct win {
    uint64_t index;
    value_t value;
    uint16_t run_state;
};

/* Of wins the first ones, long ones before short ones, then by placement and run state. */
struct win_list {
    int n, most;
    struct win win[STATS_MOST_TOP];
};

/* Patterns that are counted by, by their number. */
struct counted_patterns {
    const value_t *values; /* without a limit of moves */
    const value_t *entry;  /* with it; the same where there is none */
    uint32_t n_patterns;   /* at most PAGE_ROOM */
};

struct counter {
    const struct shape *shape;
    int side; /* to move */
    int n_kinds;
    bool distances; /* whether values tell them: otherwise no wins are looked for */
    struct counted_patterns patterns;
    struct {
        uint64_t n;
        uint64_t first;      /* placement */
    } of_pattern[PAGE_ROOM]; /* since they were turned to */
    uint64_t of_value[N_KINDS][STATS_VALUES];
    struct win longest[N_KINDS]; /* value VALUE_NONE: none */
    struct win_list top;         /* of fresh states */
    struct block_cursor at;      /* of a table, whose patterns are counted by */
};

/* What counts a material: a counter for each side to move and thread. */
struct counters {
    int n_sides, n_threads;
    struct counter **counter; /* by side * n_threads + thread */
};

/* Fresh states and those of all runs, also without the limit where the material is `limited`;
 * `n_top` wins are listed. NO_MEMORY leaves nothing behind. */
einspul_status counters_create(struct counters *counters, const struct shape *shape, bool limited,
                               bool distances, int n_top, int n_threads);
void counters_free(struct counters *counters);

static inline struct counter *counter_of(const struct counters *counters, int side, int thread)
{
    return counters->counter[side * counters->n_threads + thread];
}

/* Turns to other patterns, or to none, before those in use go away. */
void counter_turn(struct counter *counter, const struct counted_patterns *patterns);

/* Lists a placement's fresh state, where wins are listed and if it is one of the longest. */
void counter_add_fresh(struct counter *counter, value_t value, uint64_t index);

/* Counts a placement by the number of its pattern. */
static inline void counter_add(struct counter *counter, uint32_t number, uint64_t index)
{
    if (counter->of_pattern[number].n++ == 0 || index < counter->of_pattern[number].first)
        counter->of_pattern[number].first = index;
    if (counter->top.most > 0)
        counter_add_fresh(
            counter, counter->patterns.entry[(size_t)number * (size_t)counter->shape->n_run_states],
            index);
}

/* Counts a placement of a material without limit that must capture: its values by the run of the
 * side not to move, which are the same for all runs of the other. */
void counter_add_capture(struct counter *counter, const value_t *values, uint64_t index);

/* Puts a side's counters together in the first of them, while their patterns are still there. */
struct counter *counters_gather(struct counters *counters, int side);

/* The counts of a kind, after that. */
struct stats_counts counter_counts(const struct counter *counter, enum count_kind kind);

/* The wins that were listed. */
void counter_list_top(const struct counter *counter, struct stats_top *top);

/* Counts a solved material whose chunks are all in memory. */
void counters_count_solved(struct counters *counters, const struct solved *solved);

#endif
