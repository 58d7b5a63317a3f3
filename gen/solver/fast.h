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
    cells_t *open;         /* by plane, word: quiet and not decided */
    cells_t *lossable;     /* by word: the seed has lost by now; NULL for a side without men, whose
                              quiet placements have no seeds */
    cells_t *won;          /* by plane, word: without distances, quiet and won; no large frame */
    cells_t *fresh;        /* the same: decided and not carried yet */
    uint64_t *spread;      /* seeds to keys (fast_keys.h); NULL without runs */
    uint8_t *fresh_strip;  /* by strip: whether any; behind the last: any of them */
    cells_t *lost_after;   /* by after-plane, word: lost at this ply for the other side */
    cells_t *won_after;    /* by after-plane, word: won so far for the other side */
    uint8_t *lost_touched; /* by group: lost_after is not empty; behind the last: any of them, or
                              of lost_final */
    uint8_t *won_touched;  /* the same: won_after, won_final or lossable has grown */
    /* What is decided whatever the other side's run, once for all its configs: by after-plane, and
     * with runs a plane behind them that stands for all of them, the other side's set rank, others.
     * Without any runs there is nothing to share: these are NULL. So they are in a large frame
     * where the other side has no runs, as its king set is its config. */
    cells_t *lost_final;
    cells_t *won_final;
    uint8_t *lost_final_touched; /* by the other side's set rank */
    uint8_t *won_final_touched;
    cells_t *quiet; /* by other side's set rank, others: as `won` */
    /* Seeds in the order of their plies (fast_seeds.c): room for one of every placement
     * and run of the other side, the most there can be. Only what is used of it becomes memory. */
    uint64_t *events; /* with distances */
    /* Large frames, whose seeds stay where they are: which values a block of them has
     * (fast_seeds.c). */
    uint64_t n_blocks;
    struct values_seen *seen;        /* by block */
    int n_event_plies;               /* no event or seed is of this ply or a later one */
    size_t event_start[N_PLIES + 1]; /* by ply, up to n_event_plies */
};

/* What one thread needs for the wave of a group. */
struct scratch {
    cells_t *source;  /* n_after planes of a group: what a king move is to reach */
    cells_t *empty;   /* of a group: cells without another piece; n_after times the same, where
                         that is few words */
    cells_t *slid;    /* n_after planes: where the designated king comes from */
    cells_t *crossed; /* one plane: the same of the other kings */
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
    bool large;          /* frames are large ones (frame.h): */
    struct frame *frame; /* the one in work, whose values are entered as they are decided */
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

/* Takes the arrays. */
void fast_side_allocate(struct fast_side *side, bool distances, bool large,
                        struct allocation *allocation);

/* Sets all arrays, and values that are entered as they are decided, up for solver->frame: everything
 * quiet is open, nothing is decided. */
void fast_side_start(struct solver *solver, int to_move);

/* --- fast_decide.c ---------------------------------------------------------------------------- */

/* Enters newly decided quiet states, `bits` of a word, and carries them over to the other side's
 * layout, or notes that they are to be carried. `shared`: other threads do so as well. */
void fast_decide(struct solver *solver, int to_move, uint32_t strip, uint32_t others, int plane,
                 cells_t bits, value_t value, bool shared);

/* Carries what was decided since the last time, as won or as lost. Threads share the batches: none
 * writes to a word of another. */
void fast_carry_fresh(struct solver *solver, int to_move, bool won);

/* --- fast_wave.c ------------------------------------------------------------------------------ */

/* Decides all open states of a side that are won, or lost, in the plies of `value`; without
 * distances, any number of plies. */
void fast_wave(struct solver *solver, int to_move, value_t value);

/* --- fast_seeds.c: seeds with distances ------------------------------------------------------- */

/* Makes the seeds of one side into events, sorted by ply; applies those of one ply. */
void fast_events_create(struct solver *solver, int to_move);
void fast_events_apply(struct solver *solver, int to_move, int ply);

/* The same in large frames: blocks of the seeds of a side, which values there are in them, and all
 * seeds of a value. */
uint64_t fast_scan_blocks(const struct layout *own, const struct layout *other);
void fast_scan_start(struct solver *solver, int to_move);
void fast_scan_apply(struct solver *solver, int to_move, value_t value);

/* --- fast_words.c: seeds without distances --------------------------------------- */

/* Work on the placements with one king set of a side, with room for it. */
typedef void set_work(struct solver *solver, int to_move, uint32_t set, cells_t *room);

/* All threads do the work of `n` sets; a single one does so without a parallel region, which would
 * cost it as much as some words. */
void fast_for_sets(struct solver *solver, int to_move, uint32_t n, set_work *work);

/* Applies all seeds of both sides at once: without distances they need no order. In scratch->room
 * it needs so many words. */
void fast_words_apply(struct solver *solver);
size_t fast_words_room(const struct fast_side *side);

/* Adds to the words `to` of a king set what the words `from`, which may be the same, say of its
 * other kings: a bit of one of them stands in the word where its king is the designated one. */
void fast_words_cross(const struct solver *solver, const struct layout *own, const cells_t *from,
                      cells_t *to);

/* --- fast_read.c ------------------------------------------------------------------------------ */

/* Fills frame->value, or frame->key, from the seeds of captures and from what waves decided. In
 * scratch->room it needs so many words for keys. */
void fast_read(struct solver *solver);
size_t fast_keys_room(const struct fast_side *side);

#endif
