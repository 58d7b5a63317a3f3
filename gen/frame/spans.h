/* The placements of a material in spans: those of a span differ in Black's kings only, so that their
 * indices follow each other, and the other pieces are placed once a span. Spans come in parts, to be
 * shared out to threads. */
#ifndef EINSPUL_GEN_FRAME_SPANS_H
#define EINSPUL_GEN_FRAME_SPANS_H

#include "core/rank.h"

struct spans {
    const struct shape *shape;
    squares_t *men[2]; /* by side, rank */
    squares_t *kings[2];
    uint64_t n_spans;
    uint64_t per_part;
    int64_t n_parts;
};

/* NO_MEMORY leaves nothing behind. */
enum status spans_init(struct spans *spans, const struct shape *shape);
void spans_free(struct spans *spans);

struct span {
    uint64_t first; /* placement index */
    uint32_t men[2];
    uint32_t white_kings;
    uint64_t n_left; /* spans of the part, this one included */
};

static inline struct span part_start(const struct spans *spans, int64_t part)
{
    const struct shape *shape = spans->shape;
    const uint64_t number = (uint64_t)part * spans->per_part;
    const uint64_t frame = number / shape->n_king_sets[WHITE];
    const uint64_t n_behind = spans->n_spans - number;
    const struct span span = {
        .first = number * shape->n_king_sets[BLACK],
        .men = {(uint32_t)(frame / shape->n_men_sets[BLACK]),
                (uint32_t)(frame % shape->n_men_sets[BLACK])},
        .white_kings = (uint32_t)(number % shape->n_king_sets[WHITE]),
        .n_left = n_behind < spans->per_part ? n_behind : spans->per_part,
    };
    return span;
}

static inline void span_next(const struct spans *spans, struct span *span)
{
    span->n_left--;
    span->first += spans->shape->n_king_sets[BLACK];
    if (++span->white_kings < spans->shape->n_king_sets[WHITE])
        return;
    span->white_kings = 0;
    if (++span->men[BLACK] < spans->shape->n_men_sets[BLACK])
        return;
    span->men[BLACK] = 0;
    span->men[WHITE]++;
}

/* The squares taken before Black's kings come; false when two pieces share one. */
static inline bool span_taken(const struct spans *spans, const struct span *span, squares_t *taken)
{
    const squares_t white = spans->men[WHITE][span->men[WHITE]];
    const squares_t black = spans->men[BLACK][span->men[BLACK]];
    const squares_t kings = spans->kings[WHITE][span->white_kings];
    *taken = white | black | kings;
    return ((white & black) | ((white | black) & kings)) == 0;
}

#endif
