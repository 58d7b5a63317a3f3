/* The history heuristic of the proof search. */
#include "prove/history.h"

#include <criterion/criterion.h>

enum { WORK = 100, MANY = 1000 };

static struct move_count decided(struct move_count count, int n, bool succeeded)
{
    for (int i = 0; i < n; i++)
        history_add(&count, succeeded);
    return count;
}

Test(history, expects_as_much_of_a_move_never_tried)
{
    const struct move_count none = {0};
    for (uint32_t work = 1; work < WORK; work++)
        cr_assert_eq(history_work(&none, work), work);
}

Test(history, expects_less_of_moves_that_succeeded)
{
    const struct move_count none = {0};
    const struct move_count good = decided(none, MANY, true);
    const struct move_count bad = decided(none, MANY, false);
    cr_assert_lt(history_work(&good, WORK), WORK / 10);
    cr_assert_geq(history_work(&good, 1), 1);
    cr_assert_gt(history_work(&bad, WORK), 2 * WORK - WORK / 10);
    cr_assert_leq(history_work(&bad, WORK), 2 * WORK);
}

Test(history, forgets_old_moves)
{
    const struct move_count good = decided((struct move_count){0}, MANY, true);
    const struct move_count bad_of_late = decided(good, MANY / 4, false);
    cr_assert_gt(history_work(&bad_of_late, WORK), 2 * WORK - WORK / 10);
}
