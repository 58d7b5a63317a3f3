/* A frame's seeds without distances, as words, a line at a time: placements that differ in the
 * lowest king of one side, whose square is the bit.
 *
 * A line's seeds are masks, by run of the side not to move; 64 masks are a matrix, and its
 * transpose is a word for each run. Where all runs of a placement have the same seed, as in
 * most, it is a bit that needs no matrix. Words of the other kings than the lowest are completed
 * from these once for a king set, by transposes again. Threads share king sets: none writes to a
 * word of another. */
#include "gen/solver/outcome_seeds.h"

#include "core/bits.h"
#include "gen/frame/transpose.h"
#include "gen/solver/decide.h"
#include "gen/solver/king_sets.h"
#include "gen/solver/seed_keys.h"

#include <string.h>

/* A line of placements with one side to move. */
struct class_line {
    const struct solver *solver;
    int to_move;
    uint64_t first;         /* placement with the king on square 0, if the line is not empty */
    const uint32_t *set_of; /* by cell of the king that moves along it: its side's set */
    cells_t cells;          /* of that king */
    size_t stride;          /* of sets */
};

/* `moving` is the side of the king that moves along the line, in addition to `rest`; the other
 * side's kings are `set`. */
static struct class_line class_line_of(const struct solver *solver, int to_move, int moving,
                                       uint32_t set, uint32_t rest)
{
    const struct layout *layout = &solver->layout[moving];
    const size_t n_black = solver->context->shape.n_king_sets[BLACK];
    const uint32_t *set_of = layout->set_of + (size_t)rest * WORD_CELLS;
    const size_t stride = moving == WHITE ? n_black : 1;
    return (struct class_line){
        .solver = solver,
        .to_move = to_move,
        .first = set * (moving == WHITE ? 1 : n_black) + set_of[0] * stride,
        .set_of = set_of,
        .cells = lowest_cells(layout, rest) & solver->no_men,
        .stride = stride,
    };
}

static inline uint64_t line_place(const struct class_line *line, int cell)
{
    return line->first + line->solver->square_of_cell[cell] * line->stride;
}

/* The cells of a line that are captures; if `quiet_too`, all that are possible. */
static cells_t final_cells_of(const struct class_line *line, bool quiet_too)
{
    const struct solver *solver = line->solver;
    const uint8_t *class_of = solver->frame->class_of[line->to_move] + line->first;
    uint8_t classes[WORD_CELLS] = {CLASS_IMPOSSIBLE};
    if (line->cells == 0)
        return 0;
    const int n = solver->square_of_cell[bits_last(line->cells)] + 1;
    for (int square = 0; square < n; square++)
        classes[square] = class_of[(size_t)square * line->stride];
    const squares_t found = bytes_matching(classes, CLASS_CAPTURE) |
                            (quiet_too ? bytes_matching(classes, CLASS_QUIET) : 0);
    return cells_of_squares(&solver->context->rules->board, found);
}

/* --- seeds ------------------------------------------------------------------------------------ */

enum { LOST_BIT = 32 };

/* The outcomes of the seeds of a line, in the order of its cells. */
static void line_outcomes(const struct class_line *line, cells_t cells,
                          uint64_t outcomes[WORD_CELLS])
{
    const struct frame *frame = line->solver->frame;
    const uint8_t *square_of_cell = line->solver->square_of_cell;
    if (!frame->context->has_keys) {
        for (; cells != 0; cells &= cells - 1)
            *outcomes++ = seed_outcomes(frame, line->to_move, line_place(line, bits_first(cells)));
        return;
    }
    const uint64_t *keys = frame->seed_key[line->to_move] + line->first;
    const size_t stride = line->stride;
    for (; cells != 0; cells &= cells - 1)
        *outcomes++ = keys[square_of_cell[bits_first(cells)] * stride];
}

/* Writes the keys of placements whose seeds are their values. */
static void line_keys_write(const struct class_line *line, const struct key_walk *walk,
                            cells_t cells, const uint64_t outcomes[WORD_CELLS])
{
    const uint8_t *square_of_cell = line->solver->square_of_cell;
    const size_t stride = line->stride * walk->n_words;
    uint64_t *keys = walk->keys + line->first * walk->n_words;
    const uint64_t *spread = walk->side->spread;
    const bool simple = walk->n_words == 1 && walk->side->other->n_runs <= SPREAD_RUNS;
    for (; simple && cells != 0; cells &= cells - 1, outcomes++)
        keys[square_of_cell[bits_first(cells)] * stride] =
            spread[*outcomes % SPREAD_MASKS] | spread[(*outcomes >> KEY_STATES) % SPREAD_MASKS]
                                                   << KEY_STATES;
    for (; cells != 0; cells &= cells - 1)
        key_spread(walk, *outcomes++, keys + square_of_cell[bits_first(cells)] * stride);
}

/* The seeds of a line as words: row r has the wins for the other side's run r, row LOST_BIT + r the
 * losses; all[0] and all[1] have the wins and losses for all of `runs`, which are not in the rows.
 * Returns a mask of the rows that are not empty; if that is 0, `rows` is not set. */
static uint64_t line_seed_words(cells_t cells, const uint64_t outcomes[WORD_CELLS], uint64_t runs,
                                cells_t rows[WORD_CELLS], cells_t all[2])
{
    uint64_t some = 0;
    cells_t all_won = 0;
    cells_t all_lost = 0;
    for (; cells != 0; cells &= cells - 1, outcomes++) {
        const cells_t bit = cells & (0 - cells);
        const uint64_t won = *outcomes & runs;
        const uint64_t lost = runs & ~*outcomes & ~(*outcomes >> KEY_STATES);
        all_won |= won == runs ? bit : 0;
        all_lost |= lost == runs ? bit : 0;
        if ((won | lost) == 0 || won == runs || lost == runs)
            continue;
        if (some == 0)
            memset(rows, 0, WORD_CELLS * sizeof *rows);
        rows[bits_first(cells)] = won | lost << LOST_BIT;
        some |= won | lost << LOST_BIT;
    }
    all[0] = all_won;
    all[1] = all_lost;
    if (some != 0)
        words_transpose(rows);
    return some;
}

/* --- seeds that are moves --------------------------------------------------------------------- */

size_t outcome_seeds_scratch(const struct word_side *side)
{
    return side->has_men ? 2 * (size_t)side->other->n_runs * side->own->n_others : 0;
}

/* Applies the seeds of one strip: `won` are wins, `lost` no longer prevent a loss. */
static void moves_apply(struct solver *solver, int to_move, uint32_t strip, const cells_t *won,
                        const cells_t *lost)
{
    struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const size_t first = (size_t)strip * own->n_others;
    for (uint32_t others = 0; lost != NULL && others < own->n_others; others++)
        side->seed_lost[first + others] |= lost[others];
    if (lost != NULL)
        touch(side, side->won_touched, strip);
    for (int plane = 0; won != NULL && plane < own->n_planes; plane++) {
        cells_t *open = side->open + (size_t)plane * side->n_words + first;
        for (uint32_t others = 0; others < own->n_others; others++) {
            const cells_t bits = open[others] & won[others];
            open[others] &= ~bits;
            if (bits != 0)
                decide_states(solver, to_move, strip, others, plane, bits, VALUE_WIN_IN_1, false);
        }
    }
}

/* The quiet placements with one king set of the other side. */
static void moves_of_set(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    const struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const int n_runs = side->other->n_runs;
    const size_t n_others = own->n_others;
    const uint32_t *configs = side->other->config_of_run + set * (size_t)n_runs;
    const uint64_t runs = ((uint64_t)1 << n_runs) - 1;
    uint64_t any = 0;
    uint64_t outcomes[WORD_CELLS];
    cells_t rows[WORD_CELLS];
    cells_t all[2];

    for (uint32_t rest = 0; rest < own->n_others; rest++) {
        const struct class_line line = class_line_of(solver, to_move, to_move, set, rest);
        const cells_t quiet = side->quiet[set * n_others + rest] & line.cells;
        line_outcomes(&line, quiet, outcomes);
        const uint64_t some = line_seed_words(quiet, outcomes, runs, rows, all);
        any |= some | (all[0] != 0 ? runs : 0) | (all[1] != 0 ? runs << LOST_BIT : 0);
        for (int run = 0; run < n_runs; run++) {
            cells_t *words = buffer + 2 * (size_t)run * n_others + rest;
            words[0] = all[0] | (some != 0 ? rows[run] : 0);
            words[n_others] = all[1] | (some != 0 ? rows[LOST_BIT + run] : 0);
        }
    }
    for (int run = 0; run < n_runs; run++) {
        cells_t *won = (any >> run & 1) != 0 ? buffer + 2 * (size_t)run * n_others : NULL;
        cells_t *lost =
            (any >> (LOST_BIT + run) & 1) != 0 ? buffer + (2 * (size_t)run + 1) * n_others : NULL;
        if (won != NULL)
            words_cross(own, won, won);
        if (lost != NULL)
            words_cross(own, lost, lost);
        moves_apply(solver, to_move, configs[run], won, lost);
    }
}

/* --- seeds that are values -------------------------------------------------------------------- */

/* The words that the states decided with one king set of the side to move are propagated to: those
 * of that set, by after-plane of the other side. */
struct final_words {
    cells_t *words[2]; /* won, lost */
    size_t n_words;    /* of a plane */
    size_t all_plane;  /* the one that stands for all runs */
};

static struct final_words final_words_of(const struct word_side *to, uint32_t set)
{
    const bool by_set = to->won_final != NULL;
    const size_t at = (size_t)set * to->own->n_others;
    return (struct final_words){
        .words = {(by_set ? to->won_final : to->won_after) + at,
                  (by_set ? to->lost_final : to->lost_after) + at},
        .n_words = by_set ? to->n_final : to->n_words,
        .all_plane = by_set && to->own->has_runs ? (size_t)to->own->n_after_planes : 0,
    };
}

/* Enters the rows of a line, which are by the other side's run. */
static void finals_write(const struct final_words *to, const struct layout *other,
                         const struct class_line *line, uint32_t rest, uint64_t some,
                         const cells_t rows[WORD_CELLS])
{
    for (; some != 0; some &= some - 1) {
        const int bit = bits_first(some);
        const int run = bit % LOST_BIT;
        cells_t *words = to->words[bit / LOST_BIT] + (size_t)(run_count(run) - 1) * to->n_words;
        if (run_king(run) == 0)
            words[rest] |= rows[bit];
        for (cells_t left = run_king(run) == 0 ? 0 : rows[bit]; left != 0; left &= left - 1) {
            const uint32_t set = line->set_of[bits_first(left)];
            const struct layout_bit *place =
                other->after_bits + other->config_of_run[set * (size_t)other->n_runs + (size_t)run];
            words[place->others] |= (cells_t)1 << place->cell;
        }
    }
}

/* Propagates the final placements with one king set of the side to move (captures, and all if it
 * has no kings) and writes their keys. Only runs of the other side that a king move can lead to
 * matter. */
static void finals_of_set(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    (void)buffer;
    const struct word_side *to = &solver->side[!to_move];
    const struct layout *other = to->own;
    const uint64_t runs = other->has_runs ? ((uint64_t)1 << other->n_runs) - 2 : 1;
    const struct final_words target = final_words_of(to, set);
    const struct key_walk walk = key_walk_of(solver, to_move);
    uint64_t any = 0;
    cells_t any_all[2] = {0, 0};
    uint64_t outcomes[WORD_CELLS];
    cells_t rows[WORD_CELLS];
    cells_t all[2];

    for (uint32_t rest = 0; rest < other->n_others; rest++) {
        const struct class_line line = class_line_of(solver, to_move, !to_move, set, rest);
        const cells_t final = final_cells_of(&line, solver->side[to_move].own->n_kings == 0);
        line_outcomes(&line, final, outcomes);
        if (solver->context->has_keys)
            line_keys_write(&line, &walk, final, outcomes);
        const uint64_t some = line_seed_words(final, outcomes, runs, rows, all);
        finals_write(&target, other, &line, rest, some, rows);
        any |= some;
        for (int lost = 0; lost < 2; lost++) {
            target.words[lost][target.all_plane * target.n_words + rest] |= all[lost];
            any_all[lost] |= all[lost];
        }
    }
    for (int lost = 0; lost < 2; lost++) {
        uint8_t *touched = lost ? to->lost_touched : to->won_touched;
        if (any_all[lost] != 0)
            words_cross(other, target.words[lost] + target.all_plane * target.n_words,
                        target.words[lost] + target.all_plane * target.n_words);
        if (any_all[lost] == 0 && (any >> (lost * LOST_BIT) & UINT32_MAX) == 0)
            continue;
        if (to->won_final == NULL) {
            touch(to, touched, set);
            continue;
        }
        (lost ? to->lost_final_touched : to->won_final_touched)[set] = 1;
        ATOMIC_STORE(&touched[to->n_groups], 1);
    }
}

void outcome_seeds_apply(struct solver *solver)
{
    for (int to_move = WHITE; to_move <= BLACK; to_move++) {
        const struct word_side *side = &solver->side[to_move];
        const uint32_t n_final = side->other->n_kings > 0 ? side->own->n_sets : 0;
        const uint32_t n_moved = side->has_men && side->own->n_kings > 0 ? side->other->n_sets : 0;
        for_king_sets(solver, to_move, n_final, finals_of_set);
        for_king_sets(solver, to_move, n_moved, moves_of_set);
        propagate_pending(solver, to_move, true);
    }
}
