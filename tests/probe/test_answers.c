/* Answers to earlier probes: found under their own key only, whatever else was kept since. */
#include "core/program/random.h"
#include "probe/handle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Wrong: an answer to another question; or of a full table none is found. */
Test(answers, are_those_of_their_key)
{
    enum { N_ADDED = 200000, N_BYTES = 1 << 20 };
    struct answers *answers = answers_create(N_BYTES);
    uint64_t seed = 11;
    int n_found = 0;
    cr_assert_not_null(answers);
    for (uint64_t key = 1; key <= N_ADDED; key++)
        answers_add(answers, key * key, (value_t)(key % (VALUE_WIN_IN_1 + 1)));
    for (uint64_t key = 1; key <= N_ADDED; key++) {
        value_t value = VALUE_NONE;
        if (answers_find(answers, key * key, &value)) {
            cr_assert_eq(value, key % (VALUE_WIN_IN_1 + 1));
            n_found++;
        }
    }
    cr_assert_gt(n_found, N_BYTES / 32, "%d", n_found);
    for (int i = 0; i < N_ADDED; i++) {
        value_t value = VALUE_NONE;
        cr_assert_not(answers_find(answers, random_next(&seed) | (uint64_t)1 << 63, &value));
    }
    free(answers);
}

/* Wrong: a value is kept as another one or not at all, or an answer does not take the place of an
 * older one. */
Test(answers, tell_what_was_added_last)
{
    struct answers *answers = answers_create((size_t)64 << 10);
    uint64_t seed = 3;
    cr_assert_not_null(answers);
    for (unsigned n = 0; n < 40000; n++) {
        const uint64_t key = n == 0 ? 0 : n == 1 ? UINT64_MAX : random_next(&seed);
        const value_t added = (value_t)(n & UINT8_MAX);
        value_t value = (value_t)~added;
        answers_add(answers, key, added);
        cr_assert(answers_find(answers, key, &value) && value == added, "%u", n);
    }
    free(answers);
}

/* The key that is mixed to a number, by the function of answers.c. */
static uint64_t unmixed(uint64_t mix)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t inverse = factor;
    uint64_t key = mix;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - factor * inverse;
    for (int i = 0; i < 3; i++)
        key = mix ^ key >> 29;
    key *= inverse;
    return key ^ key >> 32;
}

/* Wrong: some bit of a key is kept neither in the place of a word nor in it, so that two questions
 * have one answer. */
Test(answers, tell_the_whole_key)
{
    for (size_t n_bytes = (size_t)64 << 10; n_bytes <= (size_t)1 << 20; n_bytes *= 4) {
        struct answers *answers = answers_create(n_bytes);
        uint64_t seed = 7;
        value_t value = VALUE_DRAW;
        cr_assert_not_null(answers);
        for (int i = 0; i < 40; i++) {
            const uint64_t key = random_next(&seed);
            const uint64_t mix = random_next(&seed);
            answers_add(answers, key, VALUE_LOST);
            answers_add(answers, unmixed(mix), VALUE_LOST);
            for (int j = 0; j < 64 * 64; j++) { /* one bit or two are other ones */
                const uint64_t bits = (uint64_t)1 << j % 64 | (uint64_t)1 << j / 64;
                cr_assert_not(answers_find(answers, key ^ bits, &value), "%d", j);
                cr_assert_not(answers_find(answers, unmixed(mix ^ bits), &value), "%d", j);
            }
        }
        free(answers);
    }
}

/* Wrong: an empty table answers. */
Test(answers, none_at_first)
{
    struct answers *answers = answers_create((size_t)64 << 10);
    value_t value = VALUE_NONE;
    cr_assert_not_null(answers);
    cr_assert_not(answers_find(answers, 0, &value));
    cr_assert_not(answers_find(answers, 1, &value));
    answers_add(answers, 1, VALUE_LOST);
    cr_assert(answers_find(answers, 1, &value) && value == VALUE_LOST);
    answers_add(answers, 1, VALUE_WIN_IN_1);
    cr_assert(answers_find(answers, 1, &value) && value == VALUE_WIN_IN_1);
    free(answers);
}

/* Fails if half of the memory given is left unused: more entries are then overwritten. */
Test(answers, use_the_memory_they_are_given)
{
    enum { N_WORDS = 1 << 16 };
    struct answers *answers = answers_create(N_WORDS * sizeof(uint64_t));
    value_t value = VALUE_NONE;
    int n_found = 0;
    for (uint64_t key = 1; key <= N_WORDS; key++)
        answers_add(answers, key << 9, VALUE_DRAW);
    for (uint64_t key = 1; key <= N_WORDS; key++)
        n_found += answers_find(answers, key << 9, &value);
    cr_assert_gt(n_found, N_WORDS / 2);
    free(answers);
}
