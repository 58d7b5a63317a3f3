/* Seeds of many placements at once.
 *
 * A frame is divided into lines: consecutive placements, which differ only in the square of one
 * side's lowest king. capture_lines.c finds the squares of a line with a capture in a few
 * operations. Only those placements are searched for captures, all of a line at once
 * (seed_captures.c), among pairs of pieces of which one can jump over the other: a table lists which
 * squares must be empty for that.
 *
 * Successors are looked up for all runs of the other side at once: the smallest of their values for
 * the other side is best for the side that moves. A man move leads to a frame of the same material
 * with the same kings, so king indices map to king indices, and a promotion adds a king to one set;
 * both are set up once per frame (seed_targets.c). After a capture the index of the remaining
 * pieces differs only in the end square of the capturing piece. */
#include "gen/seeds/seeds.h"
#include "core/program/extensions.h"

#include "core/program/index.h"
#include "gen/seeds/seed_captures.h"
#include "gen/seeds/seed_men.h"
#include "gen/seeds/seed_targets.h"

#include <omp.h>
#include <stdlib.h>

enum { PARTS_PER_THREAD = 16 };

/* A man move for a line: the part of the target's index that depends on the line's king. */
struct line_move {
    squares_t to;
    bool is_contiguous; /* as in struct man_move */
    const struct target *target;
    uint64_t base;
    const uint32_t *rank; /* by place in the line */
    uint64_t stride;
};

/* --- lines ------------------------------------------------------------------------------------ */

/* Squares of the line's king for which the side to move has a capture. */
static squares_t line_captures(const struct seeder *seeder, const struct line *line)
{
    const struct rules *rules = seeder->context->rules;
    const cells_t cells =
        capture_cells(rules, &line->stationary, seeder->tables->cells, line->side, seeder->side);
    return stationary_captures(seeder->tables, seeder->frame->men, line->kings, seeder->side) |
           squares_of_cells(&rules->board, cells);
}

static unsigned all_kings(const struct seeder *seeder)
{
    return (1u << seeder->context->shape.material.kings[seeder->other]) - 1;
}

static void min_with_bytes(size_t n, const value_t *restrict values, value_t *restrict min_values)
{
    for (size_t i = 0; i < n; i++)
        min_values[i] = smaller(values[i], min_values[i]);
}

/* The same of values that are bits. */
static void min_with_bits_of(const struct seeder *seeder, size_t n, const struct chunk *chunk,
                             uint64_t first, const struct runs_after *runs, value_t *min_values)
{
    const uint64_t *entry_bits = chunk->entry_bits;
    const uint8_t *narrow = chunk->number + first;
    const uint16_t *wide = (const uint16_t *)(const void *)chunk->number + first;
    const size_t n_bytes = sizeof *entry_bits;
    if (runs->same && !chunk->wide)
        for (size_t i = 0; i < n; i++)
            min_with_bits(min_values + i * n_bytes, entry_bits[narrow[i]]);
    else
        for (size_t i = 0; i < n; i++)
            min_with_bits(min_values + i * n_bytes,
                          bits_before(seeder, runs, entry_bits[chunk->wide ? wide[i] : narrow[i]]));
}

/* The simple case: consecutive targets in one chunk, with bits, or with one value each, which is the
 * number: with men there is no limit of moves. Updates all places but the one the man moves to,
 * quiet or not, without branches. False if the case does not apply. */
static bool min_with_contiguous(struct seeder *seeder, const struct line_move *move,
                                int n_placements, value_t *min_values)
{
    const uint64_t first = move->base + move->rank[0];
    const size_t n_bytes = seeder->value_bytes;
    value_t *not_there = min_values + (size_t)bits_first(move->to) * n_bytes;
    value_t kept[sizeof(uint64_t)];
    if (!move->is_contiguous ||
        (!seeder->has_bits && move->target->solved->shape.n_rule_states > 1) ||
        (first + (uint64_t)n_placements - 1) >> PAGE_SHIFT != first >> PAGE_SHIFT)
        return false;
    const struct chunk *chunk = target_chunk(seeder, move->target, first);
    if (chunk == NULL || (seeder->has_bits && chunk->entry_bits == NULL))
        return false;
    memcpy(kept, not_there, n_bytes);
    const size_t n = (size_t)n_placements;
    if (seeder->has_bits) {
        const struct runs_after runs = runs_after(seeder, move->target, all_kings(seeder));
        min_with_bits_of(seeder, n, chunk, first % PAGE_CAPACITY, &runs, min_values);
    } else {
        min_with_bytes(n, chunk->number + first % PAGE_CAPACITY, min_values);
    }
    memcpy(not_there, kept, n_bytes);
    return true;
}

/* Lowers the values of places by those that a man move leads to. */
static void min_with_move(struct seeder *seeder, const struct line_move *move, squares_t places,
                          value_t *min_values)
{
    const struct runs_after runs = runs_after(seeder, move->target, all_kings(seeder));
    const struct chunk *chunk = NULL;
    uint64_t page = UINT64_MAX;

    for (places &= ~move->to; places != 0; places &= places - 1) {
        const int place = bits_first(places);
        const uint64_t address = move->base + move->rank[place] * move->stride;
        if (address >> PAGE_SHIFT != page) {
            page = address >> PAGE_SHIFT;
            chunk = target_chunk(seeder, move->target, address);
            if (chunk == NULL)
                return;
        }
        min_with_values(seeder, move->target, chunk, address, &runs,
                        min_values + (size_t)place * seeder->value_bytes);
    }
}

/* As put_bits, for all places of a line; those that are not quiet do not count yet. */
static void put_keys(struct seeder *seeder, const struct line *line,
                     const value_t *restrict min_values)
{
    uint64_t *restrict keys = seeder->frame->seed_key[seeder->side] + line->first;
    const uint64_t runs = seeder->runs;
    for (size_t i = 0; i < (size_t)line->n_placements; i++)
        keys[i] = key_of_bits(runs, bytes_word(min_values + i * sizeof *keys, sizeof *keys));
}

/* The same with one value each. */
static void put_values(struct seeder *seeder, const struct line *line, squares_t quiet,
                       const value_t *restrict min_values)
{
    value_t *restrict seed = seeder->frame->seed[seeder->side] + line->first;
    const size_t n = (size_t)line->n_placements;
    bool too_long = false;
    if (seeder->context->metric == EINSPUL_WDL) {
        for (size_t i = 0; i < n; i++)
            seed[i] = value_without_distance(value_before(min_values[i]));
        return;
    }
    for (size_t i = 0; i < n; i++)
        seed[i] = value_before(min_values[i]);
    for (size_t i = 0; i < n; i++)
        too_long |= min_values[i] == VALUE_LONGEST_WIN;
    for (; too_long && quiet != 0; quiet &= quiet - 1)
        put_seed(seeder, line->first + (uint64_t)bits_first(quiet), min_values + bits_first(quiet));
}

/* Seeds, from man moves, the placements of a line without a capture: `quiet` are the squares of the
 * line's king, at least one. */
static void seed_man_moves(struct seeder *seeder, const struct line *line, squares_t quiet)
{
    const enum side side = line->side;
    const enum side stationary = side_other(side);
    value_t min_values[MAX_SQUARES * MAX_RUNS]; /* by place, run */

    memset(min_values, VALUE_NONE, (size_t)line->n_placements * seeder->value_bytes);
    for (int i = 0; i < seeder->n_man_moves; i++) {
        const struct man_move *move = &seeder->man_moves[i];
        if ((move->to & line->taken) != 0)
            continue;
        const struct line_move here = {
            .to = move->to,
            .is_contiguous = move->is_contiguous,
            .target = move->target,
            .base = move->base +
                    move->rank[stationary][line->rank[stationary]] * move->stride[stationary],
            .rank = move->rank[side] + line->rank[side],
            .stride = move->stride[side],
        };
        if (!min_with_contiguous(seeder, &here, line->n_placements, min_values))
            min_with_move(seeder, &here, quiet, min_values);
    }
    if (seeder->has_bits && seeder->context->has_keys) {
        put_keys(seeder, line, min_values);
        return;
    }
    if (seeder->value_bytes == 1 && !seeder->context->large) {
        put_values(seeder, line, quiet, min_values);
        return;
    }
    for (; quiet != 0; quiet &= quiet - 1) {
        const int place = bits_first(quiet);
        put_seed(seeder, line->first + (uint64_t)place,
                 min_values + (size_t)place * seeder->value_bytes);
    }
}

/* The low eight bits as bytes, of which the first is the lowest. */
static inline uint64_t bits_spread(uint64_t bits)
{
    const uint64_t ones = 0x0101010101010101u;
    return ((((bits & 0xff) * ones & 0x8040201008040201u) + 0x7f * ones) >> 7) & ones;
}

static void classes_write(uint8_t *class_of, const struct line *line, squares_t captures,
                          squares_t quiet)
{
    uint8_t classes[64];
    for (int i = 0; i < 64; i += 8)
        store_u64(classes + i, bits_spread(captures >> i) * CLASS_CAPTURE +
                                   bits_spread(quiet >> i) * CLASS_QUIET);
    memcpy(class_of, classes, (size_t)line->n_placements);
}

/* Sets bits of a large frame, from bit `first` on; they are 0 before. Other threads may be writing
 * to the same words. */
static void bits_write(const struct frame *frame, uint64_t *bits, uint64_t first, squares_t set)
{
    const unsigned shift = first % 64;
    const uint64_t beyond = shift > 0 ? set >> (64 - shift) : 0;
    if (frame->n_threads == 1) {
        bits[first / 64] |= set << shift;
        bits[first / 64 + 1] |= beyond;
        return;
    }
    ATOMIC_OR(&bits[first / 64], set << shift);
    if (beyond != 0)
        ATOMIC_OR(&bits[first / 64 + 1], beyond);
}

/* Squares of the line's king for which the placement is possible and wanted. */
static squares_t line_wanted(const struct seeder *seeder, const struct line *line)
{
    if (frame_needs(seeder->frame, (int)seeder->side, line->kings[seeder->other]))
        return line->free;
    return line->side == seeder->other ? line->free & seeder->context->promotion[seeder->other] : 0;
}

static void seed_line(struct seeder *seeder, const struct line *line)
{
    const squares_t wanted = line_wanted(seeder, line);
    const squares_t captures = wanted == 0 ? 0 : wanted & line_captures(seeder, line);
    const squares_t quiet = wanted & ~captures;

    if (seeder->context->large) {
        const size_t n_runs = (size_t)seeder->n_runs;
        value_t *seed = seeder->frame->seed[seeder->side] + line->first * n_runs;
        bits_write(seeder->frame, seeder->frame->capture[seeder->side], line->first, captures);
        bits_write(seeder->frame, seeder->frame->quiet[seeder->side], line->first, quiet);
        memset(seed, VALUE_DRAW, (size_t)line->n_placements * n_runs);
    } else {
        classes_write(seeder->frame->class_of[seeder->side] + line->first, line, captures, quiet);
    }
    const bool has_men = seeder->context->shape.material.men[seeder->side] > 0;
    if (quiet != 0 && !seeder->frame->captures_only && (has_men || !seeder->context->large))
        seed_man_moves(seeder, line, quiet);
    if (captures != 0)
        seed_captures(seeder, line, captures);
}

/* --- a frame ---------------------------------------------------------------------------------- */

static bool seeder_start(struct seeder *seeder, const struct frame *frame, int thread,
                         einspul_error *error)
{
    seeder_begin(seeder, frame, thread, error);
    return !frame->context->has_kings || man_moves_find(seeder);
}

/* All lines with one king set of the stationary side; `side` has the line's king. In a folded frame
 * that side is to move, and `number` is the orbit of the set; else it is the set's rank. */
static void seed_set(struct seeder *seeders, enum side side, uint32_t number)
{
    const struct frame *frame = seeders->frame;
    const struct frame_context *context = frame->context;
    const struct board *board = &context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const enum side stationary = side_other(side);
    const uint32_t set =
        context->folded ? context->orbits[stationary].representative[number] : number;
    const uint32_t n_sets = context->shape.n_king_sets[side];
    struct line line = {.side = side};
    const bool possible = (context->king_sets[stationary][set] & men) == 0;

    line.rank[stationary] = set;
    line.kings[stationary] = context->king_sets[stationary][set];
    for (int s = WHITE; s <= BLACK; s++)
        line.stationary.men[s] = cells_of_squares(board, frame->men[s]);
    line.stationary.kings[stationary] = cells_of_squares(board, line.kings[stationary]);
    for (uint32_t rank = 0; rank < n_sets; rank += (uint32_t)line.n_placements) {
        const squares_t lowest = context->king_sets[side][rank];
        line.first = (uint64_t)number * n_sets + rank;
        line.rank[side] = rank;
        line.kings[side] = lowest & (lowest - 1);
        line.n_placements = line.kings[side] == 0 ? board->n_squares : bits_first(line.kings[side]);
        line.taken = men | line.kings[WHITE] | line.kings[BLACK];
        line.free = 0;
        if (possible && (line.kings[side] & (men | line.kings[stationary])) == 0)
            line.free = ~line.taken & (square_bit(line.n_placements) - 1);
        line.stationary.kings[side] = cells_of_squares(board, line.kings[side]);
        for (int s = WHITE; s <= BLACK; s++)
            if (!context->folded || s == (int)side)
                seed_line(&seeders[s], &line);
    }
}

/* The sets of the stationary side; folded, the orbits: of Black, then of White. */
static uint32_t stationary_sets(const struct frame_context *context)
{
    if (context->folded)
        return context->orbits[BLACK].n + (context->n_sides > 1 ? context->orbits[WHITE].n : 0);
    return context->shape.material.kings[BLACK] > 0 ? context->shape.n_king_sets[WHITE] : 1;
}

/* The lines with sets first .. last - 1 of stationary_sets. */
static einspul_status seed_sets(struct frame *frame, struct seeder *seeders, int thread,
                                uint32_t first, uint32_t last, einspul_error *error)
{
    const struct material *material = &frame->context->shape.material;
    const uint32_t n_white = frame->context->folded ? frame->context->orbits[BLACK].n : 0;
    seeders += 2 * thread;
    const bool ready = seeder_start(&seeders[WHITE], frame, thread, error) &&
                       seeder_start(&seeders[BLACK], frame, thread, error);

    for (uint32_t set = first; ready && set < last && !frame_is_stopped(frame); set++) {
        chunk_reader_quiesce(frame->readers[thread]);
        if (set < n_white || (material->kings[BLACK] == 0 && material->kings[WHITE] > 0))
            seed_set(seeders, WHITE, set);
        else if (material->kings[BLACK] > 0)
            seed_set(seeders, BLACK, set - n_white);
        else
            for (int side = WHITE; side <= BLACK; side++)
                seed_men(&seeders[side]);
    }
    chunk_reader_offline(frame->readers[thread]);
    return seeders[WHITE].status != EINSPUL_OK ? seeders[WHITE].status : seeders[BLACK].status;
}

static void clear_bits(struct frame *frame)
{
    for (int side = WHITE; side < frame->context->n_sides; side++) {
        const size_t n = (size_t)frame_places(frame->context, side) / 64 + 2;
        memset(frame->quiet[side], 0, n * sizeof *frame->quiet[side]);
        memset(frame->capture[side], 0, n * sizeof *frame->capture[side]);
    }
}

static einspul_status line_seeds_make(void *seeders, struct frame *frame, einspul_error *error)
{
    const uint32_t n_sets = stationary_sets(frame->context);
    einspul_status status = EINSPUL_OK;

    if (frame->context->large)
        clear_bits(frame);
    if (frame->n_threads == 1)
        status = seed_sets(frame, seeders, 0, 0, n_sets, error);
    if (frame->n_threads == 1)
        return status == EINSPUL_OK ? frame_check_stop(frame, error) : status;
    const uint32_t per_part = n_sets / (PARTS_PER_THREAD * (uint32_t)frame->n_threads) + 1;
#pragma omp parallel for num_threads(frame->n_threads) schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_sets; first += per_part) {
        const uint32_t last = n_sets - first < per_part ? n_sets : first + per_part;
        einspul_error mine = {EINSPUL_OK, ""};
        const einspul_status one =
            seed_sets(frame, seeders, omp_get_thread_num(), first, last, &mine);
        if (one != EINSPUL_OK) {
#pragma omp critical(line_seeds_error)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status == EINSPUL_OK ? frame_check_stop(frame, error) : status;
}

static einspul_status line_seeds_create(const struct frame_context *context, int n_threads,
                                        void **result)
{
    struct seeder *seeders = calloc(2 * (size_t)n_threads, sizeof *seeders);
    *result = seeders;
    if (seeders == NULL)
        return EINSPUL_NO_MEMORY;
    for (int i = 0; i < 2 * n_threads; i++) {
        struct seeder *seeder = &seeders[i];
        seeder->context = context;
        seeder->tables = context->seed_tables;
        seeder->side = (enum side)(i % 2);
        seeder->other = side_other(seeder->side);
        seeder->n_runs = context->shape.n_runs[seeder->other];
        seeder->runs = ((uint64_t)1 << seeder->n_runs) - 1;
        seeder->has_bits = context->metric == EINSPUL_WDL && context->shape.n_rule_states > 1;
        seeder->value_bytes = seeder->has_bits ? sizeof(uint64_t) : (size_t)seeder->n_runs;
        seeder->one_enemy = context->shape.material.men[seeder->other] +
                                context->shape.material.kings[seeder->other] ==
                            1;
        worths_init(seeder);
    }
    return EINSPUL_OK;
}

static uint64_t line_seeds_bytes(int n_threads)
{
    return 2 * (uint64_t)n_threads * sizeof(struct seeder);
}

const struct seed_ops line_seeds = {
    .create = line_seeds_create,
    .bytes = line_seeds_bytes,
    .make = line_seeds_make,
    .make_men = seed_men_page,
};
