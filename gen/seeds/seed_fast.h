/* What the files of the fast seeds share: seed_fast.c has the outline. */
#ifndef EINSPUL_GEN_SEEDS_SEED_FAST_H
#define EINSPUL_GEN_SEEDS_SEED_FAST_H

#include "gen/frame/seed_tables.h"
#include "gen/seeds/capture_lines.h"
#include "gen/seeds/seed.h"

/* m men and k kings are captured in 2 * (m + 1) * (k + 1) kinds of ways, with m + k <= MAX_SET. */
enum { MAX_MAN_MOVES = 2 * MAX_SET, MAX_WORTHS = 40 };

/* Where one kind of move leads to. */
struct target {
    const struct solved *solved; /* NULL: not set up yet */
    bool turned;
    int side;       /* to move, as stored */
    size_t stride;  /* of a run of the side to move */
    bool runs_last; /* the side to move still can have a run */
};

/* A man move of a frame, captures aside. */
struct man_move {
    squares_t to; /* must be empty of kings */
    const struct target *target;
    uint64_t base;           /* address of the target frame's first placement */
    const uint32_t *rank[2]; /* by side here: king rank here -> king rank there */
    uint64_t stride[2];      /* by side here: of that rank */
};

/* Placements that follow each other in the index: those of `side`'s lowest king on 0, 1, …. Without
 * kings there is one, place 0. */
struct line {
    uint64_t first;   /* index of the one with that king on square 0 */
    squares_t free;   /* squares of that king for which the placement is possible */
    int n_placements; /* possible or not */
    enum side side;
    uint32_t rank[2];   /* of the king sets of the first placement */
    squares_t kings[2]; /* without the king that moves along the line */
    squares_t taken;    /* by pieces that stand still */
    struct still still;
};

/* One side to move, in one frame after the other. */
struct seeder {
    const struct frame *frame;
    struct reader *reader; /* of the thread */
    const struct frame_context *context;
    const struct seed_tables *tables;
    enum side side, other;
    int n_runs;                        /* of the other side */
    bool one_enemy;                    /* the other side has one piece: every capture takes all */
    value_t longest_loss, longest_win; /* of context->most_plies */
    struct man_move man_moves[MAX_MAN_MOVES];
    int n_man_moves;
    struct target man_targets[2];                        /* by promotion */
    struct target captures[MAX_SET + 1][MAX_SET + 1][2]; /* by men and kings taken, promotion */
    /* by men and kings taken, by a king: how many kinds of captures are worth less */
    uint8_t worth[MAX_SET + 1][MAX_SET + 1][2];
    struct error *error;
    enum status status;
};

/* --- seed_targets.c: where moves lead to ------------------------------------------------------ */

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 * False, with seeder->status set, when that material is not in the store. */
bool target_set(struct seeder *seeder, struct target *target, struct material after);

/* The chunk of an address that is not in memory; NULL, with seeder->status set, when it cannot be
 * had. */
const struct chunk *target_fetch(struct seeder *seeder, const struct target *target,
                                 uint64_t address);

/* Puts values of the size that this solver does not have into `room`. Where one does not fit, the
 * frame cannot be solved with values of this size: seeder->status is TOO_LONG then. */
void target_values(struct seeder *seeder, const uint8_t *values, int value_bytes, int n,
                   value_t *room);

/* Finds the man moves of the seeder's frame, captures aside. False as target_set. */
bool man_moves_find(struct seeder *seeder);

/* --- seed_captures.c -------------------------------------------------------------------------- */

/* The seeds of the placements of a line that have a capture: one or more places. */
void seed_captures(struct seeder *seeder, const struct line *line, squares_t places);

/* Sets seeder->worth. */
void worths_init(struct seeder *seeder);

/* --- values ----------------------------------------------------------------------------------- */

static inline void seed_too_long(struct seeder *seeder)
{
    seeder->status = error_set(seeder->error, STATUS_TOO_LONG, "a distance beyond %d plies",
                               seeder->context->most_plies);
}

/* Which one it is cannot be foreseen: no branch. */
static inline value_t smaller(value_t a, value_t b)
{
    return a < b ? a : b;
}

/* The values of a chunk's placement as this solver has them, by run state. */
static inline const value_t *values_in_size(struct seeder *seeder, const struct chunk *chunk,
                                            uint64_t address, int n_run_states, value_t *room)
{
    const uint8_t *values = chunk_entry(chunk, address, n_run_states);
    if (chunk->value_bytes == sizeof(value_t))
        return (const value_t *)(const void *)values;
    target_values(seeder, values, chunk->value_bytes, n_run_states, room);
    return room;
}

/* Lowers worst[run] to the values of a placement of the target. `left` says which of the other
 * side's kings are still there. */
static inline void take_values(struct seeder *seeder, const struct target *target, uint64_t address,
                               unsigned left, value_t *worst)
{
    const struct solved *solved = target->solved;
    const struct chunk *chunk = solved_chunk(solved, address);
    if (chunk == NULL) {
        chunk = target_fetch(seeder, target, address);
        if (chunk == NULL)
            return;
    }
    value_t room[MAX_RUN_STATES];
    const value_t *values =
        values_in_size(seeder, chunk, address, solved->shape.n_run_states, room);
    if (seeder->n_runs == 1) {
        worst[0] = smaller(values[0], worst[0]);
        return;
    }
    if (!target->runs_last) {
        for (int run = 0; run < seeder->n_runs; run++)
            worst[run] = smaller(values[0], worst[run]);
        return;
    }
    const uint8_t *run_after = seeder->tables->run_after[seeder->other][left][target->turned];
    for (int run = 0; run < seeder->n_runs; run++)
        worst[run] = smaller(values[run_after[run] * target->stride], worst[run]);
}

/* From the smallest value for the other side, by its runs, to the seed. Without a move that is
 * VALUE_NONE, and the seed comes out as lost now. */
static inline void put_seed(struct seeder *seeder, uint64_t index, const value_t *worst)
{
    const bool distances = seeder->context->metric == METRIC_DTW;
    const int n_runs = seeder->n_runs;
    value_t *seed = (value_t *)seeder->frame->seed[seeder->side] + index * (size_t)n_runs;
    const unsigned n_between = (unsigned)(seeder->longest_win - seeder->longest_loss - 1);
    bool too_long = false;
    for (int run = 0; run < n_runs; run++) {
        const value_t value = value_before(worst[run]);
        seed[run] = distances ? value : value_sign(value);
        too_long |= (unsigned)(value - seeder->longest_loss - 1) < n_between && value != VALUE_DRAW;
    }
    if (too_long && distances)
        seed_too_long(seeder);
}

#endif
