/* The word-parallel outcome solver against the reference solver, on frames with random seeds: all
 * numbers of kings and rule states that words and keys support, on one thread and on several. Real
 * materials of few pieces have neither two words of a key nor three kings with runs on both sides.
 * Fails if a material of six pieces would have wrong outcomes, which no other solver could
 * detect. */
#include "core/moves.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/word_solver.h"
#include "tests/support/moves_text.h"
#include "tests/support/oracle_solver.h"

#include <stdlib.h>

/* On a board of 32 squares frames are small. */
static struct rules rules_with_runs(void)
{
    struct rules rules = rules_named("brazilian");
    rules.king_run_limit = rules_named("frisian").king_run_limit;
    return rules;
}

static value_t random_value(uint64_t *seed)
{
    static const value_t values[3] = {VALUE_LOST, VALUE_DRAW, VALUE_WIN_IN_1};
    return values[random_below(seed, 3)];
}

/* Classes, and random seeds, of one side to move. Mostly all runs have the same seed. */
static void fill_side(struct frame *frame, int side, uint64_t *random)
{
    const struct frame_context *context = frame->context;
    const struct shape *shape = &context->shape;
    const int n_runs = shape->n_runs[!side];
    const uint32_t n_black = shape->n_king_sets[BLACK];
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    for (uint64_t index = 0; index < shape->frame_size; index++) {
        const squares_t white = context->king_sets[WHITE][index / n_black];
        const squares_t black = context->king_sets[BLACK][index % n_black];
        const bool possible = (white & black) == 0 && ((white | black) & men) == 0;
        const struct placement placement = {.men = {frame->men[WHITE], frame->men[BLACK]},
                                            .kings = {white, black},
                                            .side = (enum side)side};
        const bool capture = possible && placement_has_capture(context->rules, &placement);
        const bool alike = random_below(random, 4) != 0;
        value_t seed = random_value(random);
        frame->class_of[side][index] = (uint8_t)(!possible ? CLASS_IMPOSSIBLE
                                                 : capture ? CLASS_CAPTURE
                                                           : CLASS_QUIET);
        for (int run = 0; run < n_runs; run++) {
            if (!alike)
                seed = random_value(random);
            if (!capture && shape->material.men[side] == 0)
                seed = VALUE_LOST;
            if (!context->has_keys)
                frame->seed[side][index * (uint64_t)n_runs + (uint64_t)run] = seed;
            else if (run == 0)
                frame->seed_key[side][index] = 0;
            if (context->has_keys)
                frame->seed_key[side][index] |=
                    (uint64_t)(seed > VALUE_DRAW) << run | (uint64_t)(seed == VALUE_DRAW)
                                                               << (KEY_STATES + run);
        }
    }
}

/* A frame with random seeds, solved. */
static void solve_random(struct frame *frame, const struct frame_context *context,
                         const struct solver_ops *type, int n_threads)
{
    einspul_error error = {0};
    void *solver = NULL;
    uint64_t random = 49;
    cr_assert_eq(frame_create(frame, context, n_threads), EINSPUL_OK);
    cr_assert_eq(type->create(context, n_threads, &solver), EINSPUL_OK);
    /* Twice: a solver is set up again for every frame. */
    for (int round = 0; round < 2; round++) {
        frame_set(frame, (context->shape.n_frames / 2 + 1) % context->shape.n_frames);
        cr_assert_eq(frame->men[WHITE] & frame->men[BLACK], 0);
        for (int side = WHITE; side <= BLACK; side++)
            fill_side(frame, side, &random);
        cr_assert_eq(type->solve(solver, frame, &error), EINSPUL_OK, "%s", error.text);
    }
    type->destroy(solver);
}

static value_t value_in(const struct frame *frame, int side, uint64_t index, int rule_state)
{
    const struct frame_context *context = frame->context;
    const int n_rule_states = context->shape.n_rule_states;
    return context->has_keys
               ? key_value(frame->key[side] + index * key_words(n_rule_states), rule_state)
               : frame->value[side][index * (uint64_t)n_rule_states + (uint64_t)rule_state];
}

static void compare(const struct frame *plain, const struct frame *fast, const char *name)
{
    const struct shape *shape = &plain->context->shape;
    uint64_t n_of[3] = {0, 0, 0};
    for (int side = WHITE; side <= BLACK; side++)
        for (uint64_t index = 0; index < shape->frame_size; index++) {
            if (plain->class_of[side][index] == CLASS_IMPOSSIBLE)
                continue;
            for (int state = 0; state < shape->n_rule_states; state++) {
                const value_t value = value_in(plain, side, index, state);
                if (value_in(fast, side, index, state) != value)
                    cr_assert_fail("%s side %d placement %llu state %d", name, side,
                                   (unsigned long long)index, state);
                n_of[1 + value_outcome(value)]++;
            }
        }
    cr_assert(n_of[0] > 500 && n_of[1] > 500 && n_of[2] > 500, "%s", name);
}

/* Fails if bits of a key that belong to no rule state are not 0, so that equal patterns have
 * several numbers. */
static void expect_no_more_bits(const struct frame *fast, const char *name)
{
    const struct frame_context *context = fast->context;
    const size_t n_words = key_words(context->shape.n_rule_states);
    const int n_last = context->shape.n_rule_states % KEY_STATES;
    const uint64_t used = n_last == 0 ? UINT32_MAX : ((uint64_t)1 << n_last) - 1;
    for (int side = WHITE; side <= BLACK && context->has_keys; side++) {
        const uint64_t *last = fast->key[side] + n_words - 1;
        for (uint64_t index = 0; index < context->shape.frame_size; index++, last += n_words)
            if (fast->class_of[side][index] != CLASS_IMPOSSIBLE)
                cr_assert_eq(*last & ~(used | used << KEY_STATES), 0, "%s", name);
    }
}

static void compare_material(const char *name, size_t n_key_words)
{
    const struct rules rules = rules_with_runs();
    const struct store store = {.rules = &rules};
    const struct material material = material_named(name);
    struct frame_context contexts[2];
    struct frame plain;
    struct frame fast;
    struct shape shape;
    shape_init(&shape, &rules, &material);
    const enum frame_form form = solver_form(&word_solver, &shape, EINSPUL_WDL, false);
    cr_assert_eq(form, n_key_words > 0 ? FRAME_KEYS : FRAME_VALUES);
    cr_assert(n_key_words == 0 || key_words(shape.n_rule_states) == n_key_words);
    cr_assert_eq(frame_context_init(&contexts[0], &store, &material, EINSPUL_WDL, FRAME_VALUES),
                 EINSPUL_OK);
    cr_assert_eq(frame_context_init(&contexts[1], &store, &material, EINSPUL_WDL, form),
                 EINSPUL_OK);
    cr_assert_eq(seed_tables_create(&contexts[1]), EINSPUL_OK);
    solve_random(&plain, &contexts[0], &solver_plain, 1);
    for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
        solve_random(&fast, &contexts[1], &word_solver, n_threads);
        compare(&plain, &fast, name);
        expect_no_more_bits(&fast, name);
        frame_free(&fast);
    }
    frame_free(&plain);
    frame_context_free(&contexts[0]);
    frame_context_free(&contexts[1]);
}

Test(outcomes, of_random_frames)
{
    static const char *const names[] = {"KMvK", "KMvKM", "KKMvM", "KKvKM", "KKMvKM", "KKKMvK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        compare_material(names[i], 1);
    compare_material("KKvKK", 0);
    compare_material("KKKvK", 0);
}

/* Keys of two words. */
Test(outcomes, of_many_rule_states)
{
    compare_material("KKKMvKM", 2);
}

Test(outcomes, long_of_many_rule_states)
{
    compare_material("KKMvKKM", 2);
}
