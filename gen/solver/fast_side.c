/* The arrays of one side to move in the fast solver: their sizes, and their content when a frame
 * begins. They are made once a material and set up again for every frame. */
#include "gen/solver/fast.h"
#include "gen/solver/fast_keys.h"

#include <string.h>

/* A word of its own is too little to be passed over, or not, alone. */
enum { GROUP_SHIFT = 4 };

void fast_side_init(struct fast_side *side, const struct layout *own, const struct layout *other,
                    bool has_men)
{
    memset(side, 0, sizeof *side);
    side->own = own;
    side->other = other;
    side->has_men = has_men;
    side->n_strips = other->n_configs;
    side->n_words = own->n_kings > 0 ? (size_t)side->n_strips * own->n_others : 0;
    side->n_final = own->n_kings > 0 ? (size_t)other->n_sets * own->n_others : 0;
    side->n_final_planes = own->has_runs ? own->n_after + 1 : own->n_after;
    side->group_shift = own->n_others == 1 ? GROUP_SHIFT : 0;
    side->n_groups =
        ((size_t)side->n_strips + ((size_t)1 << side->group_shift) - 1) >> side->group_shift;
}

void fast_side_allocate(struct fast_side *side, bool distances, bool large,
                        struct allocation *allocation)
{
    const struct layout *own = side->own;
    const struct layout *other = side->other;
    const size_t n_planes = (size_t)own->n_planes * side->n_words;
    const size_t n_after = (size_t)own->n_after * side->n_words;

    side->open = allocation_take(allocation, n_planes, sizeof(cells_t));
    if (side->has_men)
        side->lossable = allocation_take(allocation, side->n_words, sizeof(cells_t));
    side->lost_after = allocation_take(allocation, n_after, sizeof(cells_t));
    side->won_after = allocation_take(allocation, n_after, sizeof(cells_t));
    side->lost_touched = allocation_take(allocation, side->n_groups + 1, 1);
    side->won_touched = allocation_take(allocation, side->n_groups + 1, 1);
    if (large ? other->has_runs : own->has_runs || other->has_runs) {
        const size_t n_final = (size_t)side->n_final_planes * side->n_final;
        side->lost_final = allocation_take(allocation, n_final, sizeof(cells_t));
        side->won_final = allocation_take(allocation, n_final, sizeof(cells_t));
        side->lost_final_touched = allocation_take(allocation, other->n_sets, 1);
        side->won_final_touched = allocation_take(allocation, other->n_sets, 1);
    }
    if (large) {
        side->n_blocks = fast_scan_blocks(own, other);
        side->seen = allocation_take(allocation, side->n_blocks, sizeof *side->seen);
        return;
    }
    side->quiet = allocation_take(allocation, side->n_final, sizeof(cells_t));
    if (distances) {
        const size_t n_own = own->n_sets * (size_t)own->n_runs;
        const size_t n_other = other->n_sets * (size_t)other->n_runs;
        side->own_at = allocation_take(allocation, n_own, sizeof *side->own_at);
        side->other_at = allocation_take(allocation, n_other, sizeof *side->other_at);
        const size_t n_seeds = (size_t)own->n_sets * other->n_sets * (size_t)other->n_runs;
        side->value = allocation_take(allocation, n_planes * WORD_CELLS, sizeof(value_t));
        side->events = allocation_take(allocation, n_seeds, sizeof *side->events);
    } else {
        side->won = allocation_take(allocation, n_planes, sizeof(cells_t));
        side->fresh = allocation_take(allocation, n_planes, sizeof(cells_t));
        side->fresh_strip = allocation_take(allocation, side->n_strips + 1, 1);
        if (own->has_runs || other->has_runs)
            side->spread = allocation_take(allocation, fast_keys_spread(side), sizeof(uint64_t));
    }
}

void fast_side_fill(struct fast_side *side)
{
    const struct layout *own = side->own;
    const struct layout *other = side->other;
    for (uint32_t set = 0; set < own->n_sets && own->n_kings > 0; set++) {
        for (int run = 0; run < own->n_runs; run++) {
            const size_t king = (size_t)run_king(run);
            const size_t plane = (size_t)run_count(run);
            const size_t at = set * (size_t)own->n_kings + king;
            side->own_at[set * (size_t)own->n_runs + (size_t)run] =
                (plane * side->n_words + own->set_others[at]) * WORD_CELLS + own->set_cell[at];
        }
    }
    for (size_t i = 0; i < other->n_sets * (size_t)other->n_runs; i++)
        side->other_at[i] = (size_t)other->config_of_run[i] * own->n_others * WORD_CELLS;
}

/* --- a frame begins --------------------------------------------------------------------------- */

/* `open` of all words. */
static void start_strips(struct fast_side *side)
{
    const struct layout *own = side->own;
    const struct layout *other = side->other;

    for (uint32_t strip = 0; strip < side->n_strips; strip++) {
        const uint32_t set = other->config_set[strip];
        for (int plane = 0; plane < own->n_planes; plane++) {
            cells_t *open =
                side->open + (size_t)plane * side->n_words + (size_t)strip * own->n_others;
            memcpy(open, side->quiet + (size_t)set * own->n_others, own->n_others * sizeof *open);
        }
    }
}

void fast_side_start(struct solver *solver, const struct frame *frame, int to_move)
{
    struct fast_side *side = &solver->side[to_move];
    const size_t n_planes = (size_t)side->own->n_planes * side->n_words;

    fast_clear(solver, side);
    if (side->fresh_strip != NULL)
        memset(side->fresh_strip, 0, side->n_strips + 1);
    if (side->own->n_kings == 0)
        return; /* nothing to solve: the seeds are the values */
    fast_words_quiet(solver, frame, to_move);
    start_strips(side);
    if (side->value != NULL) {
        memset(side->value, VALUE_DRAW, n_planes * WORD_CELLS);
    } else {
        memset(side->won, 0, n_planes * sizeof *side->won);
        memset(side->fresh, 0, n_planes * sizeof *side->fresh);
    }
}
