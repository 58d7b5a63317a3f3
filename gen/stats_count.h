/* Counting one side to move of a solved material, all of whose values are in memory. */
#ifndef EINSPUL_GEN_STATS_COUNT_H
#define EINSPUL_GEN_STATS_COUNT_H

#include "gen/spans.h"
#include "gen/stats.h"
#include "gen/store.h"

/* What is counted: fresh states, those of all king runs, and where a limit of moves applies, all
 * without it. */
enum kind { FRESH, ALL, RAW, N_KINDS };

/* One side to move of a solved material. */
struct counter {
    const struct solved *solved;
    const struct spans *spans;
    int side;
    int n_threads;
    int n_kinds;
    int length; /* of a pattern */
    uint64_t tally[N_KINDS][STATS_VALUES];
    value_t longest[N_KINDS]; /* the winning value of most plies; VALUE_DRAW: there is none */
    uint64_t found[N_KINDS];  /* index of the first placement that has it */
};

/* The address of a span's first placement. */
static inline uint64_t span_address(const struct counter *counter, const struct span *span)
{
    return solved_frame_address(counter->solved, counter->side, span->men[WHITE],
                                span->men[BLACK]) +
           (uint64_t)span->white_kings * counter->spans->shape->n_king_sets[BLACK];
}

/* Value `at` of a pattern of a chunk. */
static inline value_t pattern_value(const struct counter *counter, const struct chunk *chunk,
                                    int kind, uint32_t number, int at)
{
    return value_load(kind == RAW ? chunk->values : chunk->entry, chunk->value_bytes,
                      (size_t)number * (size_t)counter->length + (size_t)at);
}

/* How many values of a pattern a kind looks at. */
static inline int kind_length(const struct counter *counter, int kind)
{
    return kind == FRESH ? 1 : counter->length;
}

/* Counts all placements: `tally` and `longest`. NO_MEMORY. */
enum status counter_count(struct counter *counter);

/* The counts of a kind, with a longest win where `distances` are known. */
struct stats_counts counter_summary(const struct counter *counter, int kind, bool distances);

/* Finds the first placements with the longest wins: `found`. */
void counter_find_longest(struct counter *counter);

/* The n_top longest wins (stats_top.c), after counter_count. */
void counter_list_top(const struct counter *counter, int n_top, struct stats_top *top);

#endif
