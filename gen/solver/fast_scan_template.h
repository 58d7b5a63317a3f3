/* Seeds of large frames in the fast solver: they stay where they are, values by king index, and
 * each ply looks for its own.
 *
 * Seeds stand in blocks of some thousand bytes, and of each block it is known which values it
 * has. A ply so reads the blocks that have a seed of it, each once: a block has few distances,
 * and a search for a value is as fast as memory. Sorted events (fast_events_template.h) are
 * faster where they fit the cache, but take sixteen bytes a seed.
 *
 * Where seeds are values (frame.h), quiet placements that were decided stand among them. A ply
 * looks for its seeds before it decides anything, so what it finds are seeds. */
#ifndef EINSPUL_GEN_SOLVER_FAST_SCAN_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_SCAN_TEMPLATE_H

#include "gen/solver/fast_seeds_template.h"

#include <string.h>

enum { BLOCK_BYTES = 4096, MIN_SHARED_BLOCKS = 64 };

static uint64_t block_placements(const struct layout *other)
{
    return BLOCK_BYTES / (unsigned)other->n_runs;
}

/* Blocks of the seeds of a side. */
static uint64_t fast_scan_blocks(const struct layout *own, const struct layout *other)
{
    const uint64_t n_each = block_placements(other);
    return ((uint64_t)own->n_sets * other->n_sets + n_each - 1) / n_each;
}

/* Placements first .. last - 1 of a block. */
static void block_range(const struct solver *solver, int to_move, uint64_t block, uint64_t *first,
                        uint64_t *last)
{
    const uint64_t n_each = block_placements(solver->side[to_move].other);
    const uint64_t end = solver->context->shape.frame_size;
    *first = block * n_each;
    *last = end - *first < n_each ? end : *first + n_each;
}

/* Notes which values there are in the blocks of a side's seeds. */
static void fast_scan_start(struct solver *solver, int to_move)
{
    struct fast_side *side = &solver->side[to_move];
    const value_t *seeds = solver->frame->seed[to_move];
    const size_t n_runs = (size_t)side->other->n_runs;
    struct values_seen all = {{0}};

#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (uint64_t block = 0; block < side->n_blocks; block++) {
        uint8_t seen[VALUE_NONE + 1] = {0};
        struct values_seen *values = &side->seen[block];
        uint64_t first;
        uint64_t last;
        block_range(solver, to_move, block, &first, &last);
        for (const value_t *seed = seeds + first * n_runs; seed < seeds + last * n_runs; seed++)
            seen[*seed] = 1;
        memset(values, 0, sizeof *values);
        for (int value = 0; value <= VALUE_NONE; value++)
            values->bits[value / 64] |= (uint64_t)seen[value] << (value % 64);
        for (size_t i = 0; i < sizeof all / sizeof *all.bits; i++)
            __atomic_fetch_or(&all.bits[i], values->bits[i], __ATOMIC_RELAXED);
    }
    side->n_event_plies = 0;
    for (int ply = 0; ply < N_PLIES; ply++)
        if (values_have(&all, value_from_plies(ply)))
            side->n_event_plies = ply + 1;
}

/* What the seeds of a placement have to tell at the ply of `value`. */
static void placement_apply(struct solver *solver, int to_move, uint64_t index, value_t value,
                            bool shared)
{
    const struct fast_side *side = &solver->side[to_move];
    const struct layout *other = side->other;
    const int n_runs = other->n_runs;
    const uint32_t n_black = solver->context->shape.n_king_sets[BLACK];
    const uint32_t white = (uint32_t)(index / n_black);
    const uint32_t black = (uint32_t)(index % n_black);
    const uint32_t set = to_move == WHITE ? white : black;
    const uint32_t other_set = to_move == WHITE ? black : white;
    const value_t *seed = solver->frame->seed[to_move] + index * (size_t)n_runs;
    const uint32_t *configs = other->config_of_run + other_set * (size_t)n_runs;
    const bool moves = side->has_men && side->own->n_kings > 0 &&
                       frame_class(solver->frame, to_move, index) == CLASS_QUIET;
    int run = moves ? 0 : first_carried_run(other);

    if (run < n_runs && seeds_equal(seed, run, n_runs)) {
        if (seed[run] == value)
            seed_apply(solver, to_move, !moves, other_set, true, set, value, shared);
        return;
    }
    for (; run < n_runs; run++)
        if (seed[run] == value)
            seed_apply(solver, to_move, !moves, configs[run], false, set, value, shared);
}

static void block_apply(struct solver *solver, int to_move, uint64_t block, value_t value,
                        bool shared)
{
    const struct fast_side *side = &solver->side[to_move];
    const size_t n_runs = (size_t)side->other->n_runs;
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
        placement_apply(solver, to_move, first, value, shared);
        first++;
    }
}

/* Applies all seeds of a value. */
static void fast_scan_apply(struct solver *solver, int to_move, value_t value)
{
    struct fast_side *side = &solver->side[to_move];
    const bool shared = solver->n_threads > 1 && side->n_blocks >= MIN_SHARED_BLOCKS;
    const bool any_moves = side->has_men && side->own->n_kings > 0;

    if (!any_moves && first_carried_run(side->other) == side->other->n_runs)
        return; /* nothing to decide, and nobody to be told */
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 16) if (shared)
    for (uint64_t block = 0; block < side->n_blocks; block++)
        if (values_have(&side->seen[block], value))
            block_apply(solver, to_move, block, value, shared);
}

#endif
