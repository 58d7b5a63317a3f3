/* Values of solved materials. */
#include "tests/support/solved_values.h"

#include <stdlib.h>
#include <string.h>

const value_t *solved_values(const struct solved *solved, int side, uint64_t index)
{
    const struct shape *shape = &solved->shape;
    const uint64_t frame = index / shape->frame_size;
    const uint64_t address =
        solved_frame_address(solved, side, (uint32_t)(frame / shape->n_men_sets[BLACK]),
                             (uint32_t)(frame % shape->n_men_sets[BLACK])) +
        index % shape->frame_size;
    const struct chunk *chunk = solved_cached_chunk(solved, address);
    return chunk == NULL ? NULL : chunk_values(chunk, address, shape->n_rule_states);
}

static uint32_t page_placements(const struct solved *solved, uint64_t page)
{
    const struct frame_order *order = &solved->order;
    page %= order->n_pages;
    if (order->frame_pages > 1) {
        const uint64_t slice = page % order->frame_pages;
        const uint64_t left = order->frame_size - slice * PAGE_CAPACITY;
        return left < PAGE_CAPACITY ? (uint32_t)left : PAGE_CAPACITY;
    }
    return (uint32_t)(order->frame_size << order->frames_shift);
}

einspul_status solved_fill(struct solved *solved, const value_t *values, einspul_error *error)
{
    const size_t length = (size_t)solved->shape.n_rule_states;
    einspul_status status = EINSPUL_OK;
    for (uint64_t page = 0; page < solved->pages->n && status == EINSPUL_OK; page++) {
        const uint32_t n = page_placements(solved, page);
        const struct chunk_form *form = &solved->pages->form;
        struct chunk *chunk = chunk_new(form, n, length > 1 ? 1 : 256);
        if (chunk == NULL)
            return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for values");
        memset(chunk->number, length > 1 ? 0 : values[0], n);
        if (length > 1)
            memcpy(chunk_mutable_values(chunk), values, length);
        chunk_finish(chunk, form, page);
        status = pages_add(solved->pages, NULL, page, chunk, error);
        if (status != EINSPUL_OK)
            chunk_free(chunk);
    }
    return status;
}
