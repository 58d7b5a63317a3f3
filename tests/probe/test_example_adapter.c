/* Compares the rule state of the example adapter and of einspul_advance with the core's along
 * random games. */
#include "core/moves.h"
#include "core/program/game.h"
#include "examples/adapter.h"
#include "examples/layouts.h"
#include "probe/position.h"
#include "tests/support/moves_text.h"

enum { N_GAMES = 2000, MAX_PLIES = 40 };

/* The position of an engine with ghost squares. */
static struct engine_position engine_position_of(const einspul_position *position)
{
    struct engine_position engine = {.side = position->side};
    for (int side = 0; side < 2; side++) {
        engine.men[side] = squares_to_scan(position->men[side]);
        engine.kings[side] = squares_to_scan(position->kings[side]);
    }
    return engine;
}

static struct rule_state rule_state_of(const einspul_position *position)
{
    return (struct rule_state){
        .clock = position->clock,
        .limited = position->limited,
        .run_square = {position->run_square[0], position->run_square[1]},
        .run_count = {position->run_count[0], position->run_count[1]},
    };
}

/* Compares the positions after all moves: the adapter's with the core's. */
static void compare_moves(const struct rules *rules, const struct state *state,
                          const struct move_list *list)
{
    einspul_position before;
    char fen[FEN_SIZE];

    fen_write(rules, state, fen);
    probe_position_from_state(state, &before);
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        const struct state next = state_after(rules, state, move);
        einspul_position expected;
        probe_position_from_state(&next, &expected);
        struct engine_position old = engine_position_of(&before);
        old.rule = rule_state_of(&before);
        struct engine_position new = engine_position_of(&expected);
        adapter_advance(&old, move->from + 1, move->to + 1, move->captured, &new);
        const einspul_position after = adapter_position(&new);
        cr_assert_eq(memcmp(&after, &expected, sizeof after), 0, "%s: move %d", fen, i);
    }
}

Test(engine, adapter_matches_core)
{
    const struct rules rules = rules_named("frisian");
    struct move_list list;
    uint64_t seed = 1;

    move_list_init(&list);
    for (int game = 0; game < N_GAMES; game++) {
        struct state state =
            game == 0 ? state_start(&rules) : random_legal_state(&rules, 14, &seed);
        for (int ply = 0; ply < MAX_PLIES; ply++) {
            if (placement_own(&state.at, state.at.side) == 0)
                break;
            cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_OK);
            compare_moves(&rules, &state, &list);
            if (list.n_moves == 0)
                break;
            state = state_after(&rules, &state, &list.moves[random_below(&seed, list.n_moves)]);
        }
    }
    move_list_free(&list);
}

/* Fails if einspul_advance sets another run, clock or limited side than playing the move, under any
 * rule set. */
Test(engine, advance_equals_play)
{
    struct move_list list;
    uint64_t seed = 5;
    move_list_init(&list);
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        const struct rules rules = rules_named(*name);
        if (rules.board.n_squares != 50)
            continue;
        for (int game = 0; game < N_GAMES / 4; game++) {
            struct state state = random_legal_state(&rules, 14, &seed);
            for (int ply = 0; ply < MAX_PLIES; ply++) {
                if (placement_own(&state.at, state.at.side) == 0 ||
                    moves_generate(&rules, &state, &list) != EINSPUL_OK || list.n_moves == 0)
                    break;
                const struct move *move = &list.moves[random_below(&seed, list.n_moves)];
                const struct state next = state_after(&rules, &state, move);
                einspul_position before;
                einspul_position expected;
                probe_position_from_state(&state, &before);
                probe_position_from_state(&next, &expected);
                einspul_position after = expected;
                after.clock = after.limited = after.run_square[0] = after.run_count[1] = 77;
                einspul_advance(*name, &before, move->from + 1, move->to + 1, move->captured,
                                &after);
                cr_assert_eq(memcmp(&after, &expected, sizeof after), 0, "%s: ply %d", *name, ply);
                state = next;
            }
        }
    }
    move_list_free(&list);
}

/* Fails if a side or square that does not exist writes outside the position, or is used. */
Test(engine, advance_ignores_invalid_squares_and_sides)
{
    static const struct {
        int side, from, to, run_square;
    } rows[] = {{119, 28, 32, 0}, {2, 28, 32, 0},  {0, 0, 32, 0},   {0, -1, 32, 0},
                {0, 28, 51, 0},   {0, 200, 32, 0}, {0, 28, 32, 51}, {1, 28, 32, 255}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        einspul_position before = {.men = {1, (uint64_t)1 << 40}, .kings = {(uint64_t)1 << 27, 2}};
        einspul_position after = before;
        const einspul_position untouched = after;
        before.side = (uint8_t)rows[i].side;
        before.run_square[EINSPUL_WHITE] = (uint8_t)rows[i].run_square;
        before.run_count[EINSPUL_WHITE] = 1;
        einspul_advance("frisian", &before, rows[i].from, rows[i].to, 0, &after);
        cr_assert_arr_eq(&after, &untouched, sizeof after, "row %zu", i);
        before.limited = 1; /* a running clock is handled separately */
        einspul_advance("frisian", &before, rows[i].from, rows[i].to, 0, &after);
        cr_assert_arr_eq(&after, &untouched, sizeof after, "row %zu", i);
    }
}
