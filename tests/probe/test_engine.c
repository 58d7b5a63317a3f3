/* The moves and positions of the example engine against the core's, along random games. Were they
 * not the same, it would teach a wrong king run or a wrong clock. */
#include "examples/frisian.h"
#include "probe/probe.h"
#include "tests/support/support.h"

enum { N_GAMES = 2000, MAX_PLIES = 40 };

/* Up to seven pieces a side, about half of them kings. */
static struct state random_state(const struct rules *rules, uint64_t *seed)
{
    struct state state;
    struct error error;
    do {
        memset(&state, 0, sizeof state);
        state.at.side = (enum side)random_below(seed, 2);
        for (int n = 2 + random_below(seed, 13); n > 0; n--) {
            const squares_t square = square_bit(random_below(seed, 50));
            squares_t *set = random_below(seed, 2) ? state.at.men : state.at.kings;
            if ((placement_occupied(&state.at) & square) == 0)
                set[n % 2] |= square;
        }
    } while (state_check(rules, &state, &error) != STATUS_OK);
    return state;
}

static bool same(const einspul_position *a, const einspul_position *b)
{
    bool equal = a->side == b->side && a->clock == b->clock;
    for (int side = 0; side < 2; side++)
        equal = equal && a->men[side] == b->men[side] && a->kings[side] == b->kings[side] &&
                a->run_count[side] == b->run_count[side] &&
                a->run_square[side] == b->run_square[side];
    return equal;
}

/* The positions after all moves, as the engine has them and as the core has them. */
static void compare_moves(const struct rules *rules, const struct state *state,
                          const struct move_list *list)
{
    static struct frisian_move moves[MAX_MOVES];
    einspul_position position;
    char fen[FEN_SIZE];

    fen_write(rules, state, fen);
    probe_position_from_state(state, &position);
    const int n_moves = frisian_moves(&position, moves);
    cr_assert_eq(n_moves, list->n_moves, "%s: %d moves, not %d", fen, n_moves, list->n_moves);
    for (int i = 0; i < n_moves; i++) {
        const struct state after = state_after(rules, state, &list->moves[i]);
        einspul_position expected;
        bool found = false;
        probe_position_from_state(&after, &expected);
        for (int j = 0; j < n_moves && !found; j++) {
            const einspul_position played = frisian_play(&position, &moves[j]);
            found = same(&played, &expected);
        }
        cr_assert(found, "%s: move %d", fen, i);
    }
}

Test(engine, moves_and_positions_are_the_core_s)
{
    const struct rules rules = rules_named("frisian");
    struct move_list list;
    uint64_t seed = 1;

    move_list_init(&list);
    for (int game = 0; game < N_GAMES; game++) {
        struct state state = game == 0 ? state_start(&rules) : random_state(&rules, &seed);
        for (int ply = 0; ply < MAX_PLIES; ply++) {
            if (placement_own(&state.at, state.at.side) == 0)
                break;
            cr_assert_eq(moves_generate(&rules, &state, &list), STATUS_OK);
            compare_moves(&rules, &state, &list);
            if (list.n_moves == 0)
                break;
            state = state_after(&rules, &state, &list.moves[random_below(&seed, list.n_moves)]);
        }
    }
    move_list_free(&list);
}
