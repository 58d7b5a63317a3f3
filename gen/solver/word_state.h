/* The state of the word solver; word_solver.c has the outline of the algorithm. */
#ifndef EINSPUL_GEN_SOLVER_WORD_STATE_H
#define EINSPUL_GEN_SOLVER_WORD_STATE_H

#include "core/compiler.h"
#include "core/program/extensions.h"
#include "core/program/plies.h"
#include "gen/frame/layout.h"
#include "gen/values/allocation.h"

enum { N_PLIES = MAX_WIN_PLIES + 1, MAX_AFTER = MAX_RUN_COUNT, SMALL_GROUP_WORDS = 16 };

/* A set of values. */
struct values_seen {
    uint64_t bits[(VALUE_NONE + 1) / 64];
};

static inline bool values_have(const struct values_seen *seen, value_t value)
{
    return (seen->bits[value / 64] >> (value % 64) & 1) != 0;
}

/* One side to move, in its own layout. An array by plane, word has n_words entries a plane. */
struct word_side {
    const struct layout *own;
    const struct layout *other;
    bool has_men;
    uint32_t n_strips; /* configs of the other side */
    size_t n_words;    /* n_strips * own->n_others; 0 for a side without kings */
    size_t n_final;    /* other->n_sets * own->n_others; 0 for a side without kings */
    int n_final_planes;
    int group_shift; /* a group is 2^group_shift strips: several where they are one word */
    size_t n_groups;
    cells_t *open;      /* by plane, word: quiet and not decided */
    cells_t *seed_lost; /* by word: states whose seed does not prevent a loss at this ply; NULL
                              for a side without men, whose quiet placements have no seeds */
    cells_t *won;       /* by plane, word: without distances, quiet and won; no large frame */
    cells_t *pending;   /* the same: by plane, word: decided and not propagated yet */
    uint64_t *spread;   /* seeds to keys (seed_keys.h); NULL without runs */
    /* by strip: has pending states; the entry after the last: some strip has */
    uint8_t *pending_strip;
    cells_t *lost_after; /* by after-plane, word: lost at this ply for the other side */
    cells_t *won_after;  /* by after-plane, word: won so far for the other side */
    /* by group: lost_after is not empty; the entry after the last: some group, or lost_final */
    uint8_t *lost_touched;
    /* by group: won_after, won_final or seed_lost has grown; the entry after the last: some */
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
    /* With distances, but not in large frames: seeds by word and ply (seed_events.c), with space for
     * the maximum. Pages that are not used are never committed. */
    struct seed_event *events;
    uint32_t *event_order; /* by key */
    size_t n_events;
    size_t event_start[2 * N_PLIES + 1]; /* in event_order, by key */
    struct seeds_of_word *seeds_by_run;  /* while they are made */
    /* Large frames, whose seeds are not copied: the values that occur in each block
     * (large_seeds.c). */
    uint64_t n_blocks;
    struct values_seen *seen; /* by block */
    int n_event_plies;        /* no event or seed is of this ply or a later one */
};

/* What one thread needs for the wave of a group. */
struct scratch {
    cells_t *target_cells; /* n_after_planes planes of a group: target cells of king moves */
    /* of a group: cells without another piece; repeated n_after_planes times if that is few
     * words */
    cells_t *empty;
    cells_t *slid;    /* n_after_planes planes: where the designated king comes from */
    cells_t *crossed; /* one plane: where the other kings come from */
    cells_t *decided; /* one plane */
    cells_t *buffer;  /* outcomes: seeds of a king set (outcome_seeds.c); crossed words
                         (answer.c) */
};

struct solver {
    const struct frame_context *context;
    struct allocation memory; /* of all arrays */
    struct layout layout[2];
    struct word_side side[2];
    struct scratch *scratch; /* by thread */
    int n_threads;
    bool distances;
    bool large;          /* frames are large (frame.h) */
    int n_sides;         /* frame_sides; where it is 1, both sides have the same arrays */
    struct frame *frame; /* in progress; its values are written as they are decided */
    cells_t no_men;      /* cells of the board without men, in this frame */
    uint8_t square_of_cell[WORD_CELLS];
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
        ATOMIC_OR(word, bits);
    else
        *word |= bits;
}

/* Marks the group of a strip in lost_touched or won_touched. */
static inline void touch(const struct word_side *side, uint8_t *touched, uint32_t strip)
{
    ATOMIC_STORE(&touched[strip >> side->group_shift], 1);
    ATOMIC_STORE(&touched[side->n_groups], 1);
}

#endif
