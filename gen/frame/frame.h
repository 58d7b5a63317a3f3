/* A men frame: all placements that share the same men, both sides to move. Simple king moves stay
 * inside a frame; everything else is in the seeds, which are computed before the frame is solved.
 *
 * Arrays are by side to move and king index (core/rank.h). */
#ifndef EINSPUL_GEN_FRAME_FRAME_H
#define EINSPUL_GEN_FRAME_FRAME_H

#include "gen/frame/king_orbits.h"
#include "gen/values/allocation.h"
#include "gen/values/store.h"
#include "table/bytes.h"

#include <string.h>

enum placement_class {
    CLASS_IMPOSSIBLE, /* two pieces on one square */
    CLASS_CAPTURE,    /* the side to move must capture: the seed is the value */
    CLASS_QUIET,      /* the value is the best of seed and simple king moves */
    N_CLASSES
};

/* The form of a frame: values, laid out for speed or (FRAME_LARGE, see struct frame) for little
 * memory, or outcomes as keys (gen/values/chunk.h). */
enum frame_form { FRAME_VALUES, FRAME_LARGE, FRAME_KEYS };

/* Data shared by all frames of a material. Immutable after frame_context_init. */
struct frame_context {
    const struct rules *rules;
    const struct store *store;
    einspul_metric metric;
    struct shape shape;
    struct allocation memory;        /* of the arrays */
    squares_t *men_sets[2];          /* by side: the set of each rank */
    squares_t *king_sets[2];         /* by side: the set of each rank */
    uint32_t *king_flipped[2];       /* by side: the rank of that set flipped by 180 degrees */
    struct seed_tables *seed_tables; /* NULL before seed_tables_create (gen/seeds/seed_tables.h) */
    bool has_kings;                  /* else a frame is one placement */
    bool large;                      /* frames are FRAME_LARGE */
    bool folded;                     /* large frames of kings alone (struct frame) */
    struct king_orbits orbits[2];    /* of folded frames, by side */
    int n_sides;                     /* frame_sides */
    squares_t promotion[2];          /* promotion squares; folded, their images as well */
    bool has_keys;                   /* frames are FRAME_KEYS */
    size_t pattern_bytes;            /* of a placement's values, or its key */
};

static inline bool frames_are_folded(const struct shape *shape, enum frame_form form)
{
    return form == FRAME_LARGE && shape->material.men[WHITE] + shape->material.men[BLACK] == 0;
}

/* The sides to move that frames have arrays of. */
static inline int frame_sides(const struct shape *shape, enum frame_form form)
{
    return frames_are_folded(shape, form) && material_is_symmetric(&shape->material) ? 1 : 2;
}

einspul_status frame_context_init(struct frame_context *context, const struct store *store,
                                  const struct material *material, einspul_metric metric,
                                  enum frame_form form);
void frame_context_free(struct frame_context *context);

/* A large frame is held in little memory. A placement's class is two bits. A side without men has
 * seeds for captures only, and for a side without kings every seed is final; in both cases seeds
 * are values, so `seed` and `value` are the same array, in which quiet placements are VALUE_DRAW
 * until decided or seeded. Impossible placements have the seed VALUE_DRAW.
 *
 * A large frame of kings alone is folded: with a side to move it has only the placements in which
 * the other side's king set represents its orbit (king_orbits.h). They are indexed by that orbit,
 * then by the set of the side to move; frame_place finds a placement's representative. If both
 * sides have as many kings, the placements with Black to move are those with White to move, colours
 * swapped, and the arrays of both sides are the same. */
struct frame {
    const struct frame_context *context;
    struct allocation memory; /* of its arrays */
    squares_t men[2];
    uint32_t men_rank[2];
    uint8_t *class_of[2]; /* enum placement_class; NULL in a large frame, which has two bits: */
    uint64_t *quiet[2];   /* bit by king index: quiet */
    uint64_t *capture[2]; /* bit by king index: must capture */
    value_t *seed[2];     /* [king index][run of the side not to move]: the best of captures, or of
                             man moves and promotions; VALUE_LOST without any */
    /* [king index][rule state]: the solver's answer; undefined for impossible placements */
    value_t *value[2];
    /* With keys instead of values: the seeds, [king index]: bit r is won with run r of the side not
     * to move, bit 32 + r drawn; and the answer, [king index][word]. */
    uint64_t *seed_key[2];
    uint64_t *key[2];
    struct chunk_reader **readers; /* by thread: of the store's chunks */
    bool captures_only;            /* seeds of quiet placements are not needed */
    /* skip placements that no promotion leads to, in which the side not to move has no king on its
     * promotion row; they are treated as impossible */
    bool only_after_promotion;
    _Atomic int *stop; /* when non-zero, work on the frame ends (STOPPED); may be NULL */
    int n_threads;     /* a solver may use inside the frame: 1 except in king-only material */
};

einspul_status frame_create(struct frame *frame, const struct frame_context *context,
                            int n_threads);
void frame_free(struct frame *frame);

/* Reports that the run is to stop: STOPPED; else OK. */
einspul_status frame_check_stop(const struct frame *frame, einspul_error *error);

/* Reports a loss that is too long for a value: TOO_LONG. */
einspul_status frame_too_long(const struct frame_context *context, einspul_error *error);

/* Bytes frame_create needs. */
uint64_t frame_bytes(const struct shape *shape, enum frame_form form);

/* Bytes frame_context_init needs. */
uint64_t frame_context_bytes(const struct shape *shape, enum frame_form form);

/* Placements in a frame's arrays of a side to move. */
uint64_t frame_places(const struct frame_context *context, int side);

/* Sets the men from a frame number. */
void frame_set(struct frame *frame, uint64_t number);

static inline bool frame_seed_is_value(const struct frame_context *context, int side)
{
    const struct material *material = &context->shape.material;
    return context->large && (material->men[side] == 0 || material->kings[side] == 0);
}

static inline enum placement_class frame_class(const struct frame *frame, int side, uint64_t index)
{
    if (frame->class_of[side] != NULL)
        return (enum placement_class)frame->class_of[side][index];
    if ((frame->quiet[side][index / 64] >> (index % 64) & 1) != 0)
        return CLASS_QUIET;
    return (frame->capture[side][index / 64] >> (index % 64) & 1) != 0 ? CLASS_CAPTURE
                                                                       : CLASS_IMPOSSIBLE;
}

/* The first placement from `index` on that is possible, or may be in a large frame; or `end`. After
 * a promotion few are wanted, so eight impossible ones are skipped at once. */
static inline uint64_t frame_next(const struct frame *frame, int side, uint64_t index, uint64_t end)
{
    const uint8_t *class_of = frame->class_of[side];
    if (class_of == NULL)
        return index;
    while (index + 8 <= end && load_u64(class_of + index) == 0)
        index += 8;
    while (index < end && class_of[index] == CLASS_IMPOSSIBLE)
        index++;
    return index;
}

/* The place in a frame's arrays of a placement, given by its king index. */
static inline uint64_t frame_place(const struct frame_context *context, int side, uint64_t index)
{
    const uint32_t *n_sets = context->shape.n_king_sets;
    if (!context->folded)
        return index;
    const uint32_t white = (uint32_t)(index / n_sets[BLACK]);
    const uint32_t black = (uint32_t)(index % n_sets[BLACK]);
    const uint32_t own = side == WHITE ? white : black;
    const uint32_t other = side == WHITE ? black : white;
    const int symmetry = bits_first(context->orbits[!side].to_representative[other]);
    return (uint64_t)context->orbits[!side].orbit_of[other] * n_sets[side] +
           context->orbits[side].image[symmetry][own];
}

/* True unless another placement represents this one in the frame's arrays. */
static inline bool frame_represents(const struct frame_context *context, int side, uint64_t index)
{
    const uint32_t n_black = context->shape.n_king_sets[BLACK];
    if (!context->folded)
        return true;
    const uint64_t other = side == WHITE ? index % n_black : index / n_black;
    return (context->orbits[!side].to_representative[other] & 1) != 0;
}

/* True if the run is to stop. Seeds and solvers then skip the rest of their work, whose results are
 * not used. */
static inline bool frame_is_stopped(const struct frame *frame)
{
    return frame->stop != NULL && atomic_load_explicit(frame->stop, memory_order_relaxed) != 0;
}

/* True if placements with these kings of the side not to move are wanted (only_after_promotion). */
static inline bool frame_needs(const struct frame *frame, int to_move, squares_t other_kings)
{
    return !frame->only_after_promotion || (other_kings & frame->context->promotion[!to_move]) != 0;
}

/* True if solvers need not write the values of captures: chunks take them from the seeds. */
static inline bool frame_keeps_seeds(const struct frame_context *context)
{
    return context->metric == EINSPUL_DTW && context->shape.n_rule_states > 1 &&
           context->shape.n_clocks == 1;
}

/* Expands the seeds of a capture to values of all rule states, all own runs alike. */
void frame_expand_seed(const struct shape *shape, int side, const value_t *seed, value_t *value);

/* Copies the seeds of capture placements of king indices first .. last - 1 to their values. */
void frame_copy_captures(struct frame *frame, int side, uint64_t first, uint64_t last);

#endif
