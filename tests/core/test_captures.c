/* Legal captures, one position per row, derived by hand from the rules; each is also tested
 * rotated. */
#include "core/captures.h"
#include "core/moves.h"
#include "core/program/index.h"
#include "core/rank.h"
#include "tests/support/moves_text.h"

struct row {
    const char *fen;
    const char *moves; /* all legal moves; captured squares after the slash */
};

static void expect_rows(const char *name, const struct row *rows, size_t n_rows)
{
    const struct rules rules = rules_named(name);
    for (size_t i = 0; i < n_rows; i++)
        expect_moves(&rules, rows[i].fen, rows[i].moves);
}

#define EXPECT_ROWS(name, rows) expect_rows(name, rows, sizeof(rows) / sizeof(rows)[0])

/* The published examples. Fails if the tables are of another game than Frisian draughts. */
Test(captures, frisian_examples)
{
    static const struct row rows[] = {
        {"W:W12,50:BK9,K13,32,38,44", "12x3/9.13=K"},
        {"W:W39,42:B12,17,27,K29,K33,37", "42x13/12.17.27.37"},
        {"W:W29,46:B14,19,34,39,K41,K42,44,K47", "46x46/41.42.47"},
        {"W:W26,K27:B21", "27x16/21"},
        {"W:WK23,32:BK33,K37", "23x43/33"},
        {"W:W28:B9,18,20,29", "28x28/9.18.20.29"},
        {"W:WK27:B8,18,34,38", "27x2/8.34.38"},
        {"W:WK28:BK8",
         "28-22 28-17 28-11 28-6 28-23 28-19 28-14 28-10 28-5 28-32 28-37 28-41 28-46 "
         "28-33 28-39 28-44 28-50"},
        {"W:W23:B4,13,15", "23x25/4.13.15"},
    };
    EXPECT_ROWS("frisian", rows);
}

/* A man on 28 and one enemy next to it, on each of the eight lines; a king on 28 may stop on any
 * square beyond. Fails if a line is missing or bends, so that the tables miss a capture. */
Test(captures, frisian_eight_lines)
{
    static const struct row rows[] = {
        {"W:W28:B18", "28x8/18"},
        {"W:W28:B29", "28x30/29"},
        {"W:W28:B38", "28x48/38"},
        {"W:W28:B27", "28x26/27"},
        {"W:W28:B22", "28x17/22"},
        {"W:W28:B23", "28x19/23"},
        {"W:W28:B32", "28x37/32"},
        {"W:W28:B33", "28x39/33"},
        {"W:WK28:B18", "28x8/18"},
        {"W:WK28:B29", "28x30/29"},
        {"W:WK28:B38", "28x48/38"},
        {"W:WK28:B27", "28x26/27"},
        {"W:WK28:B22", "28x17/22 28x11/22 28x6/22"},
        {"W:WK28:B23", "28x19/23 28x14/23 28x10/23 28x5/23"},
        {"W:WK28:B32", "28x37/32 28x41/32 28x46/32"},
        {"W:WK28:B33", "28x39/33 28x44/33 28x50/33"},
        {"W:WK48:B38", "48x28/38 48x18/38 48x8/38"},
        {"W:WK46:B28", "46x23/28 46x19/28 46x14/28 46x10/28 46x5/28"},
        {"W:WK30:B28", "30x27/28 30x26/28"},
        {"W:WK35:BK13", "35x8/13 35x2/13"},
        /* two in a row cannot be jumped, nor one at the edge, nor an own piece */
        {"W:WK36:B22,27", "36-31 36-41 36-47"},
        {"W:WK36,27:B22", "27x18/22"},
        {"W:W29:B30", "29-23 29-24"},
    };
    EXPECT_ROWS("frisian", rows);
}

/* Capture precedence: the value 2k+m, then fewer kings, then a king captures. Fails if one of the
 * three is missing or swapped, so that forced moves become free or free ones forced. */
Test(captures, frisian_capture_precedence)
{
    static const struct row rows[] = {
        {"W:W43:BK42,44", "43x41/42"},          /* a king before a man */
        {"W:W41:B38,K39,42", "41x34/39.42"},    /* a king and a man before two men */
        {"W:W28:B12,22,23,K33", "28x8/12.22"},  /* two men before one king */
        {"W:W17,28:B11,22,23,K33", "28x39/33"}, /* a king before single men */
        {"W:WK26,K45:BK8,10,31", "26x5/10.31"}, /* two men before a king, by kings */
        {"W:WK2,28:B32", "2x42/32"},            /* equal: the king captures */
        {"W:WK15,22:B14,27", "15x13/14 15x12/14 15x11/14"},
        {"W:W28,K45:B22,K44", "45x12/22.44 45x2/22.44"}, /* the king, because it takes more */
        {"W:W37,K47:B22,K24,31,32", "37x17/22.32"},      /* fewer kings, then by a king */
        {"W:W28,38:B22,33", "28x17/22 28x39/33 38x29/33"},
        {"W:W28:B22,23", "28x17/22 28x19/23"}, /* nothing else restricts the choice */
    };
    EXPECT_ROWS("frisian", rows);
}

/* Captured pieces stay and block until the end, none is jumped twice, the square left is empty, and
 * the end square may be the start. */
Test(captures, frisian_pieces_removed_after_capture)
{
    static const struct row rows[] = {
        /* over 12 to 7 or 1 the king cannot turn back along that line to reach 40: 12 still
         * stands */
        {"W:WK18:B12,K22,40", "18x27/22 18x31/22 18x36/22"},
        /* 32x34x19x41 passes over 32, where the king came from */
        {"W:WK32:BK30,33,37", "32x41/30.33.37 32x46/30.33.37"},
        /* beyond 14 the king cannot go back over it to reach 44 */
        {"W:WK28:B14,44", "28x10/14 28x5/14 28x50/44"},
        /* 1x29x26: from 26 the way to K48 leads nowhere, and 27 may not be jumped back */
        {"W:WK1,22:BK12,27,K48", "1x26/12.27"},
    };
    EXPECT_ROWS("frisian", rows);
}

/* Fails if a man is crowned where its move does not end, so that it continues as a king, or if it
 * is crowned after passing the row. */
Test(captures, frisian_promotion)
{
    static const struct row rows[] = {
        {"W:W12:B8", "12x3/8=K"},     {"W:W12:B8,14", "12x3/8=K"}, /* a king on 3 could take 14 */
        {"W:W14:B8,9", "14x12/8.9"}, /* touches 3, ends on 12, a man */
        {"W:W8:BK50", "8-2=K 8-3=K"}, {"W:W12:BK50", "12-7 12-8"},
    };
    EXPECT_ROWS("frisian", rows);
}

/* The squares on which a lone man or king from anywhere can capture a piece. */
static squares_t capturable(const struct rules *rules, bool by_king)
{
    const struct board *board = &rules->board;
    squares_t found = 0;
    for (int side = WHITE; side <= BLACK; side++)
        for (int from = 0; from < board->n_squares; from++)
            for (int victim = 0; victim < board->n_squares; victim++) {
                struct placement at = {.side = (enum side)side};
                if (from == victim ||
                    (!by_king && (board->promotion[side] & square_bit(from)) != 0))
                    continue;
                *(by_king ? &at.kings[side] : &at.men[side]) = square_bit(from);
                at.kings[!side] = square_bit(victim);
                if (placement_has_capture(rules, &at))
                    found |= square_bit(victim);
            }
    return found;
}

/* Frisian pieces on 1, 5, 6, 45, 46 and 50 are safe; under diagonal rules all edge squares are.
 * Fails if a line leaves the board or wraps around its edge. */
Test(captures, safe_squares)
{
    static const int frisian_safe[] = {1, 5, 6, 45, 46, 50};
    static const char *const names[] = {"frisian", "international", "english", "brazilian"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct rules rules = rules_named(names[i]);
        const int per_row = rules.board.n_rows / 2;
        squares_t safe = 0;
        if (i == 0) {
            for (size_t j = 0; j < sizeof frisian_safe / sizeof frisian_safe[0]; j++)
                safe |= square_bit(frisian_safe[j] - 1);
        } else {
            for (int square = 0; square < rules.board.n_squares; square++) {
                const int row = square / per_row;
                const int column = 2 * (square % per_row) + (row % 2 == 0 ? 1 : 0);
                if (row == 0 || column == 0 || row == rules.board.n_rows - 1 ||
                    column == rules.board.n_rows - 1)
                    safe |= square_bit(square);
            }
        }
        for (int by_king = 0; by_king < 2; by_king++)
            cr_assert_eq(rules.board.all & ~capturable(&rules, by_king != 0), safe, "%s, by a %s",
                         names[i], by_king ? "king" : "man");
    }
}

/* International: the number of pieces is all that counts, along diagonals only. */
Test(captures, international)
{
    static const struct row rows[] = {
        {"W:W28:B18", "28-22 28-23"}, /* nothing along the columns and rows */
        {"W:WK46:BK36,K48", "46-41 46-37 46-32 46-28 46-23 46-19 46-14 46-10 46-5"},
        {"W:W28:B32,33", "28x37/32 28x39/33"},  /* men capture backward */
        {"W:W28:BK22,23", "28x17/22 28x19/23"}, /* a king counts as one */
        {"W:W13,28:B9,10,K22", "13x15/9.10"},
        {"W:W28,38:B22,32,K33,43", "28x48/33.43 38x18/22.32"},
        {"W:WK26,38:B31,33", "26x37/31 26x42/31 26x48/31 38x29/33"}, /* a king has no precedence */
        {"W:WK45:BK18", "45x12/18 45x7/18 45x1/18"},
        {"W:WK22:BK17,44", "22x11/17 22x6/17 22x50/44"}, /* 17 still stands, behind the king */
        {"W:WK41:B14,19,32", "41x28/32 41x23/32"},
        {"W:W12:B8,9", "12x14/8.9"}, /* touches 3, ends a man */
        {"W:W13:B8,9", "13x2/8=K 13x4/9=K"},
        {"W:WK1,K25:B13,14,30,32", "25x20/13.14.30.32 25x25/13.14.30.32"},
    };
    EXPECT_ROWS("international", rows);
}

/* English: men capture forward only, kings one square; any capture may be chosen but must be
 * completed; reaching the king row ends it. */
Test(captures, english)
{
    static const struct row rows[] = {
        {"W:W19:BK23,K24", "19-15 19-16"},
        {"W:WK19:B15,23", "19x10/15 19x26/23"},
        {"W:WK19:B7", "19-15 19-16 19-23 19-24"}, /* not adjacent */
        {"W:WK32:B23", "32-27 32-28"},
        {"W:W22,25:B10,11,17,18", "22x13/17 22x6/10.18 22x8/11.18"}, /* one or two, never half */
        {"W:W10,K32:B7,27", "10x3/7=K 32x23/27"},                    /* a king has no precedence */
        {"W:W10:B7,8", "10x3/7=K"},                                  /* a king on 3 could take 8 */
        {"W:WK22:B9,10,17,18", "22x22/9.10.17.18"}, /* all the way round: one move */
        {"W:W22:B9,10,17,18", "22x6/10.18 22x6/9.17"},
        {"W:W6:BK32", "6-1=K 6-2=K"},
    };
    EXPECT_ROWS("english", rows);
}

/* A placement of at most `most` random pieces, some of each side. */
static struct placement random_placement(const struct rules *rules, uint64_t *seed, int most)
{
    for (;;) {
        struct placement at = {.side = (enum side)random_below(seed, 2)};
        const int n_pieces = 2 + random_below(seed, most - 1);
        for (int piece = 0; piece < n_pieces; piece++) {
            const squares_t bit = square_bit(random_below(seed, rules->board.n_squares));
            const int side = random_below(seed, 2);
            if ((placement_occupied(&at) & bit) != 0)
                continue;
            if (random_below(seed, 2) == 0 || (bit & rules->board.promotion[side]) != 0)
                at.kings[side] |= bit;
            else
                at.men[side] |= bit;
        }
        if (placement_own(&at, WHITE) != 0 && placement_own(&at, BLACK) != 0)
            return at;
    }
}

/* More moves than the list holds at first, and than it holds after growing once, counted along the
 * rays. Fails if a list that grows loses moves or overwrites memory. */
Test(simple_moves, long_lists)
{
    const struct rules rules = rules_named("frisian");
    const struct board *board = &rules.board;
    uint64_t seed = 5;
    int longest = 0;
    squares_t edge = board->promotion[WHITE] | board->promotion[BLACK]; /* long ways to go */
    struct move_list list;
    move_list_init(&list);
    for (int square = 5; square < 45; square += 10)
        edge |= square_bit(square) | square_bit(square + 9);
    for (int n = 0; n < 2000; n++) {
        struct state state = {0};
        int expected = 0;
        while (bits_count(state.at.kings[WHITE]) < 4 + n % 12)
            state.at.kings[WHITE] |= square_bit(random_below(&seed, board->n_squares)) & edge;
        for (squares_t left = state.at.kings[WHITE]; left != 0; left &= left - 1)
            for (int direction = NORTH_WEST; direction <= SOUTH_EAST; direction++) {
                int to = board->next[direction][bits_first(left)];
                for (; to != NO_SQUARE && (state.at.kings[WHITE] & square_bit(to)) == 0;
                     to = board->next[direction][to])
                    expected++;
            }
        cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
        cr_assert_eq(list.n_moves, expected);
        for (int i = 1; i < list.n_moves; i++)
            cr_assert(list.moves[i].from != list.moves[i - 1].from ||
                      list.moves[i].to != list.moves[i - 1].to);
        longest = list.n_moves > longest ? list.n_moves : longest;
    }
    cr_assert_gt(longest, 2 * MOVES_INLINE, "longest list: %d", longest);
    move_list_free(&list);
}

/* Random king runs if the rules have them, and a clock. */
static struct state random_state(const struct rules *rules, const struct placement *at,
                                 uint64_t *seed)
{
    struct state state = {.at = *at};
    for (int side = WHITE; side <= BLACK; side++) {
        if (!placement_has_runs(rules, at, (enum side)side))
            continue;
        squares_t kings = at->kings[side];
        for (int skip = random_below(seed, bits_count(kings)); skip > 0; skip--)
            kings &= kings - 1;
        state.run[side].count = (uint8_t)random_below(seed, rules->king_run_limit + 1);
        if (state.run[side].count > 0)
            state.run[side].square = (uint8_t)bits_first(kings);
    }
    if (placement_limit(rules, at) > 0)
        state.clock = (uint8_t)random_below(seed, 20);
    return state;
}

static bool is_move(const struct capture *capture, const struct move *move)
{
    return capture->from == move->from && capture->to == move->to &&
           capture->captured == move->captured && capture->by_king == move->by_king &&
           capture->promotes == move->promotes;
}

/* The index of a capture in the list of moves; checks that both lead to the same state. */
static int expect_move(const struct rules *rules, const struct state *state,
                       const struct capture *capture, const struct move_list *list)
{
    struct state after;
    int at = 0;
    while (at < list->n_moves && !is_move(capture, &list->moves[at]))
        at++;
    cr_assert_lt(at, list->n_moves, "a capture that is no legal move");
    state_after_capture(state, capture, &after);
    struct state expected = state_after(rules, state, &list->moves[at]);
    if (state_limit(rules, state) > 0)
        expected.clock = expected.limited = 0; /* the quick search does not report it */
    cr_assert(state_equal(&after, &expected));
    return at;
}

/* Checks that both lists hold the same captures, with the same resulting states. Returns their
 * number. */
static int expect_same_captures(const struct rules *rules, const struct state *state,
                                struct move_list *list)
{
    struct capture captures[CAPTURES_ROOM];
    bool found[4096] = {false};
    const squares_t enemy = placement_own(&state->at, side_other(state->at.side));
    bool takes_all = false;

    cr_assert_eq(moves_captures(rules, &state->at, list), EINSPUL_OK);
    cr_assert_leq(list->n_moves, 4096);
    cr_assert_eq(list->n_moves > 0, placement_has_capture(rules, &state->at));
    const int n = captures_list(rules, &state->at, captures);
    for (int i = 0; i < n; i++) {
        found[expect_move(rules, state, &captures[i], list)] = true;
        takes_all = takes_all || captures[i].captured == enemy;
    }
    cr_assert(!takes_all || n == 1);
    for (int i = 0; i < list->n_moves && n != CAPTURES_MANY && !takes_all; i++)
        cr_assert(found[i] && list->moves[i].captured != enemy, "a legal capture is missing");
    return takes_all ? 1 : list->n_moves;
}

/* Fails if the quick or the thorough search finds other captures than the search with paths, on any
 * placement of two and three pieces and on random larger ones. */
Test(captures, searches_agree_with_list)
{
    uint64_t seed = 3;
    int most = 0;
    struct move_list list;
    move_list_init(&list);
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        struct material materials[MAX_MATERIALS];
        const int n_materials = material_list(2, 3, materials);
        for (int i = 0; i < n_materials; i++) {
            struct shape shape;
            shape_init(&shape, &rules, &materials[i]);
            for (uint64_t index = 0; index < 2 * shape.n_placements; index++) {
                struct placement at;
                if (!shape_unrank(&shape, index / 2, index % 2 == 0 ? WHITE : BLACK, &at))
                    continue;
                const struct state state = random_state(&rules, &at, &seed);
                expect_same_captures(&rules, &state, &list);
            }
        }
        for (int n = 0; n < 300000; n++) {
            const struct placement at = random_placement(&rules, &seed, n % 10 == 0 ? 20 : 8);
            const struct state state = random_state(&rules, &at, &seed);
            const int n_captures = expect_same_captures(&rules, &state, &list);
            most = n_captures > most ? n_captures : most;
        }
    }
    cr_assert_gt(most, CAPTURES_ROOM, "no list was longer than its room: %d", most);
    move_list_free(&list);
}
