/* Shared by the files of the seeds; seeds.c has the outline. */
#ifndef EINSPUL_GEN_SEEDS_SEEDER_H
#define EINSPUL_GEN_SEEDS_SEEDER_H

#include "core/program/index.h"
#include "gen/seeds/capture_lines.h"
#include "gen/seeds/seed_tables.h"

#include <string.h>

/* Captures differ in worth only by the men and kings they take and by what captures: 2 * (m + 1) *
 * (k + 1) kinds, with m + k <= MAX_SET. */
enum { MAX_MAN_MOVES = 2 * MAX_SET, MAX_WORTHS = 40 };

/* The successors by one kind of move. */
struct target {
    const struct solved *solved; /* NULL: not set up yet */
    bool flipped;
    int side;        /* to move, as stored */
    size_t stride;   /* of a run of the side to move */
    bool keeps_runs; /* the side to move can still have a run */
};

/* A man move of a frame, captures aside. */
struct man_move {
    squares_t to; /* must be empty of kings */
    /* consecutive placements lead to consecutive placements, with one value each */
    bool is_contiguous;
    const struct target *target;
    uint64_t base;           /* address of the target frame's first placement */
    const uint32_t *rank[2]; /* by side here: king rank here -> king rank there */
    uint64_t stride[2];      /* by side here: of that rank */
};

/* A line: consecutive indices, in which only `side`'s lowest king moves, over squares 0, 1, ….
 * Without kings there is one, place 0. */
struct line {
    uint64_t first;   /* index of the one with that king on square 0 */
    squares_t free;   /* squares of that king for which the placement is possible */
    int n_placements; /* possible or not */
    enum side side;
    uint32_t rank[2];   /* of the king sets of the first placement */
    squares_t kings[2]; /* without the king that moves along the line */
    squares_t taken;    /* by stationary pieces */
    struct stationary stationary;
};

/* The state of a thread for one side to move; reused from frame to frame. */
struct seeder {
    const struct frame *frame;
    struct chunk_reader *reader; /* of the thread */
    const struct frame_context *context;
    const struct seed_tables *tables;
    enum side side, other;
    int n_runs;     /* of the other side */
    bool one_enemy; /* the other side has one piece, so every capture wins */
    struct man_move man_moves[MAX_MAN_MOVES];
    int n_man_moves;
    struct target targets[MAX_SET + 1][MAX_SET + 1][2]; /* by men and kings taken, promotion */
    /* the rank of a capture's worth: [men captured][kings captured][by a king] */
    uint8_t worth[MAX_SET + 1][MAX_SET + 1][2];
    einspul_error *error;
    einspul_status status;
};

/* --- values ----------------------------------------------------------------------------------- */

/* Branch-free: which one it is is unpredictable. */
static inline value_t smaller(value_t a, value_t b)
{
    return a < b ? a : b;
}

/* value_without_distance(value_before(…)) of up to eight values at once. */
static inline void signs_before(value_t *seed, const value_t *min_values, size_t n)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t after = 0;
    memcpy(&after, min_values, n);
    const uint64_t lost = after >> 7 & ones;
    const uint64_t drawn = ((after & ~(0x80 * ones)) + ones) >> 7 & ones & ~lost;
    const uint64_t signs = (ones - lost) * VALUE_WIN_IN_1 - drawn * VALUE_DRAW;
    memcpy(seed, &signs, n);
}

/* Outcomes of a placement: eight or four runs at a time; the last group overlaps the one before. */
static inline void put_signs(value_t *seed, const value_t *min_values, int n_runs)
{
    int run = 0;
    if (n_runs >= 8) {
        for (; run < n_runs - 8; run += 8)
            signs_before(seed + run, min_values + run, 8);
        signs_before(seed + n_runs - 8, min_values + n_runs - 8, 8);
    } else if (n_runs >= 4) {
        signs_before(seed, min_values, 4);
        signs_before(seed + n_runs - 4, min_values + n_runs - 4, 4);
    } else {
        for (; run < n_runs; run++)
            seed[run] = value_without_distance(value_before(min_values[run]));
    }
}

/* Stores the seed, given the smallest value for the other side by its runs. Without a move that is
 * VALUE_NONE, which becomes VALUE_LOST. */
static inline void put_seed(struct seeder *seeder, uint64_t index, const value_t *min_values)
{
    const int n_runs = seeder->n_runs;
    value_t *seed = seeder->frame->seed[seeder->side] + index * (size_t)n_runs;
    if (seeder->context->metric == EINSPUL_WDL) {
        put_signs(seed, min_values, n_runs);
        return;
    }
    bool too_long = false;
    for (int run = 0; run < n_runs; run++) {
        seed[run] = value_before(min_values[run]);
        too_long |= min_values[run] == VALUE_LONGEST_WIN;
    }
    if (too_long)
        seeder->status = frame_too_long(seeder->context, seeder->error);
}

/* --- the states after a move ------------------------------------------------------------------ */

/* Sets at[run] to the index of the other side's run within the values of a target placement. `left`
 * is the mask of its kings that are left. */
static inline void runs_after(const struct seeder *seeder, const struct target *target,
                              unsigned left, uint8_t at[MAX_RUNS])
{
    const uint8_t *after = seeder->tables->run_after[seeder->other][left][target->flipped];
    for (int run = 0; run < seeder->n_runs; run++)
        at[run] = (uint8_t)(target->keeps_runs ? after[run] * target->stride : 0);
}

/* The chunk of an address; NULL, with seeder->status set, on error. */
static inline const struct chunk *target_chunk(struct seeder *seeder, const struct target *target,
                                               uint64_t address)
{
    const struct chunk *chunk = NULL;
    const einspul_status status =
        solved_fetch_chunk(target->solved, seeder->reader, false, address, &chunk, seeder->error);
    if (status == EINSPUL_OK)
        return chunk;
    seeder->status = status;
    return NULL;
}

/* Takes the minimum of min_values[run] and a target placement's value at[run] (runs_after). */
static inline void min_with_values(struct seeder *seeder, const struct target *target,
                                   const struct chunk *chunk, uint64_t address,
                                   const uint8_t at[MAX_RUNS], value_t *min_values)
{
    const value_t *values = chunk_entry(chunk, address, target->solved->shape.n_rule_states);
    if (seeder->n_runs == 1)
        min_values[0] = smaller(values[0], min_values[0]);
    else
        for (int run = 0; run < seeder->n_runs; run++)
            min_values[run] = smaller(values[at[run]], min_values[run]);
}

/* Like min_with_values, by the address of a placement. */
static inline void min_with_address(struct seeder *seeder, const struct target *target,
                                    uint64_t address, const uint8_t at[MAX_RUNS],
                                    value_t *min_values)
{
    const struct chunk *chunk = target_chunk(seeder, target, address);
    if (chunk != NULL)
        min_with_values(seeder, target, chunk, address, at, min_values);
}

#endif
