#include "gen/rows.h"

#include "gen/allocation.h"
#include "gen/sets.h"

#include <stdlib.h>

enum { PART_PLACEMENTS = 65536 };

void rows_free(struct rows *rows)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(rows->men[side]);
        free(rows->kings[side]);
    }
}

enum status rows_init(struct rows *rows, const struct shape *shape)
{
    const struct material *material = &shape->material;
    struct allocation allocation = {0};

    rows->shape = shape;
    for (int side = WHITE; side <= BLACK; side++) {
        const uint32_t n_men = shape->n_men_sets[side];
        const uint32_t n_kings = shape->n_king_sets[side];
        rows->men[side] = allocation_take(&allocation, n_men, sizeof(squares_t));
        rows->kings[side] = allocation_take(&allocation, n_kings, sizeof(squares_t));
    }
    if (allocation.failed) {
        rows_free(rows);
        return STATUS_NO_MEMORY;
    }
    for (int side = WHITE; side <= BLACK; side++) {
        sets_list(rows->men[side], shape->n_men_sets[side], material->men[side],
                  shape->man_offset[side]);
        sets_list(rows->kings[side], shape->n_king_sets[side], material->kings[side], 0);
    }
    rows->n_rows = shape->n_frames * shape->n_king_sets[WHITE];
    rows->per_part = PART_PLACEMENTS / shape->n_king_sets[BLACK] + 1;
    rows->n_parts = (int64_t)((rows->n_rows + rows->per_part - 1) / rows->per_part);
    return STATUS_OK;
}
