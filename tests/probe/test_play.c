/* Moves, playing and notation without tables, compared with the core. */
#include "core/moves.h"
#include "core/program/index.h"
#include "examples/layouts.h"
#include "probe/list_moves.h"
#include "probe/position.h"
#include "tests/support/handle.h"
#include "tests/support/moves_text.h"

enum { N_STATES = 1000, MAX_MOVES = 128 };

static bool same_position(const einspul_position *a, const einspul_position *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* no padding: see the static assertion */
}
_Static_assert(sizeof(einspul_position) == 40, "four sets and eight bytes");

static const struct move *find(const struct move_list *list, const struct probed_move *move)
{
    for (int i = 0; i < list->n_moves; i++)
        if (list->moves[i].from + 1 == move->from && list->moves[i].to + 1 == move->to &&
            list->moves[i].captured == move->captured)
            return &list->moves[i];
    return NULL;
}

/* The number of moves with these from and to. */
static int n_alike(const struct probed_move *moves, size_t n, const struct probed_move *move)
{
    int n_same = 0;
    for (size_t i = 0; i < n; i++)
        n_same += moves[i].from == move->from && moves[i].to == move->to;
    return n_same;
}

/* Plays the move with these squares; without captured ones, from and to must identify it. */
static einspul_status play_squares(const char *rules, const einspul_position *position, int from,
                                   int to, uint64_t captured, einspul_position *after)
{
    const einspul_move move = {.from = (uint8_t)from, .to = (uint8_t)to, .captured = captured};
    char text[EINSPUL_MOVE_TEXT_SIZE];
    const einspul_status status = einspul_move_write(rules, position, &move, text, NULL);
    return status == EINSPUL_OK ? play_text(rules, position, text, after, NULL) : status;
}

static void expect_played(const char *rules, const einspul_position *position,
                          const struct probed_move *moves, size_t n, const struct probed_move *move)
{
    einspul_position after;
    einspul_error error = {0};
    cr_assert_eq(play_text(rules, position, move->text, &after, &error), EINSPUL_OK, "%s",
                 error.text);
    cr_assert(same_position(&after, &move->after), "%s", move->text);
    cr_assert_eq(play_squares(rules, position, move->from, move->to, move->captured, &after),
                 EINSPUL_OK, "%s", move->text);
    cr_assert(same_position(&after, &move->after), "%s", move->text);
    const einspul_status expected = n_alike(moves, n, move) > 1 ? EINSPUL_BAD_MOVE : EINSPUL_OK;
    cr_assert_eq(play_squares(rules, position, move->from, move->to, 0, &after), expected, "%s",
                 move->text);
}

static void expect_legal_moves(const struct rules *rules, const struct state *state,
                               int *n_ambiguous)
{
    struct probed_move moves[MAX_MOVES];
    einspul_position position;
    einspul_error error = {0};
    struct move_list list;
    size_t n = 0;

    move_list_init(&list);
    cr_assert_eq(moves_generate(rules, state, &list), EINSPUL_OK);
    probe_position_from_state(state, &position);
    cr_assert_eq(all_moves(rules->name, &position, moves, MAX_MOVES, &n, &error), EINSPUL_OK, "%s",
                 error.text);
    cr_assert_eq((int)n, list.n_moves);
    cr_assert_leq(n, (size_t)MAX_MOVES);
    for (size_t i = 0; i < n; i++) {
        const struct move *move = find(&list, &moves[i]);
        einspul_position after;
        cr_assert_not_null(move, "%s", moves[i].text);
        const struct state next = state_after(rules, state, move);
        probe_position_from_state(&next, &after);
        cr_assert(same_position(&after, &moves[i].after), "%s", moves[i].text);
        cr_assert_eq(moves[i].path[0], moves[i].from);
        cr_assert_eq(moves[i].path[moves[i].n_path - 1], moves[i].to);
        cr_assert(i == 0 || move_compare(find(&list, &moves[i - 1]), move) < 0, "out of order");
        *n_ambiguous += n_alike(moves, n, &moves[i]) > 1;
        expect_played(rules->name, &position, moves, n, &moves[i]);
    }
    move_list_free(&list);
}

/* Fails if the library lists other moves than the core generates. */
Test(play, moves_match_core)
{
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        uint64_t seed = 11;
        int n_ambiguous = 0;
        for (int i = 0; i < N_STATES; i++) {
            const struct state state = random_legal_state(&rules, 11, &seed);
            expect_legal_moves(&rules, &state, &n_ambiguous);
        }
        if (rules.pdn_game_type == 40)
            cr_assert_gt(n_ambiguous, 0, "%s: no ambiguous capture was tried", *name);
    }
}

/* Fails if an illegal move is played. */
Test(play, refuses_what_is_not_legal)
{
    static const char *const texts[] = {"",      "32-28",  "28-23",  "28x17",
                                        "46-46", "46-28x", "klingon"};
    einspul_position position;
    einspul_position after;
    einspul_error error = {0};
    cr_assert_eq(einspul_fen_read("frisian", "W:W28,K46:BK43:H0:F1:+0+346", &position, &error),
                 EINSPUL_OK, "%s", error.text);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const bool legal = strcmp(texts[i], "28-23") == 0;
        cr_assert_eq(play_text("frisian", &position, texts[i], &after, &error),
                     legal ? EINSPUL_OK : EINSPUL_BAD_MOVE, "%s", texts[i]);
    }
    /* the king has moved three times in a row; without Article 17 it may continue */
    cr_assert_eq(play_squares("frisian", &position, 46, 41, 0, &after), EINSPUL_BAD_MOVE);
    position.run_count[EINSPUL_WHITE] = 0;
    cr_assert_eq(play_squares("frisian", &position, 46, 41, 0, &after), EINSPUL_OK);
    cr_assert_eq(after.run_count[EINSPUL_WHITE], 1);
    cr_assert_eq(after.run_square[EINSPUL_WHITE], 41);
}

/* Fails if a FEN is not read back as written, or a finished game cannot be written. */
Test(play, fen_round_trip)
{
    einspul_position position;
    einspul_error error = {0};
    char fen[EINSPUL_FEN_SIZE];
    static const char *const texts[] = {"W:W28,K46:BK43:H0:F1:+0+246", "B:WK1,K2:BK50:H7:F1:+0+0",
                                        "W:WK46:BK34:H0:F1:+0+0:LW6"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert_eq(einspul_fen_read("frisian", texts[i], &position, &error), EINSPUL_OK, "%s",
                     error.text);
        cr_assert_eq(einspul_fen_write("frisian", &position, fen, &error), EINSPUL_OK);
        cr_assert_str_eq(fen, texts[i]);
    }
    cr_assert_eq(einspul_fen_read("english", "W:W33:B1", &position, &error), EINSPUL_BAD_FEN);
    cr_assert_eq(einspul_fen_read("frisian", "W:W28:B22", &position, &error), EINSPUL_OK);
    cr_assert_eq(play_text("frisian", &position, "28x17", &position, &error), EINSPUL_OK);
    cr_assert_eq(einspul_fen_write("frisian", &position, fen, &error), EINSPUL_OK);
    cr_assert_str_eq(fen, "B:W17:B");
    cr_assert_eq(einspul_fen_read("frisian", fen, &position, &error), EINSPUL_OK);
}

/* Fails if each call computes the board again, or two threads get different ones. */
Test(play, boards_are_computed_once)
{
    struct rules spare;
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        const struct rules *first = rule_set(*name, &spare, NULL);
        cr_assert(first != NULL && first != &spare);
        cr_assert_eq(rule_set(*name, &spare, NULL), first);
        cr_assert_eq(memcmp(first, &rules, sizeof rules), 0, "%s", *name);
    }
    cr_assert_null(rule_set("klingon", &spare, NULL));
}

/* Fails if a later version's field in a position is ignored. */
Test(play, reserved_bytes_are_zero)
{
    const einspul_position position = {.men = {1u << 30, 1u << 10}, .reserved = 1};
    char fen[EINSPUL_FEN_SIZE];
    cr_assert_eq(einspul_fen_write("frisian", &position, fen, NULL), EINSPUL_BAD_POSITION);
    cr_assert_eq(einspul_moves("klingon", &position, NULL, 0, NULL), -1);
    cr_assert_eq(einspul_moves("frisian", &position, NULL, 0, NULL), -1);
}

/* Converts a set to a layout with ghost squares and back; `mask` has the bits of all squares. Ghost
 * bits are dropped. */
static void expect_layout(uint64_t (*to)(uint64_t), uint64_t (*from)(uint64_t), uint64_t mask)
{
    const uint64_t all = ((uint64_t)1 << 50) - 1;
    uint64_t last = 0;
    cr_assert_eq(to(all), mask);
    cr_assert_eq(to(UINT64_MAX), mask);
    cr_assert_eq(from(UINT64_MAX), all);
    cr_assert_eq(from(~mask), 0);
    for (int square = 1; square <= 50; square++) {
        const uint64_t bit = to((uint64_t)1 << (square - 1));
        cr_assert(bit > last && (bit & (bit - 1)) == 0 && (bit & mask) == bit, "%d", square);
        cr_assert_eq(from(bit), (uint64_t)1 << (square - 1), "%d", square);
        last = bit;
    }
}

/* Fails if an engine with ghost squares probes another position than its own. The masks are those
 * in the engines' sources. */
Test(play, layouts_of_other_engines)
{
    const uint64_t white_men = (((uint64_t)1 << 50) - 1) & ~(uint64_t)0x1f; /* squares 6 to 50 */
    const uint64_t black_men = ((uint64_t)1 << 45) - 1;                     /* 1 to 45 */

    expect_layout(squares_to_scan, squares_from_scan, 0x7df3ef9f7cfbe7df);
    cr_assert_eq(squares_to_scan(white_men), 0x7df3ef9f7cfbe7c0);
    cr_assert_eq(squares_to_scan(black_men), 0x01f3ef9f7cfbe7df);

    expect_layout(squares_to_kingsrow, squares_from_kingsrow, 0x003ff7feffdffbff);
    for (int square = 1; square <= 50; square++)
        cr_assert_eq(squares_to_kingsrow((uint64_t)1 << (square - 1)),
                     (uint64_t)1 << (square - 1 + (square - 1) / 10), "%d", square);
}

/* Fails if an engine gets other moves than the program lists, or the notation of another move. */
Test(play, move_round_trip)
{
    uint64_t seed = 4;
    einspul_position position;
    cr_assert_eq(einspul_fen_read("frisian", "W:WK12,K23,30:BK1,8,19,29,40", &position, NULL),
                 EINSPUL_OK);
    for (int ply = 0; ply < 60; ply++) {
        struct probed_move listed[128];
        einspul_move moves[128];
        size_t n = 0;
        cr_assert_eq(all_moves("frisian", &position, listed, 128, &n, NULL), EINSPUL_OK);
        cr_assert_eq(einspul_moves("frisian", &position, moves, 128, NULL), (int)n);
        for (size_t i = 0; i < n; i++) {
            char text[EINSPUL_MOVE_TEXT_SIZE];
            einspul_position after = position;
            cr_assert(moves[i].from == listed[i].from && moves[i].to == listed[i].to &&
                      moves[i].captured == listed[i].captured);
            cr_assert(moves[i].outcome == EINSPUL_UNKNOWN && moves[i].plies == -1);
            cr_assert(same_position(&moves[i].after, &listed[i].after));
            cr_assert_eq(einspul_move_write("frisian", &position, &moves[i], text, NULL),
                         EINSPUL_OK);
            cr_assert_str_eq(text, listed[i].text);
            cr_assert_eq(einspul_play("frisian", &after, text, NULL), EINSPUL_OK);
            cr_assert(same_position(&after, &moves[i].after));
        }
        if (n == 0)
            break;
        einspul_move none = moves[0];
        none.from = none.to;
        char text[EINSPUL_MOVE_TEXT_SIZE];
        einspul_error error = {0};
        cr_assert_eq(einspul_move_write("frisian", &position, &none, text, &error),
                     EINSPUL_BAD_MOVE);
        position = moves[random_next(&seed) % n].after;
    }
}
