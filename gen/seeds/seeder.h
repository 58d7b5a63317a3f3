/* Shared by the files of the seeds; seeds.c has the outline. */
#ifndef EINSPUL_GEN_SEEDS_SEEDER_H
#define EINSPUL_GEN_SEEDS_SEEDER_H

#include "core/program/index.h"
#include "gen/frame/seed_tables.h"
#include "gen/frame/words.h"
#include "gen/seeds/seed.h"

#include <string.h>

/* Captures differ in worth only by the men and kings they take and by what captures: 2 * (m + 1) *
 * (k + 1) kinds, with m + k <= MAX_SET. */
enum { MAX_MAN_MOVES = 2 * MAX_SET, MAX_WORTHS = 40 };

/* The stationary pieces, by side. */
struct still {
    cells_t men[2];
    cells_t kings[2];
};

/* The successors by one kind of move. */
struct target {
    const struct solved *solved; /* NULL: not set up yet */
    bool flipped;
    int side;       /* to move, as stored */
    size_t stride;  /* of a run of the side to move */
    bool runs_last; /* the side to move can still have a run */
};

/* A man move of a frame, captures aside. */
struct man_move {
    squares_t to;  /* must be empty of kings */
    bool is_strip; /* consecutive placements lead to consecutive placements, with one value each */
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
    struct still still;
};

/* The state of a thread for one side to move; reused from frame to frame. */
struct seeder {
    const struct frame *frame;
    struct reader *reader; /* of the thread */
    const struct frame_context *context;
    const struct seed_tables *tables;
    enum side side, other;
    int n_runs;     /* of the other side */
    bool one_enemy; /* the other side has one piece, so every capture wins */
    struct man_move man_moves[MAX_MAN_MOVES];
    int n_man_moves;
    struct target man_targets[2];                        /* by promotion */
    struct target captures[MAX_SET + 1][MAX_SET + 1][2]; /* by men and kings taken, promotion */
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
static inline void signs_before(value_t *seed, const value_t *worst, size_t n)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t after = 0;
    memcpy(&after, worst, n);
    const uint64_t lost = after >> 7 & ones;
    const uint64_t drawn = ((after & ~(0x80 * ones)) + ones) >> 7 & ones & ~lost;
    const uint64_t signs = (ones - lost) * VALUE_WIN_IN_1 - drawn * VALUE_DRAW;
    memcpy(seed, &signs, n);
}

/* Outcomes of a placement: eight or four runs at a time; the last group overlaps the one before. */
static inline void put_signs(value_t *seed, const value_t *worst, int n_runs)
{
    int run = 0;
    if (n_runs >= 8) {
        for (; run < n_runs - 8; run += 8)
            signs_before(seed + run, worst + run, 8);
        signs_before(seed + n_runs - 8, worst + n_runs - 8, 8);
    } else if (n_runs >= 4) {
        signs_before(seed, worst, 4);
        signs_before(seed + n_runs - 4, worst + n_runs - 4, 4);
    } else {
        for (; run < n_runs; run++)
            seed[run] = value_without_distance(value_before(worst[run]));
    }
}

/* Stores the seed, given the smallest value for the other side by its runs. Without a move that is
 * VALUE_NONE, which becomes VALUE_LOST. */
static inline void put_seed(struct seeder *seeder, uint64_t index, const value_t *worst)
{
    const int n_runs = seeder->n_runs;
    value_t *seed = seeder->frame->seed[seeder->side] + index * (size_t)n_runs;
    if (seeder->context->metric == EINSPUL_WDL) {
        put_signs(seed, worst, n_runs);
        return;
    }
    bool too_long = false;
    for (int run = 0; run < n_runs; run++) {
        seed[run] = value_before(worst[run]);
        too_long |= worst[run] == VALUE_LONGEST_WIN;
    }
    if (too_long)
        seeder->status = frame_too_long(seeder->context, seeder->error);
}

/* --- what a move leads to --------------------------------------------------------------------- */

/* Sets at[run] to the index of the other side's run within the values of a target placement. `left`
 * is the mask of its kings that are left. */
static inline void runs_after(const struct seeder *seeder, const struct target *target,
                              unsigned left, uint8_t at[MAX_RUNS])
{
    const uint8_t *after = seeder->tables->run_after[seeder->other][left][target->flipped];
    for (int run = 0; run < seeder->n_runs; run++)
        at[run] = (uint8_t)(target->runs_last ? after[run] * target->stride : 0);
}

/* The chunk of an address; NULL, with seeder->status set, on error. */
static inline const struct chunk *target_chunk(struct seeder *seeder, const struct target *target,
                                               uint64_t address)
{
    const struct chunk *chunk = NULL;
    const einspul_status status =
        solved_get(target->solved, seeder->reader, false, address, &chunk, seeder->error);
    if (status == EINSPUL_OK)
        return chunk;
    seeder->status = status;
    return NULL;
}

/* Takes the minimum of worst[run] and a target placement's value at[run] (runs_after). */
static inline void take_values(struct seeder *seeder, const struct target *target,
                               const struct chunk *chunk, uint64_t address,
                               const uint8_t at[MAX_RUNS], value_t *worst)
{
    const value_t *values = chunk_entry(chunk, address, target->solved->shape.n_rule_states);
    if (seeder->n_runs == 1)
        worst[0] = smaller(values[0], worst[0]);
    else
        for (int run = 0; run < seeder->n_runs; run++)
            worst[run] = smaller(values[at[run]], worst[run]);
}

/* Like take_values, by the address of a placement. */
static inline void take_address(struct seeder *seeder, const struct target *target,
                                uint64_t address, const uint8_t at[MAX_RUNS], value_t *worst)
{
    const struct chunk *chunk = target_chunk(seeder, target, address);
    if (chunk != NULL)
        take_values(seeder, target, chunk, address, at, worst);
}

/* --- capture_lines.c: the squares of one king that give a placement a capture ------------------ */

/* The cells where one more king of `side` can capture a stationary piece (`side` to move), or be
 * captured by one (the other side to move). Captures among stationary pieces are not included.
 * `all` are the board's cells. */
cells_t capture_cells(const struct rules *rules, const struct still *still, cells_t all,
                      enum side side, enum side to_move);

/* The squares of the line's king that do not block a capture of `to_move` among the stationary
 * pieces `men` and `kings` (by side). */
squares_t still_captures(const struct seed_tables *tables, const squares_t men[2],
                         const squares_t kings[2], enum side to_move);

/* --- seed_targets.c --------------------------------------------------------------------------- */

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 * False, with seeder->status set, when that material is not in the store. */
bool target_set(struct seeder *seeder, struct target *target, struct material after);

/* Finds the man moves of the seeder's frame, captures aside. False as target_set. */
bool man_moves_find(struct seeder *seeder);

/* --- seed_captures.c -------------------------------------------------------------------------- */

/* Sets seeder->worth. */
void worths_init(struct seeder *seeder);

/* The seeds of the placements of a line that have a capture: one or more places. */
void seed_captures(struct seeder *seeder, const struct line *line, squares_t places);

#endif
