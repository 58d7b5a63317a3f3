/* Positions and moves as text: what is read, what is refused and with which words, and that what is
 * written can be read again. */
#include "core/program/flip.h"
#include "tests/support/moves_text.h"

/* Fails if a spelling of a position is read as another position, which would then be answered. */
Test(fen, spellings)
{
    static const struct {
        const char *text;
        const char *canonical;
    } rows[] = {
        {"W:W28,K46:BK43", "W:W28,K46:BK43"},
        {"W:BK43:W28,K46", "W:W28,K46:BK43"},
        {"B:WK46,28:BK43.", "B:W28,K46:BK43"},
        {" W : W 28 , K46 : B K43 . ", "W:W28,K46:BK43"},
        {"w:w28,k46:bk43", "W:W28,K46:BK43"},
        {"W:W028,K46:BK43", "W:W28,K46:BK43"},
        {"W:W31-33:B1-3", "W:W31,32,33:B1,2,3"},
        {"W:W31-33,K40-42,50:B20", "W:W31,32,33,K40,K41,K42,50:B20"},
        {"W:WK31-K33:B20", "W:WK31,K32,K33:B20"},
        {"W:W31-31:B20", "W:W31:B20"},
        {"W:W28,K46:BK43:H0:F1", "W:W28,K46:BK43"},
        {"W:W28,K46:BK43:F17", "W:W28,K46:BK43"},
        {"W:W28,K46:BK43:H0:F1:+0+0", "W:W28,K46:BK43"},
        {"W:W28,K46:BK43:+0+246", "W:W28,K46:BK43:H0:F1:+0+246"},
        {"W:W28,K46:BK43:H0:F1:+0+246.", "W:W28,K46:BK43:H0:F1:+0+246"},
        {"W:W28,K46:B9,K3:H0:F1:+103+346", "W:W28,K46:BK3,9:H0:F1:+103+346"},
        {"W:WK2,K46:BK20:H5", "W:WK2,K46:BK20:H5:F1:+0+0"},
        {"W:WK2,K46:BK20:H5:F9:+0+0", "W:WK2,K46:BK20:H5:F1:+0+0"},
        {"W:WK2,K46:BK20:H999", "W:WK2,K46:BK20:H255:F1:+0+0"},
        {"W:W28,K46,:BK43,", "W:W28,K46:BK43"},
        {"W:W28,K46:BK43 , .", "W:W28,K46:BK43"},
        {"W:W28,K46,:BK43,:H0:F1", "W:W28,K46:BK43"},
        {"W:WK1-5:BK46-50", "W:WK1,K2,K3,K4,K5:BK46,K47,K48,K49,K50"},
        /* The side to move has lost its last pieces. */
        {"B:WK5:B", "B:WK5:B"},
        {"b : b : w k5 .", "B:WK5:B"},
        {"W:W:BK43.", "W:W:BK43"},
        {"W:W:BK43:H0:F61", "W:W:BK43"},
        {"B:W28,K46:B:H0:F1:+0+246", "B:W28,K46:B:H0:F1:+0+246"},
        {"B:WK5,K6:B:LW9", "B:WK5,K6:B:H0:F1:+0+0:LW9"},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct state state = state_named(&rules, rows[i].text);
        char text[FEN_SIZE];
        fen_write(&rules, &state, text);
        cr_assert_str_eq(text, rows[i].canonical, "%s read as %s", rows[i].text, text);
    }
}

/* Fails if king runs are written in the FEN of another game, where other programs reject them. */
Test(fen, runs_are_written_in_frisian_only)
{
    static const char *const rows[][3] = {
        {"international-fmjd", "W:WK1,K2:BK45:H4", "W:WK1,K2:BK45:H4:F1"},
        {"frisian-lidraughts", "W:WK1,K2:BK45:H4", "W:WK1,K2:BK45:H4:F1:+0+0"},
        {"frisian-no17", "B:WK5,K6:B:LW9", "B:WK5,K6:B:H0:F1:LW9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rules rules = rules_named(rows[i][0]);
        const struct state state = state_named(&rules, rows[i][1]);
        char text[FEN_SIZE];
        fen_write(&rules, &state, text);
        cr_assert_str_eq(text, rows[i][2]);
        const struct state again = state_named(&rules, text);
        cr_assert(again.clock == state.clock && again.limited == state.limited);
    }
}

/* Black's run comes first in the text. Fails if they are swapped, so that the wrong king is
 * bound. */
Test(fen, run_fields)
{
    const struct rules rules = rules_named("frisian");
    const struct state state = state_named(&rules, "W:W28,K46:B9,K3:H0:F1:+103+246");
    cr_assert_eq(state.run[BLACK].count, 1);
    cr_assert_eq(state.run[BLACK].square, 3 - 1);
    cr_assert_eq(state.run[WHITE].count, 2);
    cr_assert_eq(state.run[WHITE].square, 46 - 1);
}

/* Fails if an invalid FEN is accepted: a typo would get an answer. It is refused with a reason and
 * a column. */
Test(fen, mistakes)
{
    static const struct {
        const char *text;
        einspul_status status;
        const char *says;
    } rows[] = {
        {"", EINSPUL_BAD_FEN, "the FEN is empty"},
        {"X:W28:B3", EINSPUL_BAD_FEN, "column 1, found 'X'"},
        {"W", EINSPUL_BAD_FEN, "the FEN ends here"},
        {"W:W28", EINSPUL_BAD_FEN, "the FEN ends here"},
        {"W:W28:", EINSPUL_BAD_FEN, "W or B"},
        {"W W28:B3", EINSPUL_BAD_FEN, "':'"},
        {"W:W28:W30", EINSPUL_BAD_FEN, "White is listed twice"},
        {"W:B28:B30", EINSPUL_BAD_FEN, "Black is listed twice"},
        {"W:W28:B", EINSPUL_BAD_FEN, "Black has no pieces"},
        {"B:W:BK43", EINSPUL_BAD_FEN, "White has no pieces"},
        {"W:W28:B.", EINSPUL_BAD_FEN, "Black has no pieces"},
        {"W:W:B", EINSPUL_BAD_FEN, "Black has no pieces"},
        {"B:B:W", EINSPUL_BAD_FEN, "White has no pieces"},
        {"B:WK5", EINSPUL_BAD_FEN, "the FEN ends here"},
        {"B:WK5:", EINSPUL_BAD_FEN, "W or B"},
        {"B:WK5:B,", EINSPUL_BAD_FEN, "square number"},
        {"B:W28,K46:B:+143+0", EINSPUL_BAD_POSITION, "Black's king run"},
        {"W:W28,,:B3", EINSPUL_BAD_FEN, "square number"},
        {"W:W,28:B3", EINSPUL_BAD_FEN, "square number"},
        {"W:WK:B3", EINSPUL_BAD_FEN, "square number"},
        {"W:WM28:B3", EINSPUL_BAD_FEN, "found 'M'"},
        {"W:W0:B3", EINSPUL_BAD_FEN, "square 0 at column 4"},
        {"W:W51:B3", EINSPUL_BAD_FEN, "square 51 at column 4"},
        {"W:W28:B3,K99", EINSPUL_BAD_FEN, "square 99"},
        {"W:W28:B3,K9999999999", EINSPUL_BAD_FEN, "not on the board"},
        {"W:W28-51:B3", EINSPUL_BAD_FEN, "square 51"},
        {"W:W-28:B3", EINSPUL_BAD_FEN, "square number"},
        {"W:W33-31:B3", EINSPUL_BAD_FEN, "33-31"},
        {"W:W28,28:B3", EINSPUL_BAD_FEN, "square 28"},
        {"W:W28,K28:B3", EINSPUL_BAD_FEN, "square 28"},
        {"W:W28:BK28", EINSPUL_BAD_FEN, "square 28"},
        {"W:W20-30:B10-21", EINSPUL_BAD_FEN, "square 20"},
        {"W:W5:B20", EINSPUL_BAD_FEN, "white man cannot stand on 5"},
        {"W:W28:B46", EINSPUL_BAD_FEN, "black man cannot stand on 46"},
        {"W:W28:B40-50", EINSPUL_BAD_FEN, "black man cannot stand on 46"},
        {"W:W28:B3 x", EINSPUL_BAD_FEN, "found 'x'"},
        {"W:W28:B3..", EINSPUL_BAD_FEN, "found '.'"},
        {"W:W28:B3:G4", EINSPUL_BAD_FEN, "found 'G'"},
        {"W:WK2,K46:BK20:H", EINSPUL_BAD_FEN, "plies"},
        {"W:WK2,K46:BK20:F", EINSPUL_BAD_FEN, "move number"},
        {"W:W28,K46:BK43:+0", EINSPUL_BAD_FEN, "White's king run"},
        {"W:W28,K46:BK43:+0+", EINSPUL_BAD_FEN, "king run"},
        {"W:W28,K46:BK43:+0+2", EINSPUL_BAD_FEN, "two digits"},
        {"W:W28,K46:BK43:+0+24", EINSPUL_BAD_FEN, "two digits"},
        {"W:W28,K46:BK43:+0+2466", EINSPUL_BAD_FEN, "found '6'"},
        {"W:W28,K46:BK43:+0+251", EINSPUL_BAD_FEN, "square 51"},
        {"W:W28,K46:BK43:+0+200", EINSPUL_BAD_FEN, "square 0"},
        {"W:W28,K46:BK43:+0+246:F1", EINSPUL_BAD_FEN, "unexpected text after the king runs"},
        {"W:W28,K46:BK43:+0+446", EINSPUL_BAD_POSITION, "is 4 (at most 3)"},
        {"W:W28,K46:BK43:+0+228", EINSPUL_BAD_POSITION, "names 28"},
        {"W:W28,K46:BK43:+0+243", EINSPUL_BAD_POSITION, "names 43"},
        {"W:W28,K46:BK43:+143+0", EINSPUL_BAD_POSITION, "Black has a king run but no man"},
        {"W:W28,K46:BK43:H3", EINSPUL_BAD_POSITION, "a clock is given"},
        {"W:W28,K46:BK43:H999999", EINSPUL_BAD_POSITION, "a clock is given"},
        {"W:WK2,K46,K47:BK43:H1", EINSPUL_BAD_POSITION, "a clock is given"},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct state state;
        einspul_error error = {0};
        const einspul_status status = fen_read(&rules, rows[i].text, &state, NULL, &error);
        cr_assert_eq(status, rows[i].status, "'%s': %s (%s)", rows[i].text,
                     einspul_status_name(status), error.text);
        cr_assert_eq(error.status, status);
        cr_assert_not_null(strstr(error.text, rows[i].says), "'%s': '%s' does not say '%s'",
                           rows[i].text, error.text, rows[i].says);
        cr_assert_eq(fen_read(&rules, rows[i].text, &state, NULL, NULL), status);
    }
}

/* Like mistakes, but under other rules: a smaller board, no runs, no clock. Fails if a state that
 * the rules do not have is looked up. */
Test(fen, mistakes_under_other_rules)
{
    static const struct {
        const char *rules;
        const char *text;
        einspul_status status;
        const char *says;
    } rows[] = {
        {"english", "B:W33:B3", EINSPUL_BAD_FEN, "square 33"},
        {"english", "B:W4:B12", EINSPUL_BAD_FEN, "white man cannot stand on 4"},
        {"english", "B:W20:B29", EINSPUL_BAD_FEN, "black man cannot stand on 29"},
        {"english", "B:W20,K5:B12:+0+105", EINSPUL_BAD_POSITION, "english"},
        {"frisian-no17", "W:W28,K46:BK43:+0+246", EINSPUL_BAD_POSITION, "frisian-no17"},
        {"frisian-free", "W:W28,K46:BK43:+0+246", EINSPUL_BAD_POSITION, "frisian-free"},
        {"international", "W:W28,K46:BK43:+0+246", EINSPUL_BAD_POSITION, "international"},
        {"frisian-no18", "W:WK2,K46:BK20:H5", EINSPUL_BAD_POSITION, "a clock is given"},
        {"international", "W:WK2,K46:BK20:H5", EINSPUL_BAD_POSITION, "a clock is given"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rules rules = rules_named(rows[i].rules);
        struct state state;
        einspul_error error = {0};
        cr_assert_eq(fen_read(&rules, rows[i].text, &state, NULL, &error), rows[i].status, "%s %s",
                     rows[i].rules, rows[i].text);
        cr_assert_not_null(strstr(error.text, rows[i].says), "%s %s: '%s'", rows[i].rules,
                           rows[i].text, error.text);
    }
}

/* Fails if a state that no text can describe is accepted from a program. */
Test(fen, state_check)
{
    const struct rules rules = rules_named("frisian");
    const struct state good = state_named(&rules, "W:W28,K46:B9,K3:H0:F1:+103+246");
    einspul_error error;
    struct state bad;

    cr_assert_eq(state_check(&rules, &good, &error), EINSPUL_OK);
    bad = good;
    bad.at.kings[WHITE] |= square_bit(50);
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
    cr_assert_not_null(strstr(error.text, "square 51"));
    bad = good;
    bad.at.men[BLACK] |= square_bit(27);
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
    cr_assert_not_null(strstr(error.text, "square 28 is used twice"));
    bad = good;
    bad.at.men[WHITE] |= square_bit(4);
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
    cr_assert_not_null(strstr(error.text, "white man cannot stand on 5"));
    bad = good;
    bad.at.men[BLACK] = bad.at.kings[BLACK] = 0;
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
    cr_assert_not_null(strstr(error.text, "Black has no pieces"));
    bad = good;
    bad.run[WHITE].square = 200;
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
    bad = good;
    bad.at.side = (enum side)2;
    cr_assert_eq(state_check(&rules, &bad, &error), EINSPUL_BAD_POSITION);
}

/* Fails if writing and reading a state, or rotating it twice, changes it: a line of play copied
 * from one program into another would then differ. */
Test(fen, round_trip)
{
    uint64_t seed = 7;
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        for (int i = 0; i < 20000; i++) {
            const struct state state = random_legal_state(&rules, 25, &seed);
            const struct state flipped = state_flip(&rules.board, &state);
            const struct state back = state_flip(&rules.board, &flipped);
            char text[FEN_SIZE];
            fen_write(&rules, &state, text);
            const struct state again = state_named(&rules, text);
            cr_assert(state_equal(&again, &state), "%s %s", *name, text);
            cr_assert(state_equal(&back, &state), "%s %s flipped twice", *name, text);
            cr_assert_eq(state_check(&rules, &flipped, NULL), EINSPUL_OK, "%s %s", *name, text);
        }
    }
}

/* A full board has the longest text. */
Test(fen, longest_text_fits)
{
    const struct rules rules = rules_named("frisian");
    struct state state = {0};
    char text[FEN_SIZE];
    state.at.kings[WHITE] = square_bit(25) - 1;
    state.at.kings[BLACK] = rules.board.all & ~state.at.kings[WHITE];
    fen_write(&rules, &state, text);
    cr_assert_lt(strlen(text) + strlen(":H255:F1:+350+350"), FEN_SIZE);
    const struct state again = state_named(&rules, text);
    cr_assert(state_equal(&again, &state));
}

/* Fails if the text of a legal move is read as another move: a program that sends its answer as
 * text would then play something else. */
Test(move_text, round_trip)
{
    uint64_t seed = 11;
    int n_full_paths = 0;
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        struct move_list list;
        move_list_init(&list);
        for (int i = 0; i < 20000; i++) {
            const struct state state = random_legal_state(&rules, 25, &seed);
            cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
            for (int j = 0; j < list.n_moves; j++) {
                char text[MOVE_TEXT_SIZE];
                char fen[FEN_SIZE];
                move_write(&list, &list.moves[j], text);
                fen_write(&rules, &state, fen);
                cr_assert_eq(move_read(&list, text), &list.moves[j], "%s %s %s", *name, fen, text);
                const char *x = strchr(text, 'x');
                n_full_paths += x != NULL && strchr(x + 1, 'x') != NULL;
            }
        }
        move_list_free(&list);
    }
    cr_assert_gt(n_full_paths, 0, "no ambiguous capture was met");
}

/* Two paths from 22 to 6: only the full path identifies one, and the short text is ambiguous. */
Test(move_text, ambiguous_captures)
{
    const struct rules rules = rules_named("english");
    const struct state state = state_named(&rules, "W:W22:B9,10,17,18");
    struct move_list list;
    char text[MOVE_TEXT_SIZE];

    move_list_init(&list);
    cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
    cr_assert_eq(list.n_moves, 2);
    const struct move *west = move_read(&list, "22x13x6");
    const struct move *east = move_read(&list, "22x15x6");
    cr_assert_not_null(west);
    cr_assert_not_null(east);
    cr_assert_eq(west->captured, square_bit(17 - 1) | square_bit(9 - 1));
    cr_assert_eq(east->captured, square_bit(18 - 1) | square_bit(10 - 1));
    move_write(&list, west, text);
    cr_assert_str_eq(text, "22x13x6");
    move_write(&list, east, text);
    cr_assert_str_eq(text, "22x15x6");
    cr_assert_null(move_read(&list, "22x6"));
    move_list_free(&list);
}

/* Short texts where they suffice; full paths are accepted everywhere, anything else is refused. */
Test(move_text, forms)
{
    const struct rules rules = rules_named("frisian");
    struct move_list list;
    char text[MOVE_TEXT_SIZE];
    static const char *const wrong[] = {"",       "23",     "23x",    "23-25", "23x2",
                                        "23x255", "23x25x", "23x25 ", "x25",   "32x25"};

    move_list_init(&list);
    struct state state = state_named(&rules, "W:W23:B4,13,15");
    cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
    cr_assert_eq(list.n_moves, 1);
    move_write(&list, &list.moves[0], text);
    cr_assert_str_eq(text, "23x25");
    cr_assert_eq(move_read(&list, "23x25"), &list.moves[0]);
    cr_assert_eq(move_read(&list, "23x3x5x25"), &list.moves[0]);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_assert_null(move_read(&list, wrong[i]), "'%s'", wrong[i]);

    state = state_named(&rules, "W:W32,38:B3");
    cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
    const struct move *move = move_read(&list, "32-28");
    cr_assert_not_null(move);
    cr_assert_eq(move->from, 32 - 1);
    cr_assert_eq(move->to, 28 - 1);
    move_write(&list, move, text);
    cr_assert_str_eq(text, "32-28");
    cr_assert_null(move_read(&list, "32x28"));
    cr_assert_null(move_read(&list, "28-32"));
    move_list_free(&list);
}
