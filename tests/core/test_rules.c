/* The list of rule sets: ids and names stored in files, and capture precedence. */
#include "tests/support/moves_text.h"

/* Fails if tables on somebody's disk become tables of another game, or of none. */
Test(rules, ids_and_names_are_stable)
{
    static const struct {
        const char *name;
        unsigned id;
        int pdn_game_type;
        int n_squares;
        enum side first_to_move;
    } known[] = {
        {"frisian", 1, 40, 50, WHITE},
        {"frisian-no17", 2, 40, 50, WHITE},
        {"frisian-no18", 3, 40, 50, WHITE},
        {"frisian-free", 4, 40, 50, WHITE},
        {"international", 5, 20, 50, WHITE},
        {"english", 6, 21, 32, BLACK},
        {"brazilian", 7, 26, 32, WHITE},
        {"frisian-lidraughts", 8, 40, 50, WHITE},
        {"international-fmjd", 9, 20, 50, WHITE},
    };
    const int n_known = sizeof known / sizeof known[0];
    cr_assert_eq((int)N_RULES, n_known);
    cr_assert_null(einspul_rules_list()[n_known]);
    for (int i = 0; i < n_known; i++) {
        struct rules by_id;
        const struct rules by_name = rules_named(known[i].name);
        cr_assert_eq(rules_by_id(&by_id, known[i].id, NULL), EINSPUL_OK);
        cr_assert_eq(by_id.name, by_name.name, "%s", known[i].name);
        cr_assert_str_eq(einspul_rules_list()[i], known[i].name);
        cr_assert_eq((unsigned)by_name.id, known[i].id);
        cr_assert_eq(by_name.pdn_game_type, known[i].pdn_game_type);
        cr_assert_eq(by_name.first_to_move, known[i].first_to_move);
        cr_assert_eq(by_name.board.n_squares, known[i].n_squares);
    }
}

/* Fails if the error for a mistyped rule set does not list the known ones. */
Test(rules, unknown_name_error_lists_known_names)
{
    struct rules rules;
    einspul_error error = {0};
    cr_assert_eq(rules_by_name(&rules, "frysk", &error), EINSPUL_BAD_RULES);
    cr_assert_not_null(strstr(error.text, "'frysk'"), "%s", error.text);
    for (int i = 0; i < N_RULES; i++)
        cr_assert_not_null(strstr(error.text, einspul_rules_list()[i]), "%s", error.text);
    cr_assert_eq(rules_by_id(&rules, 0, NULL), EINSPUL_BAD_RULES);
    cr_assert_eq(rules_by_id(&rules, N_RULES + 1u, &error), EINSPUL_BAD_RULES);
}

/* The sign of a - b for captures of (kings, men, by a king), as the Frisian rules put it. */
static int frisian_order(const int a[3], const int b[3])
{
    const int value = (2 * a[0] + a[1]) - (2 * b[0] + b[1]);
    if (value != 0)
        return value > 0 ? 1 : -1;
    if (a[0] != b[0])
        return a[0] < b[0] ? 1 : -1;
    return a[2] - b[2];
}

static int worth_order(const struct rules *rules, const int a[3], const int b[3])
{
    const int difference =
        capture_worth(rules, a[1], a[0], a[2] != 0) - capture_worth(rules, b[1], b[0], b[2] != 0);
    return (difference > 0) - (difference < 0);
}

/* Fails if of two captures the lesser one is played, with as many pieces as a board can hold. */
Test(rules, order_of_captures)
{
    enum { MOST = 20, N = (MOST + 1) * (MOST + 1) * 2 };
    const struct rules frisian = rules_named("frisian");
    const struct rules international = rules_named("international");
    const struct rules english = rules_named("english");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const int a[3] = {i / 2 / (MOST + 1), i / 2 % (MOST + 1), i % 2};
            const int b[3] = {j / 2 / (MOST + 1), j / 2 % (MOST + 1), j % 2};
            const int more = a[0] + a[1] - b[0] - b[1];
            if (worth_order(&frisian, a, b) != frisian_order(a, b) ||
                worth_order(&international, a, b) != (more > 0) - (more < 0) ||
                worth_order(&english, a, b) != 0)
                cr_assert_fail("%d kings, %d men, by king %d against %d, %d, %d", a[0], a[1], a[2],
                               b[0], b[1], b[2]);
        }
}
