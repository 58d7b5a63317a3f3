/* How the word solver lays out one side's kings and king run: its men frame seen as words.
 *
 * One king is the designated one, and its square is the cell of a word; the others are a set of
 * n_kings - 1 squares with rank `others`. Where the side has king runs, the designated king is the
 * running one and there are four planes: run count 0 (any king may be designated, so the placement
 * stands in n_kings words) and 1..3. Without runs there is plane 0 alone.
 *
 * The other side sees all this as a number, the config. For count 0 it is the rank of the king set;
 * the configs of counts 1 to 3 follow, numbered by others and the running king's square, of which
 * only those not taken by the others are counted:
 *   config = n_sets + (count - 1) * n_running + others * n_free + free square. */
#ifndef EINSPUL_GEN_FRAME_LAYOUT_H
#define EINSPUL_GEN_FRAME_LAYOUT_H

#include "gen/frame/frame.h"
#include "gen/frame/words.h"
#include "gen/values/allocation.h"

#define NO_INDEX UINT32_MAX

enum { NO_PLANE = 255 };

/* The bit of a config in its own side's after-planes: where a simple king move of that side can
 * have led to it. */
struct layout_bit {
    uint32_t others;
    uint8_t plane; /* among the successor planes: 0.. */
    uint8_t cell;
};

struct layout {
    uint32_t n_squares;
    int n_kings;
    bool has_runs;
    int n_planes;       /* 4 with runs, else 1 */
    int n_after_planes; /* planes a simple king move leads to: 3 with runs (counts 1..3), else 1 */
    uint32_t n_others;  /* sets of n_kings - 1 squares; 1 when there are no kings */
    uint32_t n_sets;    /* sets of n_kings squares */
    uint32_t n_running; /* configs of a count above 0; 0 without runs */
    uint32_t n_configs;
    uint32_t n_strip_sets; /* n_sets; folded (frame.h), the orbits */
    uint32_t n_strips;     /* of the other side: one for each config; folded, for each orbit */
    int n_runs;            /* run indices of core/rank.h */
    size_t set_stride, run_stride; /* of a set's rank, and of a run, in a frame's values */
    cells_t *others_cells;         /* by others */
    cells_t *highest;              /* by others: cells above all of them */
    uint32_t *set_of;      /* by others * WORD_CELLS + cell: rank of the whole set, or NO_INDEX */
    uint32_t *running_of;  /* with runs, the same: config of count 1, less n_sets */
    cells_t *config_cells; /* by config: its kings */
    uint32_t *config_set;  /* by config: rank of its set */
    cells_t *strip_cells;  /* by strip: the kings of its config */
    /* by config: its share of the offset into a frame's values; the other side's config adds the
     * rest */
    size_t *config_offset;
    uint32_t *config_of_run; /* by set rank * n_runs + run index */
    uint32_t
        *set_others;   /* by set rank * n_kings + king: the others when that king is designated */
    uint8_t *set_cell; /* the same: its cell */
    int n_after_bits;  /* layout_places per config */
    /* by config * n_after_bits; plane NO_PLANE if no king move leads to it */
    struct layout_bit *after_bits;
    uint32_t n_pair_bases; /* sets of n_kings - 2 squares */
    uint32_t *pair_others; /* by base * WORD_CELLS + cell: others when it joins, or NO_INDEX */
};

/* The configs of the states of a word in a plane: first + by_cell[cell of the designated king].
 * In plane 0 they are ranks of sets. */
struct layout_configs {
    const uint32_t *by_cell;
    uint32_t first;
};

static inline struct layout_configs layout_configs(const struct layout *layout, uint32_t others,
                                                   int plane)
{
    const size_t at = (size_t)others * WORD_CELLS;
    if (plane == 0)
        return (struct layout_configs){layout->set_of + at, 0};
    return (struct layout_configs){layout->running_of + at,
                                   layout->n_sets + (uint32_t)(plane - 1) * layout->n_running};
}

/* Sets the counts from a shape; allocates nothing. `folded`: frames are (frame.h). */
void layout_init(struct layout *layout, const struct shape *shape, bool folded, enum side side);

/* Allocates the arrays. */
void layout_allocate(struct layout *layout, struct allocation *allocation);

/* Fills them. */
void layout_fill(struct layout *layout, const struct frame_context *context, enum side side);

#endif
