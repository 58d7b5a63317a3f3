/* A wave: the states that simple king moves decide at one ply, for one side to move.
 *
 * Works on groups of strips. For each after-plane it gathers the target cells (wins: where the
 * opponent is lost; losses: where it has not won) and slides them back over the empty cells of
 * their words, to the cells from which the designated king can come. Moves of other kings are the
 * same slides seen through a transpose. A group without updates since its last wave is
 * skipped, so the cost of a wave is proportional to its changes; threads share the groups if there
 * are many. */
#include "gen/solver/waves.h"

#include "gen/solver/decide.h"
#include "gen/solver/king_sets.h"

#include <string.h>

enum { MIN_SHARED_GROUPS = 64 };

MULTI_TARGET
static void words_without(size_t n, cells_t free, const cells_t *restrict taken,
                          cells_t *restrict empty)
{
    for (size_t i = 0; i < n; i++)
        empty[i] = free & ~taken[i];
}

/* scratch->empty for the words of a group. */
static void group_empty(const struct solver *solver, const struct word_side *side,
                        struct scratch *scratch, uint32_t first_strip, uint32_t n_strips)
{
    const struct layout *own = side->own;
    const cells_t *kings = side->other->strip_cells + first_strip;
    const size_t n = (size_t)n_strips * own->n_others;
    cells_t *empty = scratch->empty;
    if (own->n_others == 1)
        words_without(n_strips, solver->no_men, kings, empty); /* there are no other kings */
    else
        for (uint32_t strip = 0; strip < n_strips; strip++)
            words_without(own->n_others, solver->no_men & ~kings[strip], own->others_cells,
                          empty + (size_t)strip * own->n_others);
    for (int after = 1; n <= SMALL_GROUP_WORDS && after < own->n_after_planes; after++)
        memcpy(empty + (size_t)after * n, empty, n * sizeof *empty);
}

/* scratch->slid and crossed from scratch->source for the words of a group. */
static void slide_group(struct solver *solver, const struct word_side *side,
                        struct scratch *scratch, size_t n)
{
    const struct layout *own = side->own;
    const struct rules *rules = solver->context->rules;
    const size_t n_after_planes = (size_t)own->n_after_planes;
    if (n <= SMALL_GROUP_WORDS && n_after_planes > 1) {
        words_slide_back(&rules->board, rules->flying_kings, n_after_planes * n, scratch->empty,
                         scratch->target_cells, scratch->slid);
    } else {
        for (size_t at = 0; at < n_after_planes * n; at += n)
            words_slide_back(&rules->board, rules->flying_kings, n, scratch->empty,
                             scratch->target_cells + at, scratch->slid + at);
    }
    memset(scratch->crossed, 0, n * sizeof *scratch->crossed);
    for (size_t strip = 0; own->n_kings > 1 && strip < n; strip += own->n_others)
        words_cross(solver, own, scratch->slid + strip, scratch->crossed + strip);
}

/* Moves the states that a wave decides from `open` to `decided`; true if there are any. */
MULTI_TARGET
static bool words_decided(size_t n, bool win, const cells_t *restrict slid,
                          const cells_t *restrict crossed, const cells_t *restrict seed_lost,
                          cells_t *restrict open, cells_t *restrict decided)
{
    cells_t any = 0;
    for (size_t i = 0; i < n; i++)
        decided[i] = crossed[i] | (slid != NULL ? slid[i] : 0);
    if (!win && seed_lost == NULL)
        for (size_t i = 0; i < n; i++)
            decided[i] = ~decided[i];
    else if (!win)
        for (size_t i = 0; i < n; i++)
            decided[i] = ~decided[i] & seed_lost[i];
    for (size_t i = 0; i < n; i++) {
        decided[i] &= open[i];
        open[i] &= ~decided[i];
        any |= decided[i];
    }
    return any != 0;
}

/* Gathers the target cells of a group in one after-plane: for wins, where the opponent is lost; for
 * losses, the empty cells where it has not won. */
static void group_source(struct word_side *side, bool win, int after, uint32_t first_strip,
                         uint32_t n_strips, const cells_t *empty, cells_t *target_cells)
{
    const size_t n_others = side->own->n_others;
    const size_t first = first_strip * n_others;
    const size_t n = n_strips * n_others;
    const size_t at = (size_t)after * side->n_words + first;
    const cells_t *final = win ? side->lost_final : side->won_final;

    memcpy(target_cells, (win ? side->lost_after : side->won_after) + at, n * sizeof *target_cells);
    for (uint32_t strip = 0; final != NULL && strip < n_strips; strip++) {
        const uint32_t set = side->other->config_set[first_strip + strip];
        const cells_t *from = final + set * n_others;
        const cells_t *one = from + (size_t)after * side->n_final;
        const cells_t *all = from + (size_t)(side->n_final_planes - 1) * side->n_final;
        for (size_t others = 0; others < n_others; others++)
            target_cells[strip * n_others + others] |= one[others] | all[others];
    }
    if (win)
        memset(side->lost_after + at, 0, n * sizeof *target_cells);
    else
        for (size_t i = 0; i < n; i++)
            target_cells[i] = empty[i] & ~target_cells[i];
}

/* One group's share of a wave: the states that slides reach (wins), or do not reach (losses). */
static void group_wave(struct solver *solver, int to_move, size_t group, value_t value,
                       struct scratch *scratch, bool shared)
{
    struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const bool win = value > VALUE_DRAW;
    const uint32_t group_strips = (uint32_t)1 << side->group_shift;
    const uint32_t first_strip = (uint32_t)group << side->group_shift;
    const uint32_t n_left = side->n_strips - first_strip;
    const uint32_t n_strips = n_left < group_strips ? n_left : group_strips;
    const size_t first = (size_t)first_strip * own->n_others;
    const size_t n = (size_t)n_strips * own->n_others;
    const cells_t *seed_lost = side->seed_lost == NULL ? NULL : side->seed_lost + first;
    cells_t any_open = 0; /* in a loss wave: of those that may be lost */

    for (int plane = 0; plane < own->n_planes; plane++) {
        const cells_t *open = side->open + (size_t)plane * side->n_words + first;
        if (win || seed_lost == NULL)
            for (size_t i = 0; i < n; i++)
                any_open |= open[i];
        else
            for (size_t i = 0; i < n; i++)
                any_open |= open[i] & seed_lost[i];
    }
    if (any_open == 0 && !win)
        return;
    if (any_open != 0)
        group_empty(solver, side, scratch, first_strip, n_strips);
    for (int after = 0; after < own->n_after_planes; after++)
        group_source(side, win, after, first_strip, n_strips, scratch->empty,
                     scratch->target_cells + (size_t)after * n);
    if (any_open == 0)
        return;
    slide_group(solver, side, scratch, n);
    for (int plane = 0; plane < own->n_planes; plane++) {
        cells_t *open = side->open + (size_t)plane * side->n_words + first;
        /* A king with run c moves on to run c+1, which is after-plane c; another king to run 1. At
         * count 3 only the others may move. */
        const cells_t *slid =
            plane < own->n_after_planes ? scratch->slid + (size_t)plane * n : NULL;
        if (!words_decided(n, win, slid, scratch->crossed, seed_lost, open, scratch->decided))
            continue;
        for (uint32_t strip = 0; strip < n_strips; strip++) {
            for (uint32_t others = 0; others < own->n_others; others++) {
                const cells_t bits = scratch->decided[(size_t)strip * own->n_others + others];
                if (bits != 0)
                    decide_states(solver, to_move, first_strip + strip, others, plane, bits, value,
                                  shared);
            }
        }
    }
}

/* Touches the groups of all configs of a king set with new finals. */
static void finals_touch(const struct word_side *side, uint8_t *final_touched, uint8_t *touched)
{
    const struct layout *other = side->other;
    for (uint32_t set = 0; set < other->n_sets; set++) {
        const uint32_t *configs = other->config_of_run + set * (size_t)other->n_runs;
        for (int run = 0; final_touched[set] != 0 && run < other->n_runs; run++)
            touched[configs[run] >> side->group_shift] = 1;
    }
}

/* Losses count for one ply only, so lost_final is cleared after each win wave. */
static void finals_clear(struct word_side *side)
{
    const size_t n_others = side->own->n_others;
    for (uint32_t set = 0; set < side->other->n_sets; set++)
        for (int after = 0; side->lost_final_touched[set] != 0 && after < side->n_final_planes;
             after++)
            memset(side->lost_final + (size_t)after * side->n_final + set * n_others, 0,
                   n_others * sizeof(cells_t));
}

/* A wave over all groups that were touched. */
static void groups_wave(struct solver *solver, int to_move, value_t value, uint8_t *touched)
{
    const struct word_side *side = &solver->side[to_move];
    size_t n_touched = 0;

    if (solver->n_threads > 1)
        for (size_t group = 0; group < side->n_groups; group++)
            n_touched += touched[group];
    if (n_touched < MIN_SHARED_GROUPS) {
        for (size_t group = 0; group < side->n_groups; group++) {
            if (touched[group] == 0 || frame_is_stopped(solver->frame))
                continue;
            touched[group] = 0;
            group_wave(solver, to_move, group, value, solver->scratch, false);
        }
        return;
    }
    int next_scratch = 0;
#pragma omp parallel num_threads(solver->n_threads)
    {
        int mine = 0;
#pragma omp atomic capture
        mine = next_scratch++;
#pragma omp for schedule(dynamic, 8)
        for (size_t group = 0; group < side->n_groups; group++) {
            if (touched[group] == 0 || frame_is_stopped(solver->frame))
                continue;
            touched[group] = 0;
            group_wave(solver, to_move, group, value, &solver->scratch[mine], true);
        }
    }
}

void wave_run(struct solver *solver, int to_move, value_t value)
{
    struct word_side *side = &solver->side[to_move];
    const bool win = value > VALUE_DRAW;
    uint8_t *touched = win ? side->lost_touched : side->won_touched;
    uint8_t *final_touched = win ? side->lost_final_touched : side->won_final_touched;

    if (touched[side->n_groups] == 0)
        return;
    touched[side->n_groups] = 0;
    if (final_touched != NULL)
        finals_touch(side, final_touched, touched);
    groups_wave(solver, to_move, value, touched);
    if (side->pending != NULL)
        propagate_pending(solver, to_move, win);
    if (final_touched == NULL)
        return;
    if (win)
        finals_clear(side);
    memset(final_touched, 0, side->other->n_sets);
}
