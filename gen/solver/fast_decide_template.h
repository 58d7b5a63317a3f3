/* Deciding states in the fast solver: entering them among their own side's words, and carrying them
 * over to the other side's layout, each once, where the other side's waves find them as successors.
 * Only what a simple king move can have led to is carried: for a side with runs, states in which it
 * has a run of at least 1. */
#ifndef EINSPUL_GEN_SOLVER_FAST_DECIDE_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_DECIDE_TEMPLATE_H

#include "gen/solver/fast_large_template.h"

static void carry(const struct solver *solver, const struct fast_side *from, struct fast_side *to,
                  uint32_t strip, uint32_t others, int plane, cells_t bits, bool won, bool shared)
{
    const struct layout *own = from->own;
    const struct layout *other = from->other;
    const struct layout_place *places = other->places + (size_t)strip * (size_t)other->n_places;
    cells_t *target = won ? to->won_after : to->lost_after;
    uint8_t *touched = won ? to->won_touched : to->lost_touched;

    if (other->n_places == 0 || places[0].plane >= other->n_after)
        return; /* no king of the other side can have moved last */
    if (plane == 0)
        bits &= own->highest[others]; /* the placement stands in a word for each of its kings */
    const struct layout_configs configs = layout_configs(own, others, plane);
    for (; bits != 0; bits &= bits - 1) {
        const uint32_t square = solver->square_of_cell[squares_first(bits)];
        const uint32_t config = configs.first + configs.by_square[square];
        for (int i = 0; i < other->n_places; i++)
            or_word(&target[places[i].plane * to->n_words + (size_t)config * other->n_others +
                            places[i].others],
                    (cells_t)1 << places[i].cell, shared);
        touch(to, touched, config);
    }
}

/* Enters newly decided quiet states, `bits` of a word, and carries them over to the other side's
 * layout. `shared`: other threads do so as well. */
static void fast_decide(struct solver *solver, int to_move, uint32_t strip, uint32_t others,
                        int plane, cells_t bits, value_t value, bool shared)
{
    struct fast_side *side = &solver->side[to_move];
    const size_t word =
        (size_t)plane * side->n_words + (size_t)strip * side->own->n_others + others;

    if (solver->large)
        fast_large_enter(solver, to_move, strip, others, plane, bits, value);
    else if (solver->distances)
        for (cells_t left = bits; left != 0; left &= left - 1)
            side->value[word * WORD_CELLS + (size_t)squares_first(left)] = value;
    else if (value > VALUE_DRAW)
        or_word(&side->won[word], bits, shared);
    carry(solver, side, &solver->side[!to_move], strip, others, plane, bits, value > VALUE_DRAW,
          shared);
}

#endif
