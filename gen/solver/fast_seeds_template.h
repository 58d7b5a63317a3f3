/* Applying one seed in the fast solver, once the ply of its value has come.
 *
 * A seed that is the value of its placement (a capture, or a side without kings) has nothing to
 * decide and is only carried to the other side. One that is a move of a quiet placement wins when
 * its ply comes, or lets the placement be lost from then on. */
#ifndef EINSPUL_GEN_SOLVER_FAST_SEEDS_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_SEEDS_TEMPLATE_H

#include "gen/solver/fast_decide_template.h"

/* States whose seed is their value, whatever the side's own run. `set` is the rank of the king set
 * of the side to move; `config` is the other side's, or its king set where this holds for all its
 * runs. */
static inline void seed_carry(const struct solver *solver, int to_move, uint32_t config,
                              bool all_runs, uint32_t set, value_t value, bool shared)
{
    const struct fast_side *to = &solver->side[!to_move];
    const struct layout *other = to->own;
    const bool win = value > VALUE_DRAW;
    uint8_t *touched = win ? to->won_touched : to->lost_touched;
    cells_t *target = win ? to->won_final : to->lost_final;
    size_t n_words = to->n_final;
    int n_planes = 1; /* that all runs stand in */

    if (target == NULL) { /* the king set is the config */
        target = win ? to->won_after : to->lost_after;
        n_words = to->n_words;
        n_planes = other->n_after;
        touch(to, touched, set);
    } else {
        uint8_t *final_touched = win ? to->won_final_touched : to->lost_final_touched;
        __atomic_store_n(&final_touched[set], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&touched[to->n_groups], 1, __ATOMIC_RELAXED);
    }
    target += (size_t)set * other->n_others;
    if (!all_runs || !other->has_runs) {
        const struct layout_place *places =
            other->places + (size_t)config * (size_t)other->n_places;
        for (int i = 0; i < other->n_places; i++)
            or_word(&target[places[i].plane * n_words + places[i].others],
                    (cells_t)1 << places[i].cell, shared);
        return;
    }
    if (to->won_final != NULL)
        target += (size_t)other->n_after * n_words;
    for (int king = 0; king < other->n_kings; king++) {
        const size_t at = (size_t)config * (size_t)other->n_kings + (size_t)king;
        for (int plane = 0; plane < n_planes; plane++)
            or_word(&target[(size_t)plane * n_words + other->set_others[at]],
                    (cells_t)1 << other->set_cell[at], shared);
    }
}

/* States whose seed is one of their moves; `strip` is the other side's config. */
static inline void seed_move(struct solver *solver, int to_move, uint32_t strip, uint32_t set,
                             value_t value, bool shared)
{
    struct fast_side *side = &solver->side[to_move];
    const struct layout *own = side->own;

    for (int king = 0; king < own->n_kings; king++) {
        const size_t at = (size_t)set * (size_t)own->n_kings + (size_t)king;
        const uint32_t others = own->set_others[at];
        const cells_t bit = (cells_t)1 << own->set_cell[at];
        const size_t word = (size_t)strip * own->n_others + others;
        if (value < VALUE_DRAW) {
            or_word(&side->lossable[word], bit, shared);
            touch(side, side->won_touched, strip);
            continue;
        }
        for (int plane = 0; plane < own->n_planes; plane++) {
            cells_t *open = &side->open[(size_t)plane * side->n_words + word];
            if ((__atomic_load_n(open, __ATOMIC_RELAXED) & bit) == 0)
                continue;
            if (shared)
                __atomic_fetch_and(open, ~bit, __ATOMIC_RELAXED);
            else
                *open &= ~bit;
            fast_decide(solver, to_move, strip, others, plane, bit, value, shared);
        }
    }
}

/* A seed that is the value of its placement, or one of its moves; `config` as in seed_carry. */
ALWAYS_INLINE void seed_apply(struct solver *solver, int to_move, bool is_value, uint32_t config,
                              bool all_runs, uint32_t set, value_t value, bool shared)
{
    const struct layout *other = solver->side[to_move].other;
    if (is_value)
        seed_carry(solver, to_move, config, all_runs, set, value, shared);
    else if (!all_runs)
        seed_move(solver, to_move, config, set, value, shared);
    else
        for (int run = 0; run < other->n_runs; run++)
            seed_move(solver, to_move,
                      other->config_of_run[config * (size_t)other->n_runs + (size_t)run], set,
                      value, shared);
}

/* Where a seed is a placement's value, only the runs count that a king of the other side can have
 * moved into; n_runs where there are none. */
static inline int first_carried_run(const struct layout *other)
{
    return other->n_kings == 0 ? other->n_runs : other->has_runs ? 1 : 0;
}

static inline bool seeds_equal(const value_t *seed, int first, int n)
{
    for (int i = first + 1; i < n; i++)
        if (seed[i] != seed[first])
            return false;
    return true;
}

#endif
