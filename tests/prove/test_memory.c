/* The transposition table: whatever it finds for a goal was stored for that goal. */
#include "prove/memory.h"

#include "core/program/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(memory);

/* The goal with a number; many share words. */
static struct state_key goal_named(uint64_t number)
{
    return (struct state_key){
        {(number & 15) | (number % 2) << KEY_FREE, number >> 4 & 15, number >> 8}};
}

/* A final value that no other goal has. */
static struct value value_named(uint64_t number)
{
    const uint64_t hash = random_mix(number);
    return (struct value){.answer = hash % 2 == 0 ? ANSWER_PROVED : ANSWER_DISPROVED,
                          .rank = hash % 2 == 0 ? (uint16_t)(hash >> 48) : 0};
}

/* Fails if an entry of one goal is found for another, while threads write and replace entries: an
 * answer would be that of another position. */
Test(memory, finds_what_was_stored_for_the_goal)
{
    enum { GOALS = 1 << 12, THREADS = 4, ROUNDS = 100000 };
    struct memory memory;
    int n_found = 0;
    int n_wrong = 0;
    cr_assert(memory_init(&memory, MIN_MEMORY_BYTES));
#pragma omp parallel for num_threads(THREADS) reduction(+ : n_found, n_wrong)
    for (int thread = 0; thread < THREADS; thread++) {
        uint64_t seed = (uint64_t)thread + 1;
        for (int i = 0; i < ROUNDS; i++) {
            const uint64_t number = (uint64_t)random_below(&seed, GOALS);
            const struct state_key goal = goal_named(number);
            const struct value stored = value_named(number);
            struct value found;
            if (memory_find(&memory, &goal, &found)) {
                n_found++;
                n_wrong += found.answer != stored.answer || found.rank != stored.rank;
            } else {
                memory_store(&memory, &goal, &stored, 1 + (uint64_t)random_below(&seed, 8));
            }
        }
    }
    cr_assert_eq(n_wrong, 0);
    cr_assert_gt(n_found, 1000);
    memory_free(&memory);
}

/* Fails if a disproof is found with another path, or other plies, than it depends on, or if proof
 * numbers are far from those stored. */
Test(memory, keeps_dependences_and_numbers)
{
    struct memory memory;
    const struct state_key goal = goal_named(1);
    const uint64_t path = memory_path(random_mix(5));
    struct value found;
    cr_assert(memory_init(&memory, 0));
    const struct value open = {.answer = ANSWER_OPEN, .phi = 100, .delta = (1 << 28) - 1};
    memory_store(&memory, &goal, &open, 10);
    cr_assert(memory_find(&memory, &goal, &found));
    cr_assert_eq(found.phi, open.phi);
    cr_assert_eq(found.delta, open.delta);
    const struct value on_path = {
        .answer = ANSWER_DISPROVED_ON_PATH, .depends = {MAX_PLIES - 1, MAX_PLIES}, .path = path};
    memory_store(&memory, &goal, &on_path, 10);
    cr_assert(memory_find(&memory, &goal, &found));
    cr_assert_eq(found.answer, ANSWER_DISPROVED_ON_PATH);
    cr_assert_eq(found.path, path);
    cr_assert_eq(found.depends.shallowest, MAX_PLIES - 1);
    cr_assert_eq(found.depends.deepest, MAX_PLIES);
    cr_assert(found.phi > 64 && found.phi <= 100, "%u", found.phi);
    cr_assert(found.delta > 1 << 27 && found.delta < 1 << 28, "%u", found.delta);
    memory_free(&memory);
}

/* Fails if a final answer is overwritten by an open one: a search would prove it again and again. */
Test(memory, final_answers_stay)
{
    struct memory memory;
    const struct state_key goal = goal_named(1);
    struct value found;
    cr_assert(memory_init(&memory, 0));
    const struct value proved = {.answer = ANSWER_PROVED, .rank = 9};
    const struct value better = {.answer = ANSWER_PROVED, .rank = 7};
    const struct value open = {.answer = ANSWER_OPEN, .phi = 1, .delta = 1};
    memory_store(&memory, &goal, &proved, 1);
    memory_store(&memory, &goal, &open, 100);
    memory_store(&memory, &goal, &better, 1);
    cr_assert(memory_find(&memory, &goal, &found));
    cr_assert_eq(found.answer, ANSWER_PROVED);
    cr_assert_eq(found.rank, 7);
    memory_free(&memory);
}

/* Fails if an entry is lost or changed when the table is enlarged, so that it would be searched
 * again. */
Test(memory, keeps_all_when_enlarged)
{
    enum { GOALS = 1 << 10, MANY = 1 << 22 };
    struct memory memory;
    struct value found;
    int n_before = 0;
    int n_after = 0;
    cr_assert(memory_init(&memory, (size_t)64 << 20));
    memory.n_threads = 2;
    const uint64_t n_entries = memory_n_entries(&memory);
    for (uint64_t i = 0; i < GOALS; i++) {
        const struct state_key goal = goal_named(i);
        const struct value stored = value_named(i);
        memory_store(&memory, &goal, &stored, 1);
    }
    for (uint64_t i = 0; i < GOALS; i++) {
        const struct state_key goal = goal_named(i);
        n_before += memory_find(&memory, &goal, &found);
    }
    memory_reserve(&memory, MANY);
    cr_assert_gt(memory_n_entries(&memory), n_entries);
    cr_assert_leq(memory_n_entries(&memory), (64 << 20) / ENTRY_BYTES);
    for (uint64_t i = 0; i < GOALS; i++) {
        const struct state_key goal = goal_named(i);
        const struct value stored = value_named(i);
        if (!memory_find(&memory, &goal, &found))
            continue;
        cr_assert_eq(found.answer, stored.answer);
        cr_assert_eq(found.rank, stored.rank);
        n_after++;
    }
    cr_assert_gt(n_before, GOALS / 2);
    cr_assert_eq(n_after, n_before);
    memory_free(&memory);
}

/* A goal of White's, with runs of a king on 3 of White's and one on `square` of Black's. */
static struct state_key goal_with_runs(unsigned white, unsigned black, unsigned square)
{
    const struct state state = {
        .at = {.men = {square_bit(40), square_bit(10)},
               .kings = {square_bit(3), square_bit(20) | square_bit(21)}},
        .run = {{white > 0 ? 3 : 0, (uint8_t)white}, {(uint8_t)square, (uint8_t)black}},
    };
    return goal_of(&state, WHITE);
}

/* True if a goal has an answer when another has it. */
static bool follows(enum answer answer, const struct state_key *stored,
                    const struct state_key *asked)
{
    struct memory memory;
    struct value found;
    const struct value value = {.answer = answer, .rank = 1, .depends = {NO_PLY, 0}};
    cr_assert(memory_init(&memory, 0));
    memory_store(&memory, stored, &value, 1);
    const bool is_found = memory_find(&memory, asked, &found) && found.answer == answer;
    memory_free(&memory);
    return is_found;
}

/* Fails if a win is found for a state in which a king run of the winner is longer, one of the loser
 * shorter or of another king, or if it is not found for one in which they help the winner. */
Test(memory, answers_hold_for_easier_runs)
{
    const struct state_key middle = goal_with_runs(2, 2, 20);
    const struct state_key easier[] = {goal_with_runs(1, 2, 20), goal_with_runs(0, 2, 20),
                                       goal_with_runs(2, 3, 20), goal_with_runs(1, 3, 20)};
    const struct state_key harder[] = {goal_with_runs(3, 2, 20), goal_with_runs(2, 1, 20),
                                       goal_with_runs(2, 0, 0), goal_with_runs(3, 1, 20)};
    const struct state_key others[] = {goal_with_runs(2, 2, 21), goal_with_runs(2, 3, 21),
                                       goal_with_runs(1, 1, 20), goal_with_runs(3, 3, 20)};
    for (int i = 0; i < 4; i++) {
        cr_assert(follows(ANSWER_PROVED, &middle, &easier[i]), "%d", i);
        cr_assert(follows(ANSWER_DISPROVED, &middle, &harder[i]), "%d", i);
        cr_assert_not(follows(ANSWER_PROVED, &middle, &harder[i]), "%d", i);
        cr_assert_not(follows(ANSWER_DISPROVED, &middle, &easier[i]), "%d", i);
        cr_assert_not(follows(ANSWER_PROVED, &middle, &others[i]), "%d", i);
        cr_assert_not(follows(ANSWER_DISPROVED, &middle, &others[i]), "%d", i);
        cr_assert_not(follows(ANSWER_DISPROVED_ON_PATH, &middle, &harder[i]), "%d", i);
    }
}
