/* Solved materials: a page table for each, filled in as pages are solved; and look-ups one
 * placement at a time, for clock_solver.c and the tests' oracle. The pager decides which chunks
 * stay in memory. */
#include "gen/values/store.h"

#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"

#include <stdlib.h>
#include <string.h>

einspul_status solved_create(const struct rules *rules, const struct material *material,
                             einspul_metric metric, enum frame_order_kind kind, struct pager *pager,
                             struct solved **result)
{
    struct solved *solved = calloc(1, sizeof *solved);
    *result = NULL;
    if (solved == NULL)
        return EINSPUL_NO_MEMORY;
    shape_init(&solved->shape, rules, material);
    solved->metric = metric;
    solved->limit = material_has_two_kings_limit(rules, material) ? rules->two_kings_limit : 0;
    if (frame_order_create(&solved->order, rules, &solved->shape, kind) == EINSPUL_OK) {
        const struct frame_order *order = &solved->order;
        const struct shape *shape = &solved->shape;
        const enum side second = order->n_sides > 1 && !order->twins ? BLACK : WHITE;
        struct chunk_form form = {
            .n_rule_states = shape->n_rule_states,
            .limit = solved->limit,
            .n_pages_a_side = order->n_pages,
            .run_stride = {shape->n_runs[BLACK], second == WHITE ? shape->n_runs[BLACK] : 1}};
        for (int i = 0; i < 2 && metric == EINSPUL_WDL && shape->n_rule_states > 1; i++)
            form.n_runs[i] = shape->n_runs[i == 0 ? WHITE : second];
        solved->black_offset = order->n_pages << PAGE_SHIFT;
        if (pages_create(pager, material, &form, order->n_pages * (uint64_t)order->n_sides,
                         &solved->pages) == EINSPUL_OK) {
            solved->chunks = solved->pages->chunks;
            *result = solved;
            return EINSPUL_OK;
        }
    }
    solved_destroy(solved);
    return EINSPUL_NO_MEMORY;
}

void solved_destroy(struct solved *solved)
{
    if (solved == NULL)
        return;
    pages_destroy(solved->pages, solved->stop != NULL && *solved->stop != 0);
    frame_order_free(&solved->order);
    free(solved);
}

uint64_t solved_bytes(const struct shape *shape)
{
    const uint64_t n_pages = 2 * shape->n_placements / (PAGE_CAPACITY / 2) + 2 * MAX_LEVELS;
    return frame_order_bytes(shape) + pages_bytes(n_pages);
}

void store_set(struct store *store, const struct material *material, struct solved *solved)
{
    store->by_counts[material->men[WHITE]][material->kings[WHITE]][material->men[BLACK]]
                    [material->kings[BLACK]] = solved;
}

struct solved *store_get(const struct store *store, const struct material *material)
{
    return store->by_counts[material->men[WHITE]][material->kings[WHITE]][material->men[BLACK]]
                           [material->kings[BLACK]];
}

einspul_status store_require(const struct store *store, const struct material *material,
                             const struct solved **solved, einspul_error *error)
{
    *solved = store_get(store, material);
    return *solved != NULL ? EINSPUL_OK
                           : error_set(error, EINSPUL_NO_TABLE, "%s is required but not solved",
                                       material_name(material).text);
}

einspul_status store_find(const struct store *store, struct chunk_reader *reader,
                          const struct placement *placement, struct placement_values *found,
                          einspul_error *error)
{
    struct placement at = *placement;
    struct material material = material_of(placement);
    const struct chunk *chunk = NULL;

    found->flipped = !material_is_canonical(&material) ||
                     (material_is_symmetric(&material) && placement->side == BLACK);
    if (found->flipped) {
        at = placement_flip(&store->rules->board, placement);
        material = material_flip(&material);
    }
    const struct solved *solved = NULL;
    einspul_status status = store_require(store, &material, &solved, error);
    if (status != EINSPUL_OK)
        return status;
    found->stride = at.side == WHITE ? solved->shape.n_runs[BLACK] : 1;
    const uint64_t address =
        solved_address(solved, (int)at.side, at.men) + shape_kings(&solved->shape, &at);
    status = solved_fetch_chunk(solved, reader, false, address, &chunk, error);
    if (status == EINSPUL_OK)
        found->values = chunk_entry(chunk, address, solved->shape.n_rule_states);
    return status;
}
