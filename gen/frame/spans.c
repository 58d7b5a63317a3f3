/* The lists of sets that spans walk over, and their division into parts. */
#include "gen/frame/spans.h"

#include "gen/frame/sets.h"
#include "gen/system/allocation.h"

#include <stdlib.h>

enum { PART_PLACEMENTS = 65536 };

void spans_free(struct spans *spans)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(spans->men[side]);
        free(spans->kings[side]);
    }
}

enum status spans_init(struct spans *spans, const struct shape *shape)
{
    const struct material *material = &shape->material;
    struct allocation allocation = {0};

    spans->shape = shape;
    for (int side = WHITE; side <= BLACK; side++) {
        const uint32_t n_men = shape->n_men_sets[side];
        const uint32_t n_kings = shape->n_king_sets[side];
        spans->men[side] = allocation_take(&allocation, n_men, sizeof(squares_t));
        spans->kings[side] = allocation_take(&allocation, n_kings, sizeof(squares_t));
    }
    if (allocation.failed) {
        spans_free(spans);
        return STATUS_NO_MEMORY;
    }
    for (int side = WHITE; side <= BLACK; side++) {
        sets_list(spans->men[side], shape->n_men_sets[side], material->men[side],
                  shape->man_offset[side]);
        sets_list(spans->kings[side], shape->n_king_sets[side], material->kings[side], 0);
    }
    spans->n_spans = shape->n_frames * shape->n_king_sets[WHITE];
    spans->per_part = PART_PLACEMENTS / shape->n_king_sets[BLACK] + 1;
    spans->n_parts = (int64_t)((spans->n_spans + spans->per_part - 1) / spans->per_part);
    return STATUS_OK;
}
