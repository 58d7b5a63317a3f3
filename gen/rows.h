/* The placements of a material in rows: those of a row differ in Black's kings only, so that their
 * indices follow each other, and the other pieces are placed once a row. Rows come in parts, to be
 * shared out to threads. */
#ifndef EINSPUL_GEN_ROWS_H
#define EINSPUL_GEN_ROWS_H

#include "core/rank.h"

struct rows {
    const struct shape *shape;
    squares_t *men[2]; /* by side, rank */
    squares_t *kings[2];
    uint64_t n_rows;
    uint64_t per_part;
    int64_t n_parts;
};

/* NO_MEMORY leaves nothing behind. */
enum status rows_init(struct rows *rows, const struct shape *shape);
void rows_free(struct rows *rows);

struct row {
    uint64_t first; /* placement index */
    uint32_t men[2];
    uint32_t white_kings;
    uint64_t n_left; /* rows of the part, this one included */
};

static inline struct row part_start(const struct rows *rows, int64_t part)
{
    const struct shape *shape = rows->shape;
    const uint64_t number = (uint64_t)part * rows->per_part;
    const uint64_t frame = number / shape->n_king_sets[WHITE];
    const uint64_t n_behind = rows->n_rows - number;
    const struct row row = {
        .first = number * shape->n_king_sets[BLACK],
        .men = {(uint32_t)(frame / shape->n_men_sets[BLACK]),
                (uint32_t)(frame % shape->n_men_sets[BLACK])},
        .white_kings = (uint32_t)(number % shape->n_king_sets[WHITE]),
        .n_left = n_behind < rows->per_part ? n_behind : rows->per_part,
    };
    return row;
}

static inline void row_next(const struct rows *rows, struct row *row)
{
    row->n_left--;
    row->first += rows->shape->n_king_sets[BLACK];
    if (++row->white_kings < rows->shape->n_king_sets[WHITE])
        return;
    row->white_kings = 0;
    if (++row->men[BLACK] < rows->shape->n_men_sets[BLACK])
        return;
    row->men[BLACK] = 0;
    row->men[WHITE]++;
}

/* The squares taken before Black's kings come; false when two pieces share one. */
static inline bool row_taken(const struct rows *rows, const struct row *row, squares_t *taken)
{
    const squares_t white = rows->men[WHITE][row->men[WHITE]];
    const squares_t black = rows->men[BLACK][row->men[BLACK]];
    const squares_t kings = rows->kings[WHITE][row->white_kings];
    *taken = white | black | kings;
    return ((white & black) | ((white | black) & kings)) == 0;
}

#endif
