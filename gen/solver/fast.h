/* What the files of the fast solver share: solve_fast.c has the outline of the algorithm. */
#ifndef EINSPUL_GEN_SOLVER_FAST_H
#define EINSPUL_GEN_SOLVER_FAST_H

#include "core/compiler.h"
#include "core/program/plies.h"
#include "gen/frame/layout.h"
#include "gen/solver/solve.h"
#include "gen/values/allocation.h"

enum { N_PLIES = MAX_WIN_PLIES + 1, MAX_AFTER = MAX_RUN_COUNT, FEW_WORDS = 16 };

/* A set of values. */
struct values_seen {
    uint64_t bits[(VALUE_NONE + 1) / 64];
};

static inline bool values_have(const struct values_seen *seen, value_t value)
{
    return (seen->bits[value / 64] >> (value % 64) & 1) != 0;
}

/* One side to move, in its own layout. An array by plane, word has n_words entries a plane. */
struct fast_side {
    const struct layout *own;
    const struct layout *other;
    bool has_men;
    uint32_t n_strips; /* configs of the other side */
    size_t n_words;    /* n_strips * own->n_others; 0 for a side without kings */
    size_t n_final;    /* other->n_sets * own->n_others; 0 for a side without kings */
    int n_final_planes;
    int group_shift; /* a group is 2^group_shift strips: several where they are one word */
    size_t n_groups;
    cells_t *open;     /* by plane, word: quiet and not decided */
    cells_t *lossable; /* by word: states whose seed does not prevent a loss at this ply; NULL
                              for a side without men, whose quiet placements have no seeds */
    cells_t *won;      /* by plane, word: without distances, quiet and won; no large frame */
    cells_t *fresh;    /* the same: by plane, word: decided and not propagated yet */
    uint64_t *spread;  /* seeds to keys (fast_keys.h); NULL without runs */
    /* by strip: has fresh states; the entry after the last: some strip has */
    uint8_t *fresh_strip;
    cells_t *lost_after; /* by after-plane, word: lost at this ply for the other side */
    cells_t *won_after;  /* by after-plane, word: won so far for the other side */
    /* by group: lost_after is not empty; the entry after the last: some group, or lost_final */
    uint8_t *lost_touched;
    /* by group: won_after, won_final or lossable has grown; the entry after the last: some */
    uint8_t *won_touched;
    /* States decided regardless of the other side's run, stored once per king set of that side
     * rather than once per config: [after-plane][its set rank][others]. With runs there is one more
     * plane, which stands for all after-planes. NULL if neither side has runs, and in large frames
     * if the other side has none, because its king sets are its configs. */
    cells_t *lost_final;
    cells_t *won_final;
    uint8_t *lost_final_touched; /* by the other side's set rank */
    uint8_t *won_final_touched;
    cells_t *quiet; /* by other side's set rank, others: as `won` */
    /* Seeds in the order of their plies (fast_seeds.c): space for one per placement and run of the
     * other side, the maximum. Pages that are not used are never committed. */
    uint64_t *events; /* with distances */
    /* Large frames, whose seeds are not copied: the values that occur in each block
     * (fast_seeds.c). */
    uint64_t n_blocks;
    struct values_seen *seen;        /* by block */
    int n_event_plies;               /* no event or seed is of this ply or a later one */
    size_t event_start[N_PLIES + 1]; /* by ply, up to n_event_plies */
};

/* What one thread needs for the wave of a group. */
struct scratch {
    cells_t *source; /* n_after planes of a group: target cells of king moves */
    /* of a group: cells without another piece; repeated n_after times if that is few words */
    cells_t *empty;
    cells_t *slid;    /* n_after planes: where the designated king comes from */
    cells_t *crossed; /* one plane: where the other kings come from */
    cells_t *decided; /* one plane */
    cells_t *room;    /* outcomes: seeds of a king set (fast_words.c); crossed words
                         (fast_read.c) */
};

struct solver {
    const struct frame_context *context;
    struct allocation memory; /* of all arrays */
    struct layout layout[2];
    struct fast_side side[2];
    struct scratch *scratch; /* by thread */
    int n_threads;
    bool distances;
    bool has_kings;
    bool large;          /* frames are large (frame.h) */
    struct frame *frame; /* in progress; its values are written as they are decided */
    cells_t no_men;      /* cells of the board without men, in this frame */
    uint8_t square_of_cell[WORD_CELLS];
    uint8_t cell_of[MAX_SQUARES];
    cells_t all_cells;
};

/* Cells below all others: where the designated king is the lowest. */
static inline cells_t lowest_cells(const struct layout *layout, uint32_t others)
{
    const cells_t cells = layout->others_cells[others];
    return (cells & (0 - cells)) - 1;
}

static inline void or_word(cells_t *word, cells_t bits, bool shared)
{
    if (shared)
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
    else
        *word |= bits;
}

/* Marks the group of a strip in lost_touched or won_touched. */
static inline void touch(const struct fast_side *side, uint8_t *touched, uint32_t strip)
{
    __atomic_store_n(&touched[strip >> side->group_shift], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&touched[side->n_groups], 1, __ATOMIC_RELAXED);
}

/* --- fast_side.c: the arrays of a side -------------------------------------------------------- */

/* Sets the counts from the layouts of both sides; the arrays stay as they are. */
void fast_side_init(struct fast_side *side, const struct layout *own, const struct layout *other,
                    bool has_men);

/* Allocates the arrays. */
void fast_side_allocate(struct fast_side *side, bool distances, bool large,
                        struct allocation *allocation);

/* Resets all arrays, and the frame's values where these are written as states are decided, for
 * solver->frame: every quiet state is open. */
void fast_side_start(struct solver *solver, int to_move);

/* --- fast_decide.c ---------------------------------------------------------------------------- */

/* Records newly decided quiet states, `bits` of a word, and propagates them to the other side's
 * layout, at once or (with `fresh`) later, by fast_carry_fresh. `shared`: other threads do so as
 * well. */
void fast_decide(struct solver *solver, int to_move, uint32_t strip, uint32_t others, int plane,
                 cells_t bits, value_t value, bool shared);

/* Propagates the states decided since the last call, as won or as lost. Threads share the batches,
 * and never write to the same word. */
void fast_carry_fresh(struct solver *solver, int to_move, bool won);

/* --- fast_wave.c ------------------------------------------------------------------------------ */

/* Decides all open states of a side that are won, or lost, in the plies of `value`; without
 * distances, any number of plies. */
void fast_wave(struct solver *solver, int to_move, value_t value);

/* --- fast_seeds.c: seeds with distances ------------------------------------------------------- */

/* Makes the seeds of one side into events, sorted by ply; applies those of one ply. */
void fast_events_create(struct solver *solver, int to_move);
void fast_events_apply(struct solver *solver, int to_move, int ply);

/* For large frames: the number of blocks of a side's seeds. */
uint64_t fast_scan_blocks(const struct layout *own, const struct layout *other);

/* Finds the values in each block. */
void fast_scan_start(struct solver *solver, int to_move);

/* Applies all seeds of a value. */
void fast_scan_apply(struct solver *solver, int to_move, value_t value);

/* --- fast_words.c: seeds without distances --------------------------------------- */

/* Processes the placements with one king set of a side; `room` is scratch memory. */
typedef void set_work(struct solver *solver, int to_move, uint32_t set, cells_t *room);

/* Runs `work` for `n` sets on all threads; with one thread, without the overhead of a parallel
 * region. */
void fast_for_sets(struct solver *solver, int to_move, uint32_t n, set_work *work);

/* Applies all seeds of both sides at once: without distances they need no order. fast_words_room is
 * the number of words it needs in scratch->room. */
void fast_words_apply(struct solver *solver);
size_t fast_words_room(const struct fast_side *side);

/* ORs into `to`, the words of a king set, the states of `from` as seen with each of the other kings
 * designated. `from` and `to` may be the same. */
void fast_words_cross(const struct solver *solver, const struct layout *own, const cells_t *from,
                      cells_t *to);

/* --- fast_read.c ------------------------------------------------------------------------------ */

/* Fills frame->value, or frame->key, from the seeds of captures and from what waves decided.
 * fast_keys_room is the number of words it needs in scratch->room for keys. */
void fast_read(struct solver *solver);
size_t fast_keys_room(const struct fast_side *side);

#endif
