/* Answers to earlier probes: found under their own key only, whatever else was kept since. */
#include "core/random.h"
#include "probe/answers.h"

#include <criterion/criterion.h>

/* Wrong: an answer to another question; or of a full table none is found. */
Test(answers, are_those_of_their_key)
{
    enum { N_KEYS = 200000, N_BYTES = 1 << 20 };
    struct answers *answers = answers_create(N_BYTES);
    uint64_t seed = 11;
    int n_found = 0;
    cr_assert_not_null(answers);
    cr_assert(answers_bytes(answers) <= N_BYTES && answers_bytes(answers) > N_BYTES / 4);
    for (uint64_t key = 1; key <= N_KEYS; key++)
        answers_add(answers, key * key, (value_t)(key % (VALUE_WIN_IN_1 + 1)));
    for (uint64_t key = 1; key <= N_KEYS; key++) {
        value_t value = VALUE_NONE;
        if (answers_find(answers, key * key, &value)) {
            cr_assert_eq(value, key % (VALUE_WIN_IN_1 + 1));
            n_found++;
        }
    }
    cr_assert_gt(n_found, N_BYTES / 32, "%d", n_found);
    for (int i = 0; i < N_KEYS; i++) {
        value_t value = VALUE_NONE;
        cr_assert_not(answers_find(answers, random_next(&seed) | (uint64_t)1 << 63, &value));
    }
    answers_free(answers);
}

/* Wrong: an empty table answers, or one is made of no memory. */
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
    answers_free(answers);
    cr_assert_null(answers_create(0));
    cr_assert_null(answers_create((size_t)32 << 10));
    cr_assert_eq(answers_bytes(NULL), 0);
}
