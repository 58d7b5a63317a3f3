/* Deciding states in the word solver: recording them, in the frame's values or among their own
 * side's words, and propagating them to the other side's layout, each once, where the other side's
 * waves find them as successors. Only states that a simple king move can have led to are
 * propagated: for a side with runs, states in which it has a run of at least 1.
 *
 * With distances, and in large frames, a state is propagated as it is decided. Otherwise the
 * states that a wave decided are propagated after it, a word at a time: the words of strips that differ in the
 * square of one king are the rows of a matrix, whose columns are words of the other side. */
#include "gen/solver/decide.h"

#include "gen/frame/transpose.h"

#include <string.h>

enum { MIN_SHARED_BATCHES = 64 };

/* To a strip of the other side: the states that `after_bits` are of. */
static inline void propagate_to(const struct word_side *to, uint32_t strip,
                                const struct layout_bit *after_bits, bool won, bool shared)
{
    const struct layout *other = to->own;
    cells_t *target = (won ? to->won_after : to->lost_after) + (size_t)strip * other->n_others;
    for (int i = 0; i < other->n_after_bits; i++)
        or_word(&target[after_bits[i].plane * to->n_words + after_bits[i].others],
                (cells_t)1 << after_bits[i].cell, shared);
    touch(to, won ? to->won_touched : to->lost_touched, strip);
}

/* In a folded frame, the state with this king set of the side to move, and those like it in the same
 * strip of the other side. */
static void propagate_folded(const struct solver *solver, int to_move, uint32_t strip, uint32_t set,
                             bool won, bool shared)
{
    const struct king_orbits *own = &solver->context->orbits[to_move];
    const struct king_orbits *other = &solver->context->orbits[!to_move];
    const struct layout *layout = &solver->layout[!to_move];
    for (unsigned left = own->to_representative[set]; left != 0; left &= left - 1) {
        const uint32_t image = other->image[bits_first(left)][other->representative[strip]];
        propagate_to(&solver->side[!to_move], own->orbit_of[set],
                     layout->after_bits + (size_t)image * (size_t)layout->n_after_bits, won,
                     shared);
    }
}

static void propagate(const struct solver *solver, int to_move, uint32_t strip, uint32_t others,
                      int plane, cells_t bits, bool won, bool shared)
{
    const struct layout *own = &solver->layout[to_move];
    const struct layout *other = &solver->layout[!to_move];
    const struct word_side *to = &solver->side[!to_move];
    const uint32_t n_others = other->n_others;
    const struct layout_configs configs = layout_configs(own, others, plane);
    uint8_t *touched = won ? to->won_touched : to->lost_touched;
    const int group_shift = to->group_shift;

    if (solver->context->folded) {
        for (; bits != 0; bits &= bits - 1)
            propagate_folded(solver, to_move, strip, configs.by_cell[bits_first(bits)], won,
                             shared);
        return;
    }
    for (int i = 0; i < other->n_after_bits; i++) {
        const struct layout_bit at =
            other->after_bits[(size_t)strip * (size_t)other->n_after_bits + (size_t)i];
        cells_t *target =
            (won ? to->won_after : to->lost_after) + at.plane * to->n_words + at.others;
        const cells_t bit = (cells_t)1 << at.cell;
        for (cells_t left = bits; left != 0; left &= left - 1) {
            const uint32_t config = configs.first + configs.by_cell[bits_first(left)];
            or_word(&target[(size_t)config * n_others], bit, shared);
            ATOMIC_STORE(&touched[config >> group_shift], 1);
        }
    }
    ATOMIC_STORE(&touched[to->n_groups], 1);
}

/* --- without distances, in batches ------------------------------------------------------------ */

/* Strips that differ in nothing but the cell of one king of the other side, which is the designated
 * one there: states decided in them go to bits of the same words. */
struct batch {
    uint32_t strips[WORD_CELLS];
    uint8_t cells[WORD_CELLS];
    int n;
    uint32_t others; /* of the other side, ... */
    int plane;       /* ... and after-plane that its king moves lead to */
};

/* Lists the strips of a batch that have pending states. */
static void batch_find(const struct word_side *from, struct batch *batch)
{
    const struct layout *other = from->other;
    const struct layout_configs configs =
        layout_configs(other, batch->others, other->has_runs ? batch->plane + 1 : 0);
    batch->n = 0;
    for (int cell = 0; cell < WORD_CELLS; cell++) {
        const uint32_t strip = configs.first + configs.by_cell[cell];
        if (configs.by_cell[cell] == NO_INDEX || from->pending_strip[strip] == 0)
            continue;
        batch->strips[batch->n] = strip;
        batch->cells[batch->n++] = (uint8_t)cell;
    }
}

/* Propagates the words `others` of a batch's strips to the words `target` of the other side's
 * layout, by config. */
static void batch_propagate(const struct batch *batch, const struct word_side *from,
                            const struct word_side *to, uint32_t others, int plane, cells_t *target,
                            uint8_t *touched)
{
    const struct layout *own = from->own;
    const cells_t *words = from->pending + (size_t)plane * from->n_words + others;
    const struct layout_configs configs = layout_configs(own, others, plane);
    /* A placement without a run stands in a word for each of its kings. */
    const cells_t mask = plane == 0 ? own->highest[others] : ~(cells_t)0;
    cells_t matrix[WORD_CELLS];
    cells_t any = 0;

    for (int i = 0; i < batch->n; i++)
        any |= words[(size_t)batch->strips[i] * own->n_others] & mask;
    if (any == 0)
        return;
    memset(matrix, 0, sizeof matrix);
    for (int i = 0; i < batch->n; i++)
        matrix[batch->cells[i]] = words[(size_t)batch->strips[i] * own->n_others];
    words_transpose(matrix);
    for (; any != 0; any &= any - 1) {
        const int cell = bits_first(any);
        const uint32_t config = configs.first + configs.by_cell[cell];
        target[(size_t)config * to->own->n_others] |= matrix[cell];
        touch(to, touched, config);
    }
}

static void pending_clear(struct word_side *side)
{
    const size_t n_others = side->own->n_others;
    for (uint32_t strip = 0; strip < side->n_strips; strip++) {
        for (int plane = 0; side->pending_strip[strip] != 0 && plane < side->own->n_planes; plane++)
            memset(side->pending + (size_t)plane * side->n_words + strip * n_others, 0,
                   n_others * sizeof *side->pending);
    }
    memset(side->pending_strip, 0, side->n_strips + 1);
}

static void batch_run(const struct word_side *from, const struct word_side *to, uint32_t number,
                      bool won)
{
    struct batch batch = {.others = number % to->own->n_others,
                          .plane = (int)(number / to->own->n_others)};
    cells_t *target =
        (won ? to->won_after : to->lost_after) + (size_t)batch.plane * to->n_words + batch.others;
    batch_find(from, &batch);
    for (int plane = 0; batch.n > 0 && plane < from->own->n_planes; plane++)
        for (uint32_t others = 0; others < from->own->n_others; others++)
            batch_propagate(&batch, from, to, others, plane, target,
                            won ? to->won_touched : to->lost_touched);
}

void propagate_pending(struct solver *solver, int to_move, bool won)
{
    struct word_side *from = &solver->side[to_move];
    const struct word_side *to = &solver->side[!to_move];
    const uint32_t n_batches = to->own->n_others * (uint32_t)to->own->n_after_planes;

    if (from->pending_strip[from->n_strips] == 0)
        return;
    if (solver->n_threads == 1 || n_batches < MIN_SHARED_BATCHES) {
        for (uint32_t i = 0; i < n_batches; i++)
            batch_run(from, to, i, won);
    } else {
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
        for (uint32_t i = 0; i < n_batches; i++)
            batch_run(from, to, i, won);
    }
    pending_clear(from);
}

/* --- deciding --------------------------------------------------------------------------------- */

/* Writes newly decided states to the frame's values. */
static void enter(const struct solver *solver, int to_move, uint32_t strip, uint32_t others,
                  int plane, cells_t bits, value_t value)
{
    const struct layout *own = solver->side[to_move].own;
    const struct layout *other = solver->side[to_move].other;
    const struct layout_configs configs = layout_configs(own, others, plane);
    value_t *values = solver->frame->value[to_move];

    if (solver->context->folded) {
        values += (size_t)strip * own->n_sets;
        for (; bits != 0; bits &= bits - 1)
            values[configs.by_cell[bits_first(bits)]] = value;
        return;
    }
    const size_t *offset = own->config_offset + configs.first;
    values += other->config_offset[strip];
    for (; bits != 0; bits &= bits - 1)
        values[offset[configs.by_cell[bits_first(bits)]]] = value;
}

/* Enters newly decided states, and propagates each to one bit, by one thread. */
static void enter_and_propagate(const struct solver *solver, int to_move, uint32_t strip,
                                uint32_t others, int plane, cells_t bits, value_t value)
{
    const struct layout *own = solver->side[to_move].own;
    const struct layout *other = solver->side[to_move].other;
    const struct word_side *to = &solver->side[!to_move];
    const struct layout_configs configs = layout_configs(own, others, plane);
    const struct layout_bit at = other->after_bits[strip];
    const cells_t bit = (cells_t)1 << at.cell;
    const bool won = value > VALUE_DRAW;
    const size_t *offset = own->config_offset;
    const size_t n_others = other->n_others;
    const int group_shift = to->group_shift;
    value_t *values = solver->frame->value[to_move] + other->config_offset[strip];
    cells_t *target = (won ? to->won_after : to->lost_after) + at.plane * to->n_words + at.others;
    uint8_t *touched = won ? to->won_touched : to->lost_touched;

    for (; bits != 0; bits &= bits - 1) {
        const size_t config = configs.first + configs.by_cell[bits_first(bits)];
        values[offset[config]] = value;
        target[config * n_others] |= bit;
        touched[config >> group_shift] = 1;
    }
    touched[to->n_groups] = 1;
}

/* True if a king of the other side can have moved last. */
static inline bool strip_follows(const struct layout *other, uint32_t strip)
{
    return other->n_after_bits > 0 &&
           other->after_bits[(size_t)strip * (size_t)other->n_after_bits].plane <
               other->n_after_planes;
}

void decide_states(struct solver *solver, int to_move, uint32_t strip, uint32_t others, int plane,
                   cells_t bits, value_t value, bool shared)
{
    struct word_side *side = &solver->side[to_move];
    const size_t word =
        (size_t)plane * side->n_words + (size_t)strip * side->own->n_others + others;

    if (side->pending != NULL) {
        if (value > VALUE_DRAW)
            side->won[word] |= bits;
        if (!strip_follows(side->other, strip))
            return;
        side->pending[word] |= bits;
        side->pending_strip[strip] = 1;
        ATOMIC_STORE(&side->pending_strip[side->n_strips], 1);
        return;
    }
    if (plane == 0)
        bits &= side->own->highest[others]; /* the placement stands in a word for each king */
    if (!shared && !solver->context->folded && side->other->n_after_bits == 1 &&
        strip_follows(side->other, strip)) {
        enter_and_propagate(solver, to_move, strip, others, plane, bits, value);
        return;
    }
    enter(solver, to_move, strip, others, plane, bits, value);
    if (strip_follows(side->other, strip))
        propagate(solver, to_move, strip, others, plane, bits, value > VALUE_DRAW, shared);
}
