/* A row is all placements with one set of White's men; their indices are consecutive. A king's move stays
 * in its frame, a move of Black's men in its row, and a move of White's men leads to a lower row, not far
 * below. So rows are decoded in order, a band of them at a time, and the last ones kept:
 *
 *   of every placement of the band, for both sides to move: values from the table, or from its captures
 *   (verify/resolved.h); then each value without a capture is compared with those that king moves, along
 *   their rays, and moves of men lead to. Promotions are probed.
 *
 * Values are kept by run of the side that has just moved, then by run of the side to move: moves of one
 * king with counts 1, 2 and 3 then lead to consecutive values, one for each run of the other side. The
 * best move is the one with the least value, which is taken of all these at once.
 *
 * A placement of which a value differs is verified again by probes (verify/verify_placement.h), whose
 * findings count. In symmetric material, where the table has White to move only, Black's values are those
 * of the placement with colours swapped; it needs all rows. */
#include "verify/verify_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/program/flip.h"
#include "table/block_cursor.h"
#include "table/block_values.h"
#include "table/table_open.h"
#include "verify/first_error.h"
#include "verify/placements.h"
#include "verify/resolved.h"

/* Placements of a band, enough for all threads, and of a thread's share of it. */
enum { BAND_PLACEMENTS = 1 << 18, SHARE_PLACEMENTS = 1 << 12 };

/* Values are read this many at a time, beyond the last one. */
enum { STEP = 8 };
enum { MAX_LEAST = (MAX_RUN_COUNT * MAX_RUNS + STEP - 1) / STEP * STEP };

struct rows {
    const struct verified *verified;
    const struct shape *shape;
    struct resolved_set resolved;
    int n_threads;
    double loop_share;  /* of the time, for progress */
    uint64_t row_size;  /* placements */
    uint32_t first, n;  /* the band's rows of White's men */
    uint32_t n_kept[2]; /* rows in memory, by side to move; row r is at r modulo that */
    value_t *values[2]; /* by side to move */
};

static value_t *placement_values(const struct rows *rows, enum side side, uint64_t index)
{
    const uint64_t row = index / rows->row_size % rows->n_kept[side];
    return rows->values[side] +
           (row * rows->row_size + index % rows->row_size) * (uint64_t)rows->shape->n_rule_states;
}

/* --- filling a band --------------------------------------------------------------------------- */

/* Stores the values of a placement with `side` to move, which the table orders by White's run. */
static void store_values(const struct shape *shape, enum side side, const value_t *from,
                         value_t *to)
{
    const int n_white = shape->n_runs[WHITE];
    const int n_black = shape->n_runs[BLACK];
    if (side == BLACK || n_white == 1 || n_black == 1) {
        memcpy(to, from, (size_t)shape->n_rule_states);
        return;
    }
    for (int white = 0; white < n_white; white++)
        for (int black = 0; black < n_black; black++)
            to[black * n_white + white] = from[white * n_black + black];
}

/* Stores the values of a placement with a capture: each run of the side that moved has one value, for
 * all runs of the side to move. */
static void store_captures(const struct shape *shape, enum side side, const value_t *by_other,
                           value_t *to)
{
    const int n_own = shape->n_runs[side];
    for (int run = 0; run < shape->n_runs[side_other(side)]; run++)
        memset(to + run * n_own, by_other[run], (size_t)n_own);
}

/* Fills in the placements of a block that belong to the band, from `first` to `last`. */
static einspul_status fill_block(const struct rows *rows, enum side side, uint64_t number,
                                 uint64_t first, uint64_t last, einspul_error *error)
{
    const struct shape *shape = rows->shape;
    const struct table *table = rows->verified->table;
    const uint64_t per_block = table->header.block_placements;
    const int n_other = shape->n_runs[side_other(side)];
    struct block_cursor cursor = {0};
    struct placements all;
    einspul_status status =
        block_cursor_go(&cursor, table, table_first_block(table, side) + number, error);
    placements_go(&all, shape, first, side);
    for (uint64_t i = first; i <= last && status == EINSPUL_OK; i++) {
        value_t *values = placement_values(rows, side, i);
        if (placements_possible(&all)) {
            value_t by_other[MAX_RUNS];
            if (!placement_has_capture(rows->verified->rules, &all.at)) {
                value_t stored[MAX_RULE_STATES];
                block_values(cursor.block, (uint32_t)(i - number * per_block), shape->n_rule_states,
                             stored);
                store_values(shape, side, stored, values);
            } else {
                status = resolved_captures(&rows->resolved, &all.at, n_other, by_other, error);
                if (status == EINSPUL_OK)
                    store_captures(shape, side, by_other, values);
            }
        }
        if (i < last)
            placements_next(&all);
    }
    block_cursor_free(&cursor);
    return status;
}

static einspul_status fill_stored(const struct rows *rows, enum side side, einspul_error *error)
{
    const uint64_t per_block = rows->verified->table->header.block_placements;
    const uint64_t first = rows->first * rows->row_size;
    const uint64_t last = first + rows->n * rows->row_size - 1;
    struct first_error failed;
    watch_phase(rows->verified->watch, rows->loop_share);
    first_error_init(&failed, rows->verified->watch, last / per_block - first / per_block + 1);
#pragma omp parallel for schedule(dynamic) num_threads(rows->n_threads)
    for (uint64_t number = first / per_block; number <= last / per_block; number++) {
        const uint64_t begin = number * per_block;
        const uint64_t end = begin + per_block - 1;
        einspul_error own = {EINSPUL_OK, ""};
        if (!first_error_precedes(&failed, number))
            first_error_keep(&failed, number,
                             fill_block(rows, side, number, begin > first ? begin : first,
                                        end < last ? end : last, &own),
                             &own);
    }
    return first_error_give(&failed, error);
}

/* Copies the values of the placement with colours swapped, which has White to move. */
static void swap_values(const struct rows *rows, const struct placements *all)
{
    const struct shape *shape = rows->shape;
    const int n_kings = shape->material.kings[WHITE];
    const int n_runs = shape->n_runs[WHITE];
    const struct placement at = placement_flip(&rows->verified->rules->board, &all->at);
    const value_t *from = placement_values(
        rows, WHITE, shape_frame(shape, &at) * shape->frame_size + shape_kings(shape, &at));
    value_t *to = placement_values(rows, BLACK, all->index);
    for (int moved = 0; moved < n_runs; moved++)
        for (int to_move = 0; to_move < n_runs; to_move++)
            to[moved * n_runs + to_move] =
                from[(moved > 0 ? run_index_flipped(moved, n_kings) : 0) * n_runs +
                     (to_move > 0 ? run_index_flipped(to_move, n_kings) : 0)];
}

/* Black's values in symmetric material, from White's of all rows. */
static void fill_swapped(const struct rows *rows)
{
    const uint64_t n = rows->shape->n_placements;
#pragma omp parallel for schedule(dynamic) num_threads(rows->n_threads)
    for (uint64_t first = 0; first < n; first += SHARE_PLACEMENTS) {
        const uint64_t last = n - first > SHARE_PLACEMENTS ? first + SHARE_PLACEMENTS - 1 : n - 1;
        struct placements all;
        if (watch_stopped(rows->verified->watch))
            continue;
        placements_go(&all, rows->shape, first, BLACK);
        for (uint64_t i = first; i <= last; i++) {
            if (placements_possible(&all))
                swap_values(rows, &all);
            if (i < last)
                placements_next(&all);
        }
    }
}

/* --- comparing -------------------------------------------------------------------------------- */

/* The least successors of a placement, by run of the other side. */
struct least {
    int n_other;                       /* runs of the other side */
    value_t men[MAX_LEAST];            /* of moves of men */
    value_t kings[MAX_SET][MAX_LEAST]; /* of moves of a king, by its count after the move */
};

static inline void lower(value_t *least, const value_t *values, int n)
{
    if (n == 1) {
        *least = *values < *least ? *values : *least;
        return;
    }
    for (int i = 0; i < n; i += STEP)
        for (int j = 0; j < STEP; j++)
            least[i + j] = values[i + j] < least[i + j] ? values[i + j] : least[i + j];
}

/* A promotion leads to another material. */
static einspul_status lower_by_promotion(const struct rows *rows, const struct placement *at,
                                         int from, int to, struct least *least,
                                         einspul_error *error)
{
    const struct state state = {.at = *at};
    const struct move move = {.from = (uint8_t)from,
                              .to = (uint8_t)to,
                              .promotes = true,
                              .n_path = 2,
                              .path = {(uint8_t)from, (uint8_t)to}};
    value_t values[MAX_RUNS + STEP];
    const einspul_status status = probe_after(rows->verified, &state, &move, values, error);
    for (int run = 0; status == EINSPUL_OK && run < least->n_other; run++)
        if (values[run] < least->men[run])
            least->men[run] = values[run];
    return status;
}

static einspul_status lower_by_men(const struct rows *rows, const struct placements *all,
                                   struct least *least, einspul_error *error)
{
    const struct shape *shape = rows->shape;
    const struct board *board = &rows->verified->rules->board;
    const struct placement *at = &all->at;
    const enum side side = at->side;
    const enum side other = side_other(side);
    const squares_t occupied = placement_occupied(at);
    const uint64_t kings = all->index % shape->frame_size;
    for (squares_t left = at->men[side]; left != 0; left &= left - 1) {
        const int from = bits_first(left);
        for (int i = 0; i < 2; i++) {
            const int to = board->next[(side == WHITE ? NORTH_WEST : SOUTH_WEST) + i][from];
            if (to == NO_SQUARE || (occupied & square_bit(to)) != 0)
                continue;
            if ((board->promotion[side] & square_bit(to)) != 0) {
                const einspul_status status = lower_by_promotion(rows, at, from, to, least, error);
                if (status != EINSPUL_OK)
                    return status;
                continue;
            }
            const squares_t men = at->men[side] ^ square_bit(from) ^ square_bit(to);
            const uint64_t own = set_rank(men >> shape->man_offset[side]);
            const uint64_t frame =
                side == WHITE ? own * shape->n_men_sets[BLACK] + all->men_rank[BLACK]
                              : all->men_rank[WHITE] * (uint64_t)shape->n_men_sets[BLACK] + own;
            lower(least->men, placement_values(rows, other, frame * shape->frame_size + kings),
                  least->n_other);
        }
    }
    return EINSPUL_OK;
}

static void lower_by_kings(const struct rows *rows, const struct placements *all,
                           struct least *least)
{
    const struct shape *shape = rows->shape;
    const struct board *board = &rows->verified->rules->board;
    const struct placement *at = &all->at;
    const enum side side = at->side;
    const bool has_runs = shape->n_runs[side] > 1;
    const int n_other = least->n_other;
    const int n = has_runs ? MAX_RUN_COUNT * n_other : n_other;
    const squares_t occupied = placement_occupied(at);
    const uint64_t weight = side == WHITE ? shape->n_king_sets[BLACK] : 1;
    const value_t *frame =
        placement_values(rows, side_other(side), all->index - all->king_rank[side] * weight);
    int king = 0;
    for (squares_t left = at->kings[side]; left != 0; left &= left - 1, king++) {
        const squares_t from = left & (0 - left);
        const squares_t rest = at->kings[side] ^ from;
        memset(least->kings[king], VALUE_NONE, MAX_LEAST);
        for (int direction = NORTH_WEST; direction <= SOUTH_EAST; direction++) {
            const int8_t *next = board->next[direction];
            for (int to = next[bits_first(from)];
                 to != NO_SQUARE && (occupied & square_bit(to)) == 0; to = next[to]) {
                const int before = bits_count(rest & (square_bit(to) - 1));
                const value_t *values = frame + set_rank(rest | square_bit(to)) * weight *
                                                    (uint64_t)shape->n_rule_states;
                lower(least->kings[king],
                      has_runs ? values + run_index_of(before, 1) * n_other : values, n);
                if (!rows->verified->rules->flying_kings)
                    break;
            }
        }
    }
}

/* The least successor by run of the other side, if the side to move has run `own`. */
static void least_of_run(const struct least *least, int n_kings, bool has_runs, int own,
                         value_t values[MAX_LEAST])
{
    const int n = least->n_other;
    memcpy(values, least->men, (size_t)n);
    for (int king = 0; king < n_kings; king++) {
        int count = 0; /* of its run */
        if (has_runs && own > 0 && run_king(own) == king)
            count = run_count(own);
        if (count < MAX_RUN_COUNT)
            for (int run = 0; run < n; run++) {
                const value_t value = least->kings[king][count * n + run];
                values[run] = value < values[run] ? value : values[run];
            }
    }
}

enum agreement { VALUES_AGREE, VALUES_DIFFER, VALUES_UNCERTAIN };

/* Compares the values of a placement; `stored` gets them in the order of the table. UNCERTAIN: a loss may
 * be too far away to be stored, which only probes reveal. */
static enum agreement compare_values(const struct rows *rows, const struct placements *all,
                                     const struct least *least, value_t *stored)
{
    const struct shape *shape = rows->shape;
    const enum side side = all->at.side;
    const int n_own = shape->n_runs[side];
    const int n_other = least->n_other;
    const value_t *values = placement_values(rows, side, all->index);
    bool agree = true;
    bool uncertain = false;
    for (int own = 0; own < n_own; own++) {
        value_t successors[MAX_LEAST];
        least_of_run(least, shape->material.kings[side], n_own > 1, own, successors);
        for (int run = 0; run < n_other; run++) {
            const value_t value = values[run * n_own + own];
            const value_t implied = rows->resolved.before[successors[run]];
            stored[side == WHITE ? own * n_other + run : run * n_own + own] = value;
            agree &= value == implied;
            uncertain |= implied == VALUE_DRAW - 1;
        }
    }
    return uncertain ? VALUES_UNCERTAIN : agree ? VALUES_AGREE : VALUES_DIFFER;
}

static einspul_status verify_one(const struct rows *rows, const struct placements *all,
                                 struct successors *work, struct findings *findings,
                                 einspul_error *error)
{
    const struct shape *shape = rows->shape;
    const enum side side = all->at.side;
    struct least least;
    value_t stored[MAX_RULE_STATES];
    least.n_other = shape->n_runs[side_other(side)];
    memset(least.men, VALUE_NONE, sizeof least.men);
    einspul_status status = lower_by_men(rows, all, &least, error);
    if (status != EINSPUL_OK)
        return status;
    lower_by_kings(rows, all, &least);
    const enum agreement agreement = compare_values(rows, all, &least, stored);
    if (agreement == VALUES_AGREE) {
        findings->report.n_states += (uint64_t)shape->n_rule_states;
        return EINSPUL_OK;
    }
    const uint64_t n_faults = findings->report.n_faults;
    status =
        verify_placement(rows->verified, work, &all->at, stored,
                         (side == WHITE ? 0 : shape->n_placements) + all->index, findings, error);
    if (status != EINSPUL_OK || agreement == VALUES_UNCERTAIN ||
        findings->report.n_faults > n_faults)
        return status;
    return error_set(error, EINSPUL_CORRUPT, "%s: values read and values probed disagree",
                     path_tail(rows->verified->table->path));
}

static einspul_status verify_share(const struct rows *rows, enum side side, uint64_t first,
                                   uint64_t last, struct findings *findings, einspul_error *error)
{
    struct successors work;
    struct placements all;
    einspul_status status = EINSPUL_OK;
    successors_init(&work);
    placements_go(&all, rows->shape, first, side);
    for (uint64_t i = first; i <= last && status == EINSPUL_OK; i++) {
        if (placements_possible(&all) && !placement_has_capture(rows->verified->rules, &all.at))
            status = verify_one(rows, &all, &work, findings, error);
        if (i < last)
            placements_next(&all);
    }
    successors_free(&work);
    return status;
}

static einspul_status verify_band(const struct rows *rows, enum side side,
                                  struct findings *findings, einspul_error *error)
{
    const uint64_t first = rows->first * rows->row_size;
    const uint64_t n = rows->n * rows->row_size;
    const uint64_t n_shares = (n + SHARE_PLACEMENTS - 1) / SHARE_PLACEMENTS;
    struct first_error failed;
    watch_phase(rows->verified->watch, rows->loop_share);
    first_error_init(&failed, rows->verified->watch, n_shares);
#pragma omp parallel for schedule(dynamic) num_threads(rows->n_threads)
    for (uint64_t share = 0; share < n_shares; share++) {
        const uint64_t begin = share * SHARE_PLACEMENTS;
        const uint64_t end = begin + SHARE_PLACEMENTS < n ? begin + SHARE_PLACEMENTS : n;
        struct findings found = {{0}, 0};
        einspul_error own = {EINSPUL_OK, ""};
        if (first_error_precedes(&failed, share))
            continue;
        first_error_keep(&failed, share,
                         verify_share(rows, side, first + begin, first + end - 1, &found, &own),
                         &own);
#pragma omp critical(verify_findings)
        findings_add(findings, &found);
    }
    return first_error_give(&failed, error);
}

/* --- the table -------------------------------------------------------------------------------- */

/* How many ranks lower a set of White's men may be after a move, that is by at most `steps` squares. */
static uint32_t ranks_back(const struct shape *shape, int steps)
{
    const int n_men = shape->material.men[WHITE];
    const int n_squares = shape->n_squares - shape->man_offset[WHITE];
    const uint32_t back = choose(n_squares, n_men) - choose(n_squares - steps, n_men);
    return n_men == 0 ? 0 : back;
}

/* Plans the rows to keep. False if they need more than `*bytes_left`, which they are taken from. */
static bool rows_plan(struct rows *rows, uint64_t *bytes_left)
{
    const struct shape *shape = rows->shape;
    const uint32_t n_all = shape->n_men_sets[WHITE];
    const uint64_t band = BAND_PLACEMENTS / rows->row_size + 1;
    rows->n = band < n_all ? (uint32_t)band : n_all;
    if (shape->n_sides == 1)
        rows->n = n_all;
    const uint32_t back =
        ranks_back(shape, shape->n_squares / rows->verified->rules->board.n_rows + 1);
    rows->n_kept[WHITE] = rows->n;
    rows->n_kept[BLACK] = back < n_all - rows->n ? back + rows->n : n_all;
    uint64_t n_bytes = 0;
    for (int side = WHITE; side <= BLACK; side++)
        n_bytes += rows->n_kept[side] * rows->row_size * (uint64_t)shape->n_rule_states + MAX_LEAST;
    if (n_bytes > *bytes_left)
        return false;
    *bytes_left -= n_bytes;
    return true;
}

static einspul_status rows_alloc(struct rows *rows, einspul_error *error)
{
    for (int side = WHITE; side <= BLACK; side++) {
        const size_t n_bytes =
            (size_t)(rows->n_kept[side] * rows->row_size) * (size_t)rows->shape->n_rule_states +
            MAX_LEAST;
        rows->values[side] = malloc(n_bytes);
        if (rows->values[side] == NULL)
            return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for %zu bytes of values",
                             n_bytes);
    }
    return EINSPUL_OK;
}

static einspul_status verify_all(struct rows *rows, struct findings *findings, einspul_error *error)
{
    const uint32_t n_all = rows->shape->n_men_sets[WHITE];
    const uint32_t n_band = rows->n;
    const uint32_t n_bands = (n_all + n_band - 1) / n_band;
    const double n_loops = 2.0 * rows->shape->n_sides * n_bands;
    einspul_status status = EINSPUL_OK;
    rows->loop_share = (VALUES_SHARE - RESOLVING_SHARE) / n_loops;
    for (rows->first = 0; rows->first < n_all && status == EINSPUL_OK; rows->first += n_band) {
        rows->n = n_all - rows->first < n_band ? n_all - rows->first : n_band;
        status = fill_stored(rows, WHITE, error);
        if (status == EINSPUL_OK && rows->shape->n_sides == 1)
            fill_swapped(rows);
        else if (status == EINSPUL_OK)
            status = fill_stored(rows, BLACK, error);
        for (int side = WHITE; side < rows->shape->n_sides && status == EINSPUL_OK; side++)
            status = verify_band(rows, (enum side)side, findings, error);
    }
    return status;
}

einspul_status verify_rows(const struct verified *verified, uint64_t max_bytes, int n_threads,
                           bool *done, struct findings *findings, einspul_error *error)
{
    const struct shape *shape = verified->shape;
    struct rows *rows = malloc(sizeof *rows);
    if (rows == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory to verify a table");
    *rows = (struct rows){.verified = verified, .shape = shape, .n_threads = n_threads};
    rows->row_size = shape->n_men_sets[BLACK] * shape->frame_size;
    *done = table_is_complete(verified->table) && shape->n_clocks == 1 && !verified->limited &&
            verified->rules->quiet_limit == 0 && rows_plan(rows, &max_bytes);
    einspul_status status = EINSPUL_OK;
    if (*done)
        status = rows_alloc(rows, error);
    if (*done && status == EINSPUL_OK)
        status = resolved_init(&rows->resolved, verified->handle, &shape->material,
                               verified->metric, max_bytes, n_threads, verified->watch, error);
    if (*done && status == EINSPUL_OK)
        status = verify_all(rows, findings, error);
    resolved_free(&rows->resolved);
    free(rows->values[WHITE]);
    free(rows->values[BLACK]);
    free(rows);
    return status;
}
