/* From the words of the word solver to the values, or keys, of the frame.
 *
 * Distances are in the frame already. Outcomes without runs are written from the words' cells.
 *
 * Outcomes with runs are keys (gen/values/chunk.h), of 64 placements at once. The placements that
 * differ in the lowest king of the side to move are the bits of one word, in every rule state: of
 * the word in which that king is the designated one. Where another king runs, that one is
 * designated, and the words of the lowest king are its words, transposed. So for every rule state
 * there is a word of the wins and one of the draws. They are the rows of a matrix, and the keys are
 * its transpose. Where the seeds are the values, as in captures, the keys are entered with the
 * seeds (outcome_seeds.c). */
#include "gen/solver/answer.h"

#include "core/program/index.h"
#include "gen/frame/transpose.h"
#include "gen/solver/king_sets.h"
#include "gen/solver/seed_keys.h"

#include <string.h>

/* --- quiet placements ------------------------------------------------------------------------- */

/* The size of the crossed words of one run count and one run of the other side. Crossed words show
 * states in which another king than the lowest runs as words of the lowest king: by the set of the
 * remaining kings, and the cell of the running king. */
static size_t crossed_words(const struct layout *own)
{
    return own->has_runs ? (size_t)own->n_pair_bases * WORD_CELLS : 0;
}

size_t answer_scratch(const struct word_side *side)
{
    return crossed_words(side->own) * (size_t)side->other->n_runs * MAX_RUN_COUNT * 2;
}

/* `buffer` gets the crossed words by run of the other side, count - 1, wins and draws. */
static void keys_cross(const struct key_walk *walk, const uint32_t *configs, cells_t *buffer)
{
    const struct word_side *side = walk->side;
    const struct layout *own = side->own;
    const int n = own->has_runs && own->n_kings > 1 ? side->other->n_runs * MAX_RUN_COUNT * 2 : 0;
    for (int i = 0; i < n; i++) {
        const size_t plane = (size_t)(i / 2 % MAX_RUN_COUNT + 1) * side->n_words;
        const cells_t *words = (i % 2 == 0 ? side->won : side->open) + plane +
                               (size_t)configs[i / (2 * MAX_RUN_COUNT)] * own->n_others;
        for (uint32_t base = 0; base < own->n_pair_bases; base++, buffer += WORD_CELLS) {
            const uint32_t *others = own->pair_others + (size_t)base * WORD_CELLS;
            memset(buffer, 0, WORD_CELLS * sizeof *buffer);
            for (int cell = 0; cell < WORD_CELLS; cell++)
                if (others[cell] != NO_INDEX)
                    buffer[cell] = words[others[cell]];
            words_transpose(buffer);
        }
    }
}

/* The place in crossed words for king number `king` running, where 0 is the lowest king, which is
 * not in `rest`: by the set of the others of `rest`, and the running king's cell. */
static size_t crossed_place(const struct key_walk *walk, cells_t rest, int king)
{
    const struct board *board = &walk->solver->context->rules->board;
    cells_t left = rest;
    for (int i = 1; i < king; i++)
        left &= left - 1;
    const int cell = bits_first(left);
    const cells_t base = rest & ~((cells_t)1 << cell);
    return (base == 0 ? 0 : set_rank(squares_of_cells(board, base))) * (size_t)WORD_CELLS +
           (size_t)cell;
}

/* The rows of a line's matrices: one for each word of keys. */
static void keys_gather(const struct key_walk *walk, const uint32_t *configs, const cells_t *buffer,
                        uint32_t rest, cells_t matrix[][WORD_CELLS])
{
    const struct word_side *side = walk->side;
    const struct layout *own = side->own;
    const int n_other_runs = side->other->n_runs;
    const size_t n_crossed = crossed_words(own);

    memset(matrix, 0, walk->n_words * sizeof *matrix);
    for (int run = 0; run < own->n_runs; run++) {
        const int king = run_king(run);
        const int count = run_count(run);
        const size_t place = king == 0 ? 0 : crossed_place(walk, own->others_cells[rest], king);
        for (int other = 0; other < n_other_runs; other++) {
            const int state = run * walk->own_state + other * walk->other_state;
            const size_t at =
                (size_t)count * side->n_words + (size_t)configs[other] * own->n_others + rest;
            const cells_t *crossed =
                buffer + (size_t)((other * MAX_RUN_COUNT + count - 1) * 2) * n_crossed + place;
            cells_t *rows = matrix[state / KEY_STATES] + state % KEY_STATES;
            rows[0] = king == 0 ? side->won[at] : crossed[0];
            rows[KEY_STATES] = king == 0 ? side->open[at] : crossed[n_crossed];
        }
    }
}

/* The keys of the quiet placements of a line. */
static void keys_write(const struct key_walk *walk, uint64_t *keys, uint32_t rest, cells_t quiet,
                       cells_t matrix[][WORD_CELLS])
{
    const struct layout *own = walk->side->own;
    const uint32_t *set_of = own->set_of + (size_t)rest * WORD_CELLS;
    for (size_t word = 0; word < walk->n_words; word++)
        words_transpose(matrix[word]);
    for (; quiet != 0; quiet &= quiet - 1) {
        const int cell = bits_first(quiet);
        const uint32_t set = set_of[cell];
        uint64_t *key = keys + set * walk->own_stride * walk->n_words;
        for (size_t word = 0; word < walk->n_words; word++)
            key[word] = matrix[word][cell];
    }
}

/* All quiet placements with one king set of the side not to move. */
static void keys_of_set(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    const struct key_walk walk = key_walk_of(solver, to_move);
    const struct word_side *side = walk.side;
    const struct layout *own = side->own;
    const uint32_t *configs = side->other->config_of_run + set * (size_t)side->other->n_runs;
    uint64_t *keys = walk.keys + set * walk.other_stride * walk.n_words;
    cells_t matrix[MAX_KEY_WORDS][WORD_CELLS];

    keys_cross(&walk, configs, buffer);
    for (uint32_t rest = 0; rest < own->n_others; rest++) {
        const cells_t quiet =
            side->quiet[(size_t)set * own->n_others + rest] & lowest_cells(own, rest);
        if (quiet == 0)
            continue;
        keys_gather(&walk, configs, buffer, rest, matrix);
        keys_write(&walk, keys, rest, quiet, matrix);
    }
}

/* --- placements whose seeds are their values -------------------------------------------------- */

/* The placements with a set of White's kings, where the side not to move has no kings: if it has
 * kings, the keys were written when the seeds were propagated to it. */
static void keys_of_seeds(struct solver *solver, int to_move, uint32_t white, cells_t *buffer)
{
    const struct key_walk walk = key_walk_of(solver, to_move);
    const size_t n_black = solver->context->shape.n_king_sets[BLACK];
    const uint8_t *class_of = solver->frame->class_of[to_move] + white * n_black;
    const uint64_t *seed = solver->frame->seed_key[to_move] + white * n_black;
    uint64_t *key = walk.keys + white * n_black * walk.n_words;
    const uint8_t not_final = walk.side->own->n_kings > 0 ? CLASS_QUIET : CLASS_IMPOSSIBLE;

    (void)buffer;
    for (size_t i = 0; i < n_black; i++, key += walk.n_words)
        if (class_of[i] != not_final)
            key_spread(&walk, seed[i], key);
}

/* The keys of all possible placements of one side to move. */
static void write_keys(struct solver *solver, int to_move)
{
    const struct word_side *side = &solver->side[to_move];
    const uint32_t n_sets = side->own->n_kings > 0 ? side->other->n_sets : 0;
    for_king_sets(solver, to_move, n_sets, keys_of_set);
    if (side->other->n_kings == 0)
        for_king_sets(solver, to_move, solver->context->shape.n_king_sets[WHITE], keys_of_seeds);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Outcomes without runs: those of the quiet placements with one king set of the side not to move.
 * States that are still open are drawn. */
static void write_outcomes(struct solver *solver, int to_move, uint32_t other_set, cells_t *buffer)
{
    const struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const size_t n_black = solver->context->shape.n_king_sets[BLACK];
    const size_t own_stride = to_move == WHITE ? n_black : 1;
    value_t *values = solver->frame->value[to_move] + other_set * (to_move == WHITE ? 1 : n_black);
    (void)buffer;
    for (uint32_t rest = 0; rest < own->n_others; rest++) {
        const size_t at = (size_t)other_set * own->n_others + rest;
        const uint32_t *set_of = own->set_of + (size_t)rest * WORD_CELLS;
        for (cells_t left = side->quiet[at] & lowest_cells(own, rest); left != 0;
             left &= left - 1) {
            const int cell = bits_first(left);
            const unsigned won = (unsigned)(side->won[at] >> cell & 1);
            const unsigned open = (unsigned)(side->open[at] >> cell & 1);
            values[set_of[cell] * own_stride] =
                (value_t)(VALUE_LOST + open * VALUE_DRAW + won * VALUE_WIN_IN_1);
        }
    }
}

static void write_values(struct solver *solver, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    /* Placements without simple king moves keep their seed as their value. */
    memcpy(solver->frame->value[to_move], solver->frame->seed[to_move],
           (size_t)shape->frame_size * sizeof(value_t));
    if (solver->side[to_move].own->n_kings > 0)
        for_king_sets(solver, to_move, shape->n_king_sets[!to_move], write_outcomes);
}

void answer_write(struct solver *solver)
{
    if (solver->large || solver->distances)
        return; /* values were entered there */
    for (int to_move = WHITE; to_move <= BLACK; to_move++) {
        if (solver->context->has_keys)
            write_keys(solver, to_move);
        else
            write_values(solver, to_move);
    }
}
