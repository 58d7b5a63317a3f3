/* Seeds of large frames in the word solver: each takes part once the ply of its value has come.
 *
 * A seed that is the value of its placement (a capture, or a side without kings) has nothing to
 * decide and is only propagated to the other side. One that is a move of a quiet placement wins
 * when its ply comes, or lets the placement be lost from then on.
 *
 * The seeds are not copied: they are values by king index, and each ply searches for its own. They
 * are divided into blocks of a few thousand bytes, with a record of the values in each block. So
 * each ply reads only the blocks that have a seed of it; blocks have few distinct distances, and
 * memchr runs at memory speed. Where seeds are values (frame.h), quiet placements that were decided
 * are among them. A ply searches for its seeds before it decides anything, so it finds seeds only.
 *
 * Events (seed_events.c) are faster where they fit the cache, but take more memory. */
#include "gen/solver/large_seeds.h"

#include "core/program/plies.h"
#include "gen/solver/decide.h"

#include <string.h>

/* States whose seed is their value, whatever the side's own run. `set` is the rank of the king set
 * of the side to move; `config` is the other side's, or its king set where this holds for all its
 * runs. */
static inline void seed_propagate(const struct solver *solver, int to_move, uint32_t config,
                                  bool all_runs, uint32_t set, value_t value, bool shared)
{
    const struct word_side *to = &solver->side[!to_move];
    const struct layout *other = to->own;
    const bool win = value > VALUE_DRAW;
    uint8_t *touched = win ? to->won_touched : to->lost_touched;
    cells_t *target = win ? to->won_final : to->lost_final;
    size_t n_words = to->n_final;
    int n_planes = 1; /* for all runs */

    if (target == NULL) { /* the king set is the config */
        target = win ? to->won_after : to->lost_after;
        n_words = to->n_words;
        n_planes = other->n_after_planes;
        touch(to, touched, set);
    } else {
        uint8_t *final_touched = win ? to->won_final_touched : to->lost_final_touched;
        ATOMIC_STORE(&final_touched[set], 1);
        ATOMIC_STORE(&touched[to->n_groups], 1);
    }
    target += (size_t)set * other->n_others;
    if (!all_runs || !other->has_runs) {
        const struct layout_bit *after_bits =
            other->after_bits + (size_t)config * (size_t)other->n_after_bits;
        for (int i = 0; i < other->n_after_bits; i++)
            or_word(&target[after_bits[i].plane * n_words + after_bits[i].others],
                    (cells_t)1 << after_bits[i].cell, shared);
        return;
    }
    if (to->won_final != NULL)
        target += (size_t)other->n_after_planes * n_words;
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
    struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;

    for (int king = 0; king < own->n_kings; king++) {
        const size_t at = (size_t)set * (size_t)own->n_kings + (size_t)king;
        const uint32_t others = own->set_others[at];
        const cells_t bit = (cells_t)1 << own->set_cell[at];
        const size_t word = (size_t)strip * own->n_others + others;
        if (value < VALUE_DRAW) {
            or_word(&side->seed_lost[word], bit, shared);
            touch(side, side->won_touched, strip);
            continue;
        }
        for (int plane = 0; plane < own->n_planes; plane++) {
            cells_t *open = &side->open[(size_t)plane * side->n_words + word];
            if ((ATOMIC_LOAD(open) & bit) == 0)
                continue;
            if (shared)
                ATOMIC_AND(open, ~bit);
            else
                *open &= ~bit;
            decide_states(solver, to_move, strip, others, plane, bit, value, shared);
        }
    }
}

/* A seed that is the value of its placement, or one of its moves; `config` as in seed_propagate. */
ALWAYS_INLINE void seed_apply(struct solver *solver, int to_move, bool is_value, uint32_t config,
                              bool all_runs, uint32_t set, value_t value, bool shared)
{
    const struct layout *other = solver->side[to_move].other;
    if (is_value)
        seed_propagate(solver, to_move, config, all_runs, set, value, shared);
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
static inline int first_propagated_run(const struct layout *other)
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

/* Applies the seeds of a placement that have the value `value`. `white` and `black` are the ranks
 * of the king sets. */
static void placement_apply(struct solver *solver, int to_move, uint32_t white, uint32_t black,
                            value_t value, bool shared)
{
    const struct word_side *side = &solver->side[to_move];
    const struct layout *other = side->other;
    const int n_runs = other->n_runs;
    const uint64_t index = (uint64_t)white * solver->context->shape.n_king_sets[BLACK] + black;
    const uint32_t set = to_move == WHITE ? white : black;
    const uint32_t other_set = to_move == WHITE ? black : white;
    const value_t *seed = solver->frame->seed[to_move] + index * (size_t)n_runs;
    const uint32_t *configs = other->config_of_run + other_set * (size_t)n_runs;
    const bool moves = side->has_men && side->own->n_kings > 0 &&
                       frame_class(solver->frame, to_move, index) == CLASS_QUIET;
    int run = moves ? 0 : first_propagated_run(other);

    if (run < n_runs && seeds_equal(seed, run, n_runs)) {
        if (seed[run] == value)
            seed_apply(solver, to_move, !moves, other_set, true, set, value, shared);
        return;
    }
    for (; run < n_runs; run++)
        if (seed[run] == value)
            seed_apply(solver, to_move, !moves, configs[run], false, set, value, shared);
}

/* --- blocks ----------------------------------------------------------------------------------- */

enum { BLOCK_BYTES = 4096, MIN_SHARED_BLOCKS = 64 };

static uint64_t block_placements(const struct layout *other)
{
    return BLOCK_BYTES / (unsigned)other->n_runs;
}

static uint64_t seed_placements(const struct word_side *side)
{
    return (uint64_t)side->own->n_sets * side->other->n_strip_sets;
}

uint64_t seed_blocks(const struct word_side *side)
{
    const uint64_t n_each = block_placements(side->other);
    return (seed_placements(side) + n_each - 1) / n_each;
}

/* Placements first .. last - 1 of a block. */
static void block_range(const struct solver *solver, int to_move, uint64_t block, uint64_t *first,
                        uint64_t *last)
{
    const uint64_t n_each = block_placements(solver->side[to_move].other);
    const uint64_t end = seed_placements(&solver->side[to_move]);
    *first = block * n_each;
    *last = end - *first < n_each ? end : *first + n_each;
}

void seed_blocks_start(struct solver *solver, int to_move)
{
    struct word_side *side = &solver->side[to_move];
    const value_t *seeds = solver->frame->seed[to_move];
    const size_t n_runs = (size_t)side->other->n_runs;
    struct values_seen all = {{0}};

#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (uint64_t block = 0; block < side->n_blocks; block++) {
        uint8_t seen[VALUE_NONE + 1] = {0};
        struct values_seen *values = &side->seen[block];
        uint64_t first;
        uint64_t last;
        if (frame_is_stopped(solver->frame))
            continue;
        block_range(solver, to_move, block, &first, &last);
        for (const value_t *seed = seeds + first * n_runs; seed < seeds + last * n_runs; seed++)
            seen[*seed] = 1;
        memset(values, 0, sizeof *values);
        for (int value = 0; value <= VALUE_NONE; value++)
            values->bits[value / 64] |= (uint64_t)seen[value] << (value % 64);
        for (size_t i = 0; i < sizeof all / sizeof *all.bits; i++)
            ATOMIC_OR(&all.bits[i], values->bits[i]);
    }
    side->n_event_plies = 0;
    for (int ply = 0; ply < N_PLIES; ply++)
        if (values_have(&all, value_from_plies(ply)))
            side->n_event_plies = ply + 1;
}

/* Applies the seed of a placement of a folded frame, which is its value. Where the king set of the
 * side to move has symmetries of its own, so that several placements of the other side's strip are
 * like this one, all of them get it. */
static void folded_apply(struct solver *solver, int to_move, uint64_t place, value_t value,
                         bool shared)
{
    const struct king_orbits *own = &solver->context->orbits[to_move];
    const struct king_orbits *other = &solver->context->orbits[!to_move];
    const uint32_t n_sets = solver->side[to_move].own->n_sets;
    const uint32_t set = (uint32_t)(place % n_sets);
    const uint32_t other_set = other->representative[place / n_sets];
    for (unsigned left = own->to_representative[set]; left != 0; left &= left - 1)
        seed_propagate(solver, to_move, other->image[bits_first(left)][other_set], true,
                       own->orbit_of[set], value, shared);
}

static void block_apply(struct solver *solver, int to_move, uint64_t block, value_t value,
                        bool shared)
{
    const struct word_side *side = &solver->side[to_move];
    const size_t n_runs = (size_t)side->other->n_runs;
    const uint32_t n_black = solver->context->shape.n_king_sets[BLACK];
    const value_t *seeds = solver->frame->seed[to_move];
    uint64_t first;
    uint64_t last;

    block_range(solver, to_move, block, &first, &last);
    while (first < last) {
        const value_t *next =
            memchr(seeds + first * n_runs, value, (size_t)(last - first) * n_runs);
        if (next == NULL)
            return;
        first = (uint64_t)(next - seeds) / n_runs;
        if (solver->context->folded)
            folded_apply(solver, to_move, first, value, shared);
        else
            placement_apply(solver, to_move, (uint32_t)(first / n_black),
                            (uint32_t)(first % n_black), value, shared);
        first++;
    }
}

void seed_blocks_apply(struct solver *solver, int to_move, value_t value)
{
    struct word_side *side = &solver->side[to_move];
    const bool shared = solver->n_threads > 1 && side->n_blocks >= MIN_SHARED_BLOCKS;
    const bool any_moves = side->has_men && side->own->n_kings > 0;

    if (!any_moves && first_propagated_run(side->other) == side->other->n_runs)
        return; /* nothing to decide, and no successor to update */
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 16) if (shared)
    for (uint64_t block = 0; block < side->n_blocks; block++)
        if (values_have(&side->seen[block], value) && !frame_is_stopped(solver->frame))
            block_apply(solver, to_move, block, value, shared);
}
