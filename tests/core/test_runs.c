/* The rule state: king runs (Article 17), the 2K v 1K clock (Article 18); and the byte encoding of
 * values. */
#include "core/material.h"
#include "core/program/flip.h"
#include "core/program/materials.h"
#include "core/program/plies.h"
#include "core/value.h"
#include "tests/support/moves_text.h"

#include <sys/stat.h>

struct event {
    const char *before;
    const char *move;
    const char *after;
};

/* Checks that the move is legal and leads from one state to the other, for both colours. */
static void expect_event(const struct rules *rules, const struct event *event)
{
    const struct board *board = &rules->board;
    const struct state before = state_named(rules, event->before);
    const struct state expected = state_named(rules, event->after);
    const struct state flipped = state_flip(board, &before);
    const struct state expected_flipped = state_flip(board, &expected);
    struct state after;
    struct move_list list;
    char text[FEN_SIZE];
    bool found = false;

    move_list_init(&list);
    cr_assert_eq(moves_generate(rules, &before, &list), EINSPUL_OK);
    const struct move *named = move_read(&list, event->move);
    cr_assert_not_null(named, "%s: %s is not legal", event->before, event->move);
    const struct move move = *named;
    after = state_after(rules, &before, &move);
    fen_write(rules, &after, text);
    cr_assert(state_equal(&after, &expected), "%s %s: %s leads to %s, expected %s", rules->name,
              event->before, event->move, text, event->after);
    cr_assert_eq(state_check(rules, &after, NULL), EINSPUL_OK);

    cr_assert_eq(moves_generate(rules, &flipped, &list), EINSPUL_OK);
    for (int i = 0; i < list.n_moves && !found; i++) {
        const struct move back = move_flip(board, &list.moves[i]);
        found = back.from == move.from && back.to == move.to && back.captured == move.captured;
        if (found) {
            after = state_after(rules, &flipped, &list.moves[i]);
            fen_write(rules, &after, text);
            cr_assert(state_equal(&after, &expected_flipped), "%s flipped: %s leads to %s",
                      event->before, event->move, text);
        }
    }
    cr_assert(found, "%s flipped: %s is not legal", event->before, event->move);
    move_list_free(&list);
}

static void expect_events(const char *name, const struct event *events, size_t n_events)
{
    const struct rules rules = rules_named(name);
    for (size_t i = 0; i < n_events; i++)
        expect_event(&rules, &events[i]);
}

#define EXPECT_EVENTS(name, events) expect_events(name, events, sizeof(events) / sizeof(events)[0])

/* The king run, event by event. Fails if a king may make a fourth move, or not a legal one; most
 * values with kings and men depend on it. */
Test(runs, simple_king_moves)
{
    static const struct event events[] = {
        {"W:W28,K46:BK3", "46-41", "B:W28,K41:BK3:H0:F1:+0+141"},
        {"W:W28,K46:BK3:H0:F1:+0+146", "46-41", "B:W28,K41:BK3:H0:F1:+0+241"},
        {"W:W28,K46:BK3:H0:F1:+0+246", "46-32", "B:W28,K32:BK3:H0:F1:+0+332"},
        /* another king starts at 1, however far the first one had run */
        {"W:W28,K46,K47:BK3:H0:F1:+0+147", "46-41", "B:W28,K41,K47:BK3:H0:F1:+0+141"},
        {"W:W28,K46,K47:BK3:H0:F1:+0+347", "46-41", "B:W28,K41,K47:BK3:H0:F1:+0+141"},
        /* a king on a lower square does not change which king runs */
        {"W:W28,K46,K47:BK3:H0:F1:+0+247", "47-36", "B:W28,K36,K46:BK3:H0:F1:+0+336"},
        /* a side without men has no run */
        {"W:WK46:B9,K3", "46-41", "B:WK41:B9,K3"},
        {"W:WK46,K47:B9,K3", "46-41", "B:WK41,K47:B9,K3"},
        /* both sides have a run */
        {"W:W28,K46:B20,K3:H0:F1:+203+146", "46-41", "B:W28,K41:B20,K3:H0:F1:+203+241"},
    };
    EXPECT_EVENTS("frisian", events);
    EXPECT_EVENTS("frisian-no18", events);
}

Test(runs, moves_that_end_the_own_run)
{
    static const struct event events[] = {
        {"W:W28,K46:BK3:H0:F1:+0+246", "28-22", "B:W22,K46:BK3"},
        {"W:W28,K46:BK3:H0:F1:+0+346", "28-22", "B:W22,K46:BK3"},
        {"W:W8,28,K46:BK25:H0:F1:+0+246", "8-2", "B:W28,K2,K46:BK25"}, /* a promotion */
        {"W:W8,K46:BK25:H0:F1:+0+246", "8-2", "B:WK2,K46:BK25"},       /* of the last man */
        {"W:W28,K46:B20,K36:H0:F1:+0+346", "46x26", "B:W28,K26:B20"},  /* the running king takes */
        {"W:W28,K45,K46:B21,K35:H0:F1:+0+346", "45x25", "B:W28,K25,K46:B21"}, /* another king */
        {"W:W28,K46:B20,22:H0:F1:+0+346", "28x17", "B:W17,K46:B20"},          /* a man */
        {"W:W12,K46:B8,20:H0:F1:+0+246", "12x3", "B:WK3,K46:B20"}, /* the last man, promoting */
    };
    EXPECT_EVENTS("frisian", events);
}

Test(runs, moves_of_the_opponent)
{
    static const struct event events[] = {
        /* nothing happens to the run */
        {"B:W28,K46:BK3:H0:F1:+0+246", "3-9", "W:W28,K46:BK9:H0:F1:+0+246"},
        {"B:W28,K46:B10,K3:H0:F1:+0+346", "10-15", "W:W28,K46:B15,K3:H0:F1:+0+346"},
        /* the running king is captured; another king is */
        {"B:W15,K23,K46:B18:H0:F1:+0+323", "18x29", "W:W15,K46:B29"},
        {"B:W15,K23,K46:B18:H0:F1:+0+246", "18x29", "W:W15,K46:B29:H0:F1:+0+246"},
        /* the last man is captured; one of two is */
        {"B:W23,K46:B18:H0:F1:+0+246", "18x29", "W:WK46:B29"},
        {"B:W15,23,K46:B18:H0:F1:+0+246", "18x29", "W:W15,K46:B29:H0:F1:+0+246"},
        /* the capture ends the mover's run, not the other's */
        {"W:W28,K46:B9,22,K3:H0:F1:+203+146", "28x17", "B:W17,K46:B9,K3:H0:F1:+203+0"},
        {"W:W28,K46:B22,K3:H0:F1:+203+0", "28x17", "B:W17,K46:BK3"},
    };
    EXPECT_EVENTS("frisian", events);
}

/* Fails if there are runs without Article 17: the tables would then have unreachable states. */
Test(runs, none_without_the_article)
{
    static const struct event events[] = {{"W:W28,K46:BK3", "46-41", "B:W28,K41:BK3"}};
    EXPECT_EVENTS("frisian-no17", events);
    EXPECT_EVENTS("frisian-free", events);
    EXPECT_EVENTS("international", events);
}

/* After three moves the king has no simple moves, but its captures stay mandatory and keep their
 * precedence. A side without any other move has lost; it does not pass. */
Test(runs, king_is_bound_after_three_moves)
{
    const struct rules rules = rules_named("frisian");
    const struct rules free = rules_named("frisian-free");
    expect_moves(&rules, "W:W28,K46:BK3:H0:F1:+0+246", "28-22 28-23 46-41 46-37 46-32");
    expect_moves(&rules, "W:W28,K46:BK3:H0:F1:+0+346", "28-22 28-23");
    expect_moves(&rules, "W:W28,K46:BK3:H0:F1:+0+0", "28-22 28-23 46-41 46-37 46-32");
    /* the other king is free */
    expect_moves(&rules, "W:W28,K46,K47:BK3:H0:F1:+0+346",
                 "28-22 28-23 47-41 47-36 47-42 47-38 47-33 47-29 47-24 47-20 47-15");
    /* the opponent's run binds the opponent only */
    expect_moves(&rules, "W:W28,K46:B9,K3:H0:F1:+303+0", "28-22 28-23 46-41 46-37 46-32");
    expect_moves(&rules, "W:W28,K46:B20,K36:H0:F1:+0+346", "46x26/36 46x16/36 46x6/36");
    /* king and man could take one man each: the king must, bound or not */
    expect_moves(&rules, "W:W28,K46:B22,36:H0:F1:+0+346", "46x26/36 46x16/36 46x6/36");
    /* the man is shut in by 21 and 17 */
    expect_moves(&rules, "W:W26,K46:B17,21:H0:F1:+0+346", "");
    expect_moves(&rules, "W:W26,K46:B17,21:H0:F1:+0+246",
                 "46-41 46-37 46-32 46-28 46-23 46-19 46-14 46-10 46-5");
    expect_moves(&free, "W:W26,K46:B17,21", "46-41 46-37 46-32 46-28 46-23 46-19 46-14 46-10 46-5");
}

/* The clock starts when two kings against one arise, and counts every ply. Fails if it is off by
 * one, so that a win on the seventh move becomes a draw, or the reverse. */
Test(clock, arises_counts_ends)
{
    static const struct event events[] = {
        {"W:W8,K46:BK25", "8-2", "B:WK2,K46:BK25:H0"},
        {"W:WK2,K46:B36,K25", "46x26", "B:WK2,K26:BK25:H0"},
        {"B:WK2,K46:BK25", "25-20", "W:WK2,K46:BK20:H1"},
        {"W:WK2,K46:BK20:H1", "46-41", "B:WK2,K41:BK20:H2"},
        {"B:WK2,K41:BK20:H13", "20-25", "W:WK2,K41:BK25:H14"},
        {"W:WK2,K46:BK20:H255", "46-41", "B:WK2,K41:BK20:H255"}, /* stays in its byte */
        /* One king against one, while White's seven moves are still counted. */
        {"B:WK23,K46:BK18:H5", "18x34", "W:WK46:BK34:LW6"},
        {"W:WK46:BK2:LW6", "46-41", "B:WK41:BK2:LW7"},
        {"B:WK41:BK2:LB255", "2-7", "W:WK41:BK7:LB255"},
        {"W:WK46:BK3", "46-41", "B:WK41:BK3"}, /* never starts */
        {"W:WK2,K46,K48:BK20", "46-41", "B:WK2,K41,K48:BK20"},
        {"W:W28,K46:BK3:H0:F1:+0+146", "28-22", "B:W22,K46:BK3"},
    };
    EXPECT_EVENTS("frisian", events);
    {
        const struct event no17[] = {{"W:WK2,K46:BK20:H1", "46-41", "B:WK2,K41:BK20:H2"}};
        const struct event no18[] = {{"W:WK2,K46:BK20", "46-41", "B:WK2,K41:BK20"}};
        EXPECT_EVENTS("frisian-no17", no17);
        EXPECT_EVENTS("frisian-no18", no18);
        EXPECT_EVENTS("frisian-free", no18);
        EXPECT_EVENTS("international", no18);
    }
}

/* Fails if a win within the site's limit is drawn, or a win beyond it is promised. Each material of
 * kings has its own count, which a capture or a new king ends. */
Test(clock, of_lidraughts)
{
    static const struct event events[] = {
        {"W:WK2,K46:BK20:H1", "46-41", "B:WK2,K41:BK20:H2"},
        {"B:WK2,K41:BK20:H13", "20-25", "W:WK2,K41:BK25:H14"},
        {"B:WK23,K46:BK18:H5", "18x34", "W:WK46:BK34"},
        {"W:WK46:BK3", "46-41", "B:WK41:BK3:H1"},
        {"B:WK41:BK3:H3", "3-8", "W:WK41:BK8:H4"},
        {"W:W8,K46:BK25", "8-2", "B:WK2,K46:BK25"},
        {"W:W28,K46:BK3:H0:F1:+0+146", "28-22", "B:W22,K46:BK3"},
    };
    EXPECT_EVENTS("frisian-lidraughts", events);
}

/* Fails if a game is drawn by 25 moves of kings that a capture or a man has interrupted. */
Test(clock, of_quiet_play)
{
    static const struct event events[] = {
        {"W:W40,K46:B9,K3:H20", "46-41", "B:W40,K41:B9,K3:H21"},
        {"W:W40,K46:B9,K3:H20", "40-35", "B:W35,K46:B9,K3"},
        {"W:W40,K46:B9,28,K3:H20", "46x5", "B:W40,K5:B9,K3"},
    };
    EXPECT_EVENTS(FMJD_RULES, events);
}

/* Fails if the limit applies to other material than two kings against one. */
Test(clock, material)
{
    static const struct {
        const char *fen;
        bool clock;
    } rows[] = {
        {"W:WK1,K2:BK50", true},      {"W:WK1:BK49,K50", true},   {"W:WK1:BK50", false},
        {"W:WK1,K2,K3:BK50", false},  {"W:WK1,K2:B40", false},    {"W:W20,K2:BK50", false},
        {"W:WK1,K2:BK49,K50", false}, {"W:WK1,K2:B9,K50", false},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct state state = state_named(&rules, rows[i].fen);
        const struct material material = material_of(&state.at);
        cr_assert_eq(placement_limit(&rules, &state.at) > 0, rows[i].clock, "%s", rows[i].fen);
        cr_assert_eq(material_has_two_kings_limit(&rules, &material), rows[i].clock, "%s",
                     rows[i].fen);
    }
}

/* The capture of the last king may come after the limit; the clock of the final state decides. */
Test(clock, clock_survives_capture_of_the_lone_king)
{
    const struct rules rules = rules_named("frisian");
    const struct state state = state_named(&rules, "W:WK46,K50:BK28:H6");
    struct move_list list;
    struct move_list none;
    move_list_init(&list);
    move_list_init(&none);
    cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
    cr_assert_gt(list.n_moves, 0);
    for (int i = 0; i < list.n_moves; i++) {
        const struct state after = state_after(&rules, &state, &list.moves[i]);
        cr_assert_eq(after.at.kings[BLACK], 0);
        cr_assert_eq(after.clock, 7);
        cr_assert_eq(after.limited, 1 + WHITE);
        cr_assert_eq(state_check(&rules, &after, NULL), EINSPUL_OK);
        cr_assert_eq(moves_generate(&rules, &after, &none), EINSPUL_OK);
        cr_assert_eq(none.n_moves, 0);
    }
    /* three kings without an opponent are not 2K v 1K */
    const struct placement alone = {.kings = {square_bit(0) | square_bit(1) | square_bit(2), 0}};
    cr_assert_eq(placement_limit(&rules, &alone), 0);
    move_list_free(&none);
    move_list_free(&list);
}

/* Fails if a side wins after both have made seven moves, or no longer wins in time. */
Test(value, limited)
{
    for (int clock = 0; clock <= MAX_CLOCK; clock++) {
        for (int plies = 0; plies <= MAX_WIN_PLIES; plies++) {
            const value_t raw = value_from_plies(plies);
            cr_assert_eq(value_limited(raw, 7, clock), clock + plies <= 14 ? raw : VALUE_DRAW);
            cr_assert_eq(value_limited(raw, 0, clock), raw);
        }
        cr_assert_eq(value_limited(VALUE_DRAW, 7, clock), VALUE_DRAW);
    }
}

/* Preference of the side to move: early wins, late wins, draw, late losses, early losses. */
static int preference(int plies)
{
    return plies % 2 == 1 ? 10000 - plies : plies < 0 ? 0 : plies - 10000;
}

/* Fails if a solver would choose the slower win or the quicker loss. */
Test(value, numbers)
{
    for (int number = 0; number < VALUE_NONE; number++) {
        const value_t value = (value_t)number;
        const int plies = value_plies(value);
        if (number == VALUE_DRAW) {
            cr_assert_eq(plies, -1);
            cr_assert_eq(value_outcome(value), EINSPUL_DRAW);
            cr_assert_eq(value_without_distance(value), VALUE_DRAW);
        } else {
            cr_assert_eq(value_from_plies(plies), value, "%d", number);
            cr_assert_eq(value_outcome(value), plies % 2 == 1 ? EINSPUL_WIN : EINSPUL_LOSS);
            cr_assert_eq(value_without_distance(value),
                         plies % 2 == 1 ? VALUE_WIN_IN_1 : VALUE_LOST);
        }
        for (int other = 0; other < VALUE_NONE; other++) {
            const int other_plies = value_plies((value_t)other);
            cr_assert_eq(number < other,
                         preference(number == VALUE_DRAW ? -2 : plies) <
                             preference(other == VALUE_DRAW ? -2 : other_plies),
                         "%d, %d", number, other);
        }
    }
    cr_assert_eq(value_from_plies(0), VALUE_LOST);
    cr_assert_eq(value_from_plies(1), VALUE_WIN_IN_1);
}

/* Fails if tables that exist are read with other values than they were written with. */
Test(value, bytes_of_tables)
{
    cr_assert(value_from_plies(0) == 0 && value_from_plies(2) == 1 && value_from_plies(252) == 126);
    cr_assert(value_from_plies(1) == 254 && value_from_plies(3) == 253);
    cr_assert(value_from_plies(251) == 129 && value_from_plies(253) == 128);
    cr_assert(VALUE_DRAW == 127 && VALUE_NONE == 255);
}

/* value_before: a loss becomes a win a ply longer, a win a loss a ply longer, a draw stays. Fails
 * if the predecessor of the longest win, which has no representable value, becomes a draw. */
Test(value, before)
{
    for (int plies = 0; plies < MAX_WIN_PLIES; plies++)
        cr_assert_eq(value_before(value_from_plies(plies)), value_from_plies(plies + 1), "%d",
                     plies);
    cr_assert_eq(value_before(VALUE_DRAW), VALUE_DRAW);
    cr_assert_eq(value_before(VALUE_LONGEST_WIN), value_from_plies(MAX_LOSS_PLIES));
}
