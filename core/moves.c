/* The reference move generator, written to be checked against docs/rules.md; used by the verifier,
 * perft and move lists. Where speed matters, use core/captures.h, which searches captures
 * differently: a test compares the two.
 *
 * Captures come first, found by depth-first search: if there is one, nothing else is legal. Simple
 * king moves respect the king-run limit (Article 17). state_after updates runs and clock. */
#include "core/moves.h"

#include <stdlib.h>
#include <string.h>

/* Node limit of a capture search: far more than any position of a real game needs. */
enum { MAX_SEARCH_NODES = 1 << 20 };

void move_list_init(struct move_list *list)
{
    list->n_moves = 0;
    list->capacity = MOVES_INLINE;
    list->moves = list->few;
    list->status = EINSPUL_OK;
}

void move_list_free(struct move_list *list)
{
    if (list->moves != list->few)
        free(list->moves);
    move_list_init(list);
}

static void list_clear(struct move_list *list)
{
    list->n_moves = 0;
    list->status = EINSPUL_OK;
}

/* Appends an entry. If out of memory, sets list->status and returns the last entry again, so that
 * callers need not check. */
static struct move *list_add(struct move_list *list)
{
    if (list->n_moves == list->capacity) {
        const size_t n_bytes = (size_t)list->capacity * sizeof *list->moves;
        struct move *more = malloc(2 * n_bytes);
        if (more == NULL) {
            list->status = EINSPUL_NO_MEMORY;
            return &list->moves[list->n_moves - 1];
        }
        memcpy(more, list->moves, n_bytes);
        if (list->moves != list->few)
            free(list->moves);
        list->moves = more;
        list->capacity *= 2;
    }
    return &list->moves[list->n_moves++];
}

einspul_status moves_error(einspul_status status, einspul_error *error)
{
    return error_set(error, status,
                     status == EINSPUL_BAD_POSITION ? "too many captures in this position"
                                                    : "not enough memory for a list of moves");
}

/* A depth-first search over the landing squares of one piece. Captured pieces stay on the board
 * until the end, so `occupied` does not change on the way; only the origin of the piece counts as
 * empty. Of several paths of a capture the first is kept. */

struct path_search {
    const struct rules *rules;
    struct move_list *list;
    squares_t occupied; /* without the capturing piece */
    squares_t enemy;
    squares_t enemy_kings;
    squares_t promotion; /* of a man that captures; 0 for a king */
    unsigned directions;
    bool flying;
    int best;         /* worth of the captures in the list */
    struct move move; /* as far as it was made */
    int nodes_left;
};

static void capture_record(struct path_search *search, int to)
{
    struct move_list *list = search->list;
    const squares_t captured = search->move.captured;
    const int n_kings = bits_count(captured & search->enemy_kings);
    const int n_men = bits_count(captured) - n_kings;
    const int worth = capture_worth(search->rules, n_men, n_kings, search->move.by_king);
    if (worth < search->best)
        return;
    if (worth > search->best) {
        search->best = worth;
        list->n_moves = 0;
    }
    for (int i = 0; i < list->n_moves; i++)
        if (list->moves[i].from == search->move.from && list->moves[i].to == to &&
            list->moves[i].captured == captured)
            return;
    struct move *move = list_add(list);
    *move = search->move;
    move->to = (uint8_t)to;
    move->promotes = (search->promotion & square_bit(to)) != 0;
}

static void capture_extend(struct path_search *search, int square)
{
    const struct board *board = &search->rules->board;
    struct move *move = &search->move;
    bool complete = true;

    if (search->list->status == EINSPUL_OK && search->nodes_left-- == 0)
        search->list->status = EINSPUL_BAD_POSITION;
    if (search->list->status != EINSPUL_OK)
        return;
    const squares_t victims = search->enemy & ~move->captured;
    for (int direction = 0; direction < N_DIRECTIONS; direction++) {
        const int8_t *next = board->next[direction];
        int victim = next[square];
        if ((search->directions >> direction & 1) == 0 ||
            (board->ray[direction][square] & victims) == 0)
            continue;
        while (search->flying && (search->occupied & square_bit(victim)) == 0)
            victim = next[victim];
        if ((victims & square_bit(victim)) == 0)
            continue;
        for (int to = next[victim]; to != NO_SQUARE && (search->occupied & square_bit(to)) == 0;
             to = next[to]) {
            complete = false;
            move->captured |= square_bit(victim);
            move->path[move->n_path++] = (uint8_t)to;
            capture_extend(search, to);
            move->n_path--;
            move->captured &= ~square_bit(victim);
            if (!search->flying)
                break;
        }
    }
    if (complete && move->captured != 0)
        capture_record(search, square);
}

einspul_status moves_captures(const struct rules *rules, const struct placement *placement,
                              struct move_list *list)
{
    const enum side side = placement->side;
    struct path_search search = {
        .rules = rules,
        .list = list,
        .enemy = placement_own(placement, side_other(side)),
        .enemy_kings = placement->kings[side_other(side)],
        .best = -1,
        .nodes_left = MAX_SEARCH_NODES,
    };

    list_clear(list);
    for (int i = 1; i >= 0; i--) {
        const bool by_king = i == 1;
        search.flying = by_king && rules->flying_kings;
        search.directions = by_king ? rules->king_captures : rules->man_captures[side];
        search.promotion = by_king ? 0 : rules->board.promotion[side];
        squares_t left = by_king ? placement->kings[side] : placement->men[side];
        for (; left != 0; left &= left - 1) {
            const uint8_t from = (uint8_t)bits_first(left);
            search.occupied = placement_occupied(placement) & ~square_bit(from);
            search.move =
                (struct move){.from = from, .by_king = by_king, .n_path = 1, .path = {from}};
            capture_extend(&search, from);
        }
    }
    return list->status;
}

/* Appends the simple moves of some pieces of one kind. */
static void simple_append(const struct rules *rules, const struct placement *placement,
                          squares_t movers, bool by_king, struct move_list *list)
{
    const struct board *board = &rules->board;
    const enum side side = placement->side;
    const squares_t occupied = placement_occupied(placement);
    const squares_t promotion = by_king ? 0 : board->promotion[side];
    const int first = by_king || side == WHITE ? NORTH_WEST : SOUTH_WEST;
    const int last = by_king || side == BLACK ? SOUTH_EAST : NORTH_EAST;

    for (; movers != 0; movers &= movers - 1) {
        const int from = bits_first(movers);
        for (int direction = first; direction <= last; direction++) {
            const int8_t *next = board->next[direction];
            for (int to = next[from]; to != NO_SQUARE && (occupied & square_bit(to)) == 0;
                 to = next[to]) {
                struct move *move = list_add(list);
                move->captured = 0;
                move->from = move->path[0] = (uint8_t)from;
                move->to = move->path[1] = (uint8_t)to;
                move->by_king = by_king;
                move->promotes = (promotion & square_bit(to)) != 0;
                move->n_path = 2;
                if (!by_king || !rules->flying_kings)
                    break;
            }
        }
    }
}

einspul_status moves_of_men(const struct rules *rules, const struct placement *placement,
                            struct move_list *list)
{
    list_clear(list);
    simple_append(rules, placement, placement->men[placement->side], false, list);
    return list->status;
}

einspul_status moves_generate(const struct rules *rules, const struct state *state,
                              struct move_list *list)
{
    const struct run run = state->run[state->at.side];
    squares_t kings = state->at.kings[state->at.side];
    if (placement_has_capture(rules, &state->at))
        return moves_captures(rules, &state->at, list);
    moves_of_men(rules, &state->at, list);
    if (rules->king_run_limit > 0 && run.count >= rules->king_run_limit)
        kings &= ~square_bit(run.square);
    simple_append(rules, &state->at, kings, true, list);
    return list->status;
}

struct placement placement_after(const struct placement *placement, const struct move *move)
{
    struct placement after = *placement;
    const enum side side = placement->side;
    const enum side other = side_other(side);

    after.men[side] &= ~square_bit(move->from);
    after.kings[side] &= ~square_bit(move->from);
    *(move->by_king || move->promotes ? &after.kings[side] : &after.men[side]) |=
        square_bit(move->to);
    after.men[other] &= ~move->captured;
    after.kings[other] &= ~move->captured;
    after.side = other;
    return after;
}

/* Article 18: the clock continues in 2K v 1K, and after a capture in it. The limit binds the side
 * that had two kings, even if it has lost one since, and its final capture may come too late (the
 * strict reading). Under other rule sets the clock continues as long as the limit stays the same;
 * the quiet-play clock restarts with a man's move or a capture. */
static void advance_clock(const struct rules *rules, const struct state *state, bool is_quiet_king,
                          struct state *after)
{
    const bool by_article_18 = rules->two_kings_limit > 0;
    const int limit = placement_limit(rules, &after->at);
    const bool continues = by_article_18
                               ? state_limit(rules, state) > 0
                               : limit > 0 && limit == placement_limit(rules, &state->at) &&
                                     (limit != rules->quiet_limit || is_quiet_king);
    if (!continues)
        return;
    if (by_article_18 && limit == 0)
        after->limited = (uint8_t)(1 + state_limited_side(state));
    after->clock = (uint8_t)(state->clock < MAX_CLOCK ? state->clock + 1 : MAX_CLOCK);
}

void state_advance(const struct rules *rules, const struct state *state, int from, int to,
                   bool captures, struct state *after)
{
    const enum side side = state->at.side;
    const enum side other = side_other(side);
    const bool is_quiet_king = !captures && (state->at.kings[side] & square_bit(from)) != 0;
    const struct run run = state->run[side];

    /* A simple king move of a side with runs starts one or continues it; any other move ends it. */
    if (is_quiet_king && placement_has_runs(rules, &after->at, side))
        after->run[side] = (struct run){
            .square = (uint8_t)to,
            .count = (uint8_t)(1 + (run.count > 0 && run.square == from ? run.count : 0)),
        };
    /* The opponent's run continues unless its king or its side's last man was captured. */
    if (state->run[other].count > 0 && placement_has_runs(rules, &after->at, other) &&
        (after->at.kings[other] & square_bit(state->run[other].square)) != 0)
        after->run[other] = state->run[other];

    advance_clock(rules, state, is_quiet_king, after);
}

struct state state_after(const struct rules *rules, const struct state *state,
                         const struct move *move)
{
    struct state after = {.at = placement_after(&state->at, move)};
    state_advance(rules, state, move->from, move->to, move->captured != 0, &after);
    return after;
}
