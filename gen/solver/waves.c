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
        words_cross(own, scratch->slid + strip, scratch->crossed + strip);
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

/* True if a state of a group is open: in a loss wave, of those that may be lost. */
MULTI_TARGET
static bool words_open(size_t n_planes, size_t stride, size_t n, const cells_t *open,
                       const cells_t *seed_lost)
{
    cells_t any = 0;
    for (size_t plane = 0; plane < n_planes; plane++, open += stride)
        if (seed_lost == NULL)
            for (size_t i = 0; i < n; i++)
                any |= open[i];
        else
            for (size_t i = 0; i < n; i++)
                any |= open[i] & seed_lost[i];
    return any != 0;
}

MULTI_TARGET
static void words_not_won(size_t n, const cells_t *restrict empty, const cells_t *restrict won,
                          cells_t *restrict target_cells)
{
    for (size_t i = 0; i < n; i++)
        target_cells[i] = empty[i] & ~won[i];
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
    const bool any_open = words_open((size_t)own->n_planes, side->n_words, n, side->open + first,
                                     win ? NULL : seed_lost);

    if (any_open)
        group_empty(solver, side, scratch, first_strip, n_strips);
    /* The target cells: for wins, where the opponent is lost at this ply; for losses, the empty cells
     * where it has not won. */
    for (size_t after = 0; after < (size_t)own->n_after_planes; after++) {
        cells_t *lost = side->lost_after + after * side->n_words + first;
        const cells_t *won = side->won_after + after * side->n_words + first;
        cells_t *target_cells = scratch->target_cells + after * n;
        if (win && any_open)
            memcpy(target_cells, lost, n * sizeof *lost);
        else if (any_open)
            words_not_won(n, scratch->empty, won, target_cells);
        if (win)
            memset(lost, 0, n * sizeof *lost);
    }
    if (!any_open)
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

/* Moves the finals of one of the other side's king sets to the words of all its configs. */
static void finals_move(struct word_side *side, uint32_t set, bool win)
{
    const struct layout *other = side->other;
    const size_t n_others = side->own->n_others;
    const uint32_t *configs = other->config_of_run + set * (size_t)other->n_runs;
    uint8_t *final_touched = win ? side->lost_final_touched : side->won_final_touched;
    uint8_t *touched = win ? side->lost_touched : side->won_touched;
    cells_t *after = win ? side->lost_after : side->won_after;
    cells_t *final = (win ? side->lost_final : side->won_final) + set * n_others;
    const cells_t *all = final + (size_t)(side->n_final_planes - 1) * side->n_final;

    if (final_touched[set] == 0)
        return;
    final_touched[set] = 0;
    for (int run = 0; run < other->n_runs; run++) {
        ATOMIC_STORE(&touched[configs[run] >> side->group_shift], 1);
        for (size_t plane = 0; plane < (size_t)side->own->n_after_planes; plane++) {
            const cells_t *one = final + plane * side->n_final;
            cells_t *words = after + plane * side->n_words + configs[run] * n_others;
            for (size_t others = 0; others < n_others; others++)
                words[others] |= one[others] | all[others];
        }
    }
    for (int plane = 0; plane < side->n_final_planes; plane++)
        memset(final + (size_t)plane * side->n_final, 0, n_others * sizeof *final);
}

static void lost_finals_move(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    (void)buffer;
    finals_move(&solver->side[to_move], set, true);
}

static void won_finals_move(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    (void)buffer;
    finals_move(&solver->side[to_move], set, false);
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

    if (touched[side->n_groups] == 0)
        return;
    touched[side->n_groups] = 0;
    if (side->lost_final != NULL)
        for_king_sets(solver, to_move, side->other->n_sets,
                      win ? lost_finals_move : won_finals_move);
    groups_wave(solver, to_move, value, touched);
    if (side->pending != NULL)
        propagate_pending(solver, to_move, win);
}
