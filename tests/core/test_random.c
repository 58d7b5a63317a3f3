/* The pseudo-random generator (splitmix64). */
#include "core/program/random.h"

#include <criterion/criterion.h>

/* Fails if a failure reported with its seed cannot be reproduced on another machine. The first
 * numbers of splitmix64 from seed 0, as its authors publish them. */
Test(random, numbers_of_splitmix64)
{
    static const uint64_t expected[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                        0xf88bb8a8724c81ec, 0x1b39896a51a8749b};
    uint64_t state = 0;
    for (int i = 0; i < 5; i++) {
        const uint64_t before = state;
        cr_assert_eq(random_mix(before), expected[i]);
        cr_assert_eq(random_next(&state), expected[i]);
    }
    state = 0;
    for (int i = 0; i < 5; i++)
        cr_assert_eq(random_below(&state, 10), (int)(expected[i] % 10));
}
