/* Captures of kings among many pieces: a few captures with millions of paths. The lists must equal
 * an exhaustive search, and be refused beyond the search limit. */
#include "core/moves.h"
#include "core/program/game.h"
#include "tests/support/moves_text.h"

enum { MAX_FOUND = 4096, MAX_WAYS = 4000000 };

/* Every path of every capture, followed without remembering anything, as the rules read. */
struct ways {
    const struct rules *rules;
    const struct placement *at;
    squares_t occupied; /* without the capturing piece */
    int from;
    bool by_king;
    int best;
    uint64_t n_ways;
    int n_found;
    struct move found[MAX_FOUND]; /* from, to and captured */
};

static void note_capture(struct ways *ways, int square, squares_t captured)
{
    const squares_t kings = ways->at->kings[side_other(ways->at->side)];
    const int worth = capture_worth(ways->rules, bits_count(captured & ~kings),
                                    bits_count(captured & kings), ways->by_king);
    ways->n_ways++;
    if (worth < ways->best)
        return;
    if (worth > ways->best)
        ways->n_found = 0;
    ways->best = worth;
    for (int i = 0; i < ways->n_found; i++)
        if (ways->found[i].from == ways->from && ways->found[i].to == square &&
            ways->found[i].captured == captured)
            return;
    cr_assert_lt(ways->n_found, MAX_FOUND);
    ways->found[ways->n_found++] =
        (struct move){.from = (uint8_t)ways->from, .to = (uint8_t)square, .captured = captured};
}

static void follow(struct ways *ways, int square, squares_t captured)
{
    const struct board *board = &ways->rules->board;
    const enum side side = ways->at->side;
    const squares_t enemy = placement_own(ways->at, side_other(side)) & ~captured;
    const bool flying = ways->by_king && ways->rules->flying_kings;
    const unsigned directions =
        ways->by_king ? ways->rules->king_captures : ways->rules->man_captures[side];
    bool complete = true;
    for (int direction = 0; direction < N_DIRECTIONS && ways->n_ways < MAX_WAYS; direction++) {
        int over = board->next[direction][square];
        while (flying && over != NO_SQUARE && (ways->occupied & square_bit(over)) == 0)
            over = board->next[direction][over];
        if ((directions >> direction & 1) == 0 || over == NO_SQUARE ||
            (enemy & square_bit(over)) == 0)
            continue;
        for (int to = board->next[direction][over];
             to != NO_SQUARE && (ways->occupied & square_bit(to)) == 0;
             to = flying ? board->next[direction][to] : NO_SQUARE) {
            complete = false;
            follow(ways, to, captured | square_bit(over));
        }
    }
    if (complete && captured != 0)
        note_capture(ways, square, captured);
}

static void follow_all(struct ways *ways, const struct rules *rules, const struct placement *at)
{
    ways->rules = rules;
    ways->at = at;
    ways->best = -1;
    ways->n_ways = 0;
    ways->n_found = 0;
    for (squares_t left = placement_own(at, at->side); left != 0; left &= left - 1) {
        ways->from = bits_first(left);
        ways->by_king = (at->kings[at->side] & square_bit(ways->from)) != 0;
        ways->occupied = placement_occupied(at) & ~square_bit(ways->from);
        follow(ways, ways->from, 0);
    }
}

static void put(const struct rules *rules, int n, squares_t not_on, struct placement *at,
                squares_t *set, uint64_t *seed)
{
    while (n > 0) {
        const squares_t bit = square_bit(random_below(seed, rules->board.n_squares));
        if ((bit & (placement_occupied(at) | not_on)) == 0) {
            *set |= bit;
            n--;
        }
    }
}

/* One or three kings and one or two men against many. */
static struct placement crowd(const struct rules *rules, uint64_t *seed)
{
    struct placement at = {.side = WHITE};
    put(rules, 1 + random_below(seed, 3), 0, &at, &at.kings[WHITE], seed);
    put(rules, random_below(seed, 3), rules->board.promotion[WHITE], &at, &at.men[WHITE], seed);
    put(rules, random_below(seed, 4), 0, &at, &at.kings[BLACK], seed);
    put(rules, 10 + random_below(seed, 14), rules->board.promotion[BLACK], &at, &at.men[BLACK],
        seed);
    return at;
}

/* Fails if, with many paths, a legal capture is missing or an illegal one listed. */
Test(crowded_captures, lists_equal_exhaustive_search)
{
    static struct ways ways;
    const struct rules rules = rules_named("frisian");
    uint64_t seed = 29;
    int n_many = 0;
    struct move_list list;
    move_list_init(&list);
    for (int n = 0; n < 4000; n++) {
        const struct placement at = crowd(&rules, &seed);
        follow_all(&ways, &rules, &at);
        if (ways.n_ways >= MAX_WAYS)
            continue;
        const einspul_status status = moves_captures(&rules, &at, &list);
        if (status == EINSPUL_BAD_POSITION) {
            cr_assert_gt(ways.n_ways, 100000, "given up after few ways");
            continue;
        }
        n_many += ways.n_ways > 1000;
        cr_assert_eq(status, EINSPUL_OK);
        cr_assert_eq(list.n_moves, ways.n_found);
        for (int i = 0; i < ways.n_found; i++) {
            int in_list = 0;
            for (int j = 0; j < ways.n_found; j++)
                in_list += list.moves[j].from == ways.found[i].from &&
                           list.moves[j].to == ways.found[i].to &&
                           list.moves[j].captured == ways.found[i].captured;
            cr_assert_eq(in_list, 1);
        }
    }
    cr_assert_gt(n_many, 100, "only %d of them have more than a thousand ways", n_many);
    move_list_free(&list);
}

/* Fails if the path listed for a capture does not capture the listed pieces. */
Test(crowded_captures, paths_capture_the_listed_pieces)
{
    const struct rules rules = rules_named("frisian");
    const struct board *board = &rules.board;
    uint64_t seed = 31;
    int n_listed = 0;
    struct move_list list;
    move_list_init(&list);
    for (int n = 0; n < 2000; n++) {
        const struct placement at = crowd(&rules, &seed);
        if (moves_captures(&rules, &at, &list) == EINSPUL_BAD_POSITION)
            continue;
        n_listed += list.n_moves > 0;
        for (int i = 0; i < list.n_moves; i++) {
            const struct move *move = &list.moves[i];
            const squares_t occupied = placement_occupied(&at) & ~square_bit(move->from);
            squares_t captured = 0;
            cr_assert(move->path[0] == move->from && move->path[move->n_path - 1] == move->to);
            for (int j = 1; j < move->n_path; j++) {
                squares_t between = 0;
                for (int d = 0; d < N_DIRECTIONS; d++)
                    if ((board->ray[d][move->path[j - 1]] & square_bit(move->path[j])) != 0)
                        between = board->ray[d][move->path[j - 1]] & ~board->ray[d][move->path[j]] &
                                  ~square_bit(move->path[j]) & occupied;
                cr_assert_eq(bits_count(between), 1);
                cr_assert_eq(between & captured, 0, "it jumps over a piece twice");
                captured |= between;
            }
            cr_assert_eq(captured, move->captured);
        }
    }
    cr_assert_gt(n_listed, 1000, "only %d positions had captures", n_listed);
    move_list_free(&list);
}

/* Fails if generating moves does not terminate; this position has over a million path nodes. */
Test(crowded_captures, too_many_ways_are_refused)
{
    const struct rules rules = rules_named("frisian");
    const struct state state = state_named(
        &rules, "W:WK50:B2,4,7,8,9,10,11,13,16,19,21,22,24,25,27,30,31,32,34,36,38,41,42,43,44");
    struct move_list list;
    einspul_error error = {0};
    uint64_t n_lines = 0;
    move_list_init(&list);
    cr_assert_eq(moves_generate(&rules, &state, &list), EINSPUL_BAD_POSITION);
    cr_assert_eq(moves_perft(&rules, &state, 1, &n_lines), EINSPUL_BAD_POSITION);
    cr_assert_eq(moves_error(EINSPUL_BAD_POSITION, &error), EINSPUL_BAD_POSITION);
    cr_assert_not_null(strstr(error.text, "too many captures"), "%s", error.text);
    /* The list can be used for another position. */
    const struct state other = state_named(&rules, "W:W29,46:B14,19,34,39,K41,K42,44,K47");
    cr_assert_eq(moves_generate(&rules, &other, &list), EINSPUL_OK);
    cr_assert_eq(list.n_moves, 1);
    move_list_free(&list);
}
