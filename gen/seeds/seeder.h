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
    squares_t to;       /* must be empty of kings */
    bool is_contiguous; /* consecutive placements lead to consecutive placements */
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
    int n_runs;         /* of the other side */
    bool has_bits;      /* values for the other side are bits (values_bits); else a byte by run */
    uint64_t runs;      /* all runs of the other side */
    size_t value_bytes; /* of a placement's values for it */
    bool one_enemy;     /* the other side has one piece, so every capture wins */
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

/* Lowers values that are bits. */
static inline void min_with_bits(value_t *min_values, uint64_t bits)
{
    bits &= bytes_word(min_values, sizeof bits);
    memcpy(min_values, &bits, sizeof bits);
}

/* The outcomes of a seed, as frame->seed_key, given the bits of those for the other side. */
static inline uint64_t key_of_bits(uint64_t runs, uint64_t bits)
{
    const uint64_t not_lost = bits >> KEY_STATES & runs;
    return (not_lost ^ runs) | (not_lost & ~bits) << KEY_STATES;
}

/* Stores the outcomes of a seed, given those for the other side. */
static inline void put_bits(struct seeder *seeder, uint64_t index, const value_t *min_values)
{
    const int side = (int)seeder->side;
    const size_t n_runs = (size_t)seeder->n_runs;
    const uint64_t key = key_of_bits(seeder->runs, bytes_word(min_values, sizeof key));
    if (seeder->context->has_keys)
        seeder->frame->seed_key[side][index] = key;
    else
        for (size_t run = 0; run < n_runs; run++)
            seeder->frame->seed[side][index * n_runs + run] = key_value(&key, (int)run);
}

/* Stores the seed, given the smallest value for the other side by its runs. Without a move all its
 * bytes are VALUE_NONE, which becomes VALUE_LOST. */
static inline void put_seed(struct seeder *seeder, uint64_t index, const value_t *min_values)
{
    const int n_runs = seeder->n_runs;
    bool too_long = false;
    if (seeder->has_bits) {
        put_bits(seeder, index, min_values);
        return;
    }
    value_t *seed = seeder->frame->seed[seeder->side] + index * (size_t)n_runs;
    if (seeder->context->metric == EINSPUL_WDL) {
        seed[0] = value_without_distance(value_before(min_values[0]));
        return;
    }
    for (int run = 0; run < n_runs; run++) {
        seed[run] = value_before(min_values[run]);
        too_long |= min_values[run] == VALUE_LONGEST_WIN;
    }
    if (too_long)
        seeder->status = frame_too_long(seeder->context, seeder->error);
}

/* Stores the seed of a placement with a capture of all enemy pieces. */
static inline void put_win(struct seeder *seeder, uint64_t index)
{
    const size_t n_runs = (size_t)seeder->n_runs;
    value_t *seed = seeder->frame->seed[seeder->side];
    if (seeder->context->has_keys)
        seeder->frame->seed_key[seeder->side][index] = seeder->runs;
    else if (n_runs == 1)
        seed[index] = VALUE_WIN_IN_1;
    else
        memset(seed + index * n_runs, VALUE_WIN_IN_1, n_runs);
}

/* --- the states after a move ------------------------------------------------------------------ */

/* Run r of the other side is run after[r] of a target placement, whose value is number
 * after[r] * stride. */
struct runs_after {
    bool same; /* after[r] is r */
    const uint8_t *after;
    size_t stride; /* 0: no run is left */
};

/* `left` is the mask of the other side's kings that are left. */
static inline struct runs_after runs_after(const struct seeder *seeder, const struct target *target,
                                           unsigned left)
{
    const unsigned all = (1u << seeder->context->shape.material.kings[seeder->other]) - 1;
    return (struct runs_after){
        .same = seeder->n_runs == 1 || (left == all && !target->flipped && target->keeps_runs),
        .after = seeder->tables->run_after[seeder->other][left][target->flipped],
        .stride = target->keeps_runs ? target->stride : 0,
    };
}

/* The bits of a target placement by run before the move: those of each king are moved together. */
static inline uint64_t bits_before(const struct seeder *seeder, const struct runs_after *runs,
                                   uint64_t bits)
{
    const uint64_t one = (uint64_t)1 << KEY_STATES | 1;
    const uint64_t counts = (1u << MAX_RUN_COUNT) - 1;
    uint64_t before = bits & one;
    if (runs->same)
        return bits;
    if (runs->stride == 0)
        return before * seeder->runs;
    for (int run = 1; run < seeder->n_runs; run += MAX_RUN_COUNT)
        before |= (runs->after[run] == 0 ? (bits & one) * counts
                                         : bits >> runs->after[run] & one * counts)
                  << run;
    return before;
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

/* Begins a frame, or several without kings, on one of its threads. */
static inline void seeder_begin(struct seeder *seeder, const struct frame *frame, int thread,
                                einspul_error *error)
{
    seeder->frame = frame;
    seeder->reader = frame->readers[thread];
    seeder->error = error;
    seeder->status = EINSPUL_OK;
}

/* Takes the minimum of min_values and a target placement's values. */
static inline void min_with_values(struct seeder *seeder, const struct target *target,
                                   const struct chunk *chunk, uint64_t address,
                                   const struct runs_after *runs, value_t *min_values)
{
    if (seeder->has_bits) {
        const uint64_t bits =
            chunk->entry_bits != NULL
                ? chunk->entry_bits[chunk_number(chunk, address % PAGE_CAPACITY)]
                : values_bits(chunk_entry(chunk, address, target->solved->shape.n_rule_states),
                              target->solved->shape.n_runs[target->side], target->stride);
        min_with_bits(min_values, bits_before(seeder, runs, bits));
        return;
    }
    const value_t *values = chunk_entry(chunk, address, target->solved->shape.n_rule_states);
    if (seeder->n_runs == 1)
        min_values[0] = smaller(values[0], min_values[0]);
    else
        for (int run = 0; run < seeder->n_runs; run++)
            min_values[run] = smaller(values[runs->after[run] * runs->stride], min_values[run]);
}

/* Like min_with_values, by the address of a placement. */
static inline void min_with_address(struct seeder *seeder, const struct target *target,
                                    uint64_t address, const struct runs_after *runs,
                                    value_t *min_values)
{
    const struct chunk *chunk = target_chunk(seeder, target, address);
    if (chunk != NULL)
        min_with_values(seeder, target, chunk, address, runs, min_values);
}

#endif
