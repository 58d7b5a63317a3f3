/* The game without tables: positions, legal moves and the positions after them, for a rule set
 * given by name. Only the board of the rule set is kept between calls (probe/rule_set.h). */
#include "core/move_text.h"
#include "probe/handle.h"
#include "probe/rule_set.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)EINSPUL_MOVE_TEXT_SIZE == MOVE_TEXT_SIZE, "the room is what move_write needs");
_Static_assert((int)EINSPUL_PATH_SIZE >= (int)sizeof((struct move){0}.path), "a path has room");

const char *const *einspul_rules_list(void)
{
    return rules_names();
}

/* --- moves in public form --------------------------------------------------------------------- */

int move_compare(const struct move *first, const struct move *second)
{
    if (first->from != second->from)
        return first->from < second->from ? -1 : 1;
    if (first->to != second->to)
        return first->to < second->to ? -1 : 1;
    if (first->captured != second->captured)
        return first->captured < second->captured ? -1 : 1;
    return 0;
}

void public_move(const struct rules *rules, const struct state *state, const struct move_list *list,
                 const struct move *move, einspul_move *to)
{
    const struct state after = state_after(rules, state, move);
    *to = (einspul_move){
        .from = (uint8_t)(move->from + 1),
        .to = (uint8_t)(move->to + 1),
        .n_path = move->n_path,
        .captured = move->captured,
        .outcome = EINSPUL_DRAW,
        .plies = -1,
    };
    for (int i = 0; i < move->n_path; i++)
        to->path[i] = (uint8_t)(move->path[i] + 1);
    move_write(list, move, to->text);
    probe_position_from_state(&after, &to->after);
}

/* --- positions and moves of a named rule set -------------------------------------------------- */

/* A position under a rule set, with its legal moves. */
struct board_state {
    const struct rules *rules;
    struct state state;
    struct move_list list;
    struct rules spare; /* of rule_set */
};

static einspul_status prepare(struct board_state *board, const char *rules,
                              const einspul_position *position, einspul_error *error)
{
    move_list_init(&board->list);
    if (rules == NULL || position == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no rule set or no position is given");
    board->rules = rule_set(rules, &board->spare, error);
    if (board->rules == NULL)
        return EINSPUL_BAD_RULES;
    einspul_status status = state_from_position(board->rules, position, &board->state, error);
    if (status != EINSPUL_OK)
        return status;
    status = moves_generate(board->rules, &board->state, &board->list);
    return status == EINSPUL_OK ? status : moves_error(status, error);
}

static int compare_moves(const void *first, const void *second)
{
    return move_compare(first, second);
}

/* Sorts up to MOVES_INLINE moves as pointers: most lists are that short, and insertion sort is then
 * the fastest. */
static void sort_few(const struct move_list *list, const struct move *order[MOVES_INLINE])
{
    for (int i = 0; i < list->n_moves; i++) {
        int at = i;
        for (; at > 0 && move_compare(order[at - 1], &list->moves[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = &list->moves[i];
    }
}

static void public_moves(struct board_state *board, einspul_move *moves, size_t capacity)
{
    const struct move *order[MOVES_INLINE];
    struct move_list *list = &board->list;
    const size_t n = (size_t)list->n_moves;
    const bool few = n <= MOVES_INLINE;

    if (few)
        sort_few(list, order);
    else
        qsort(list->moves, n, sizeof *list->moves, compare_moves);
    for (size_t i = 0; i < n && i < capacity; i++)
        public_move(board->rules, &board->state, list, few ? order[i] : &list->moves[i], &moves[i]);
}

einspul_status einspul_moves(const char *rules, const einspul_position *position,
                             einspul_move *moves, size_t capacity, size_t *n_moves,
                             einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct board_state board;
    einspul_status status = prepare(&board, rules, position, &own);

    if (n_moves == NULL || (moves == NULL && capacity > 0))
        status = error_set(&own, EINSPUL_BAD_ARGUMENT, "no place for the moves is given");
    if (status == EINSPUL_OK) {
        *n_moves = (size_t)board.list.n_moves;
        public_moves(&board, moves, capacity);
    } else if (n_moves != NULL) {
        *n_moves = 0;
    }
    move_list_free(&board.list);
    return public_error(status, &own, error);
}

einspul_move *probe_legal_moves(const char *rules, const einspul_position *position,
                                size_t *n_moves, einspul_error *error)
{
    if (einspul_moves(rules, position, NULL, 0, n_moves, error) != EINSPUL_OK)
        return NULL;
    einspul_move *moves = malloc((*n_moves + 1) * sizeof *moves);
    if (moves == NULL)
        *error = (einspul_error){EINSPUL_NO_MEMORY, "not enough memory for a list of moves"};
    else if (einspul_moves(rules, position, moves, *n_moves, n_moves, error) == EINSPUL_OK)
        return moves;
    free(moves);
    return NULL;
}

einspul_status einspul_get_game_sized(const char *rules, einspul_game *game, size_t size,
                                      einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct rules spare;
    if (rules == NULL || game == NULL)
        return null_argument("a rule set or a place for its game", error);
    const struct rules *found = rule_set(rules, &spare, &own);
    if (found == NULL)
        return public_error(EINSPUL_BAD_RULES, &own, error);
    const struct state start = state_start(found);
    einspul_game all = {
        .n_squares = found->board.n_squares,
        .n_rows = found->board.n_rows,
        .pdn_game_type = found->pdn_game_type,
    };
    probe_position_from_state(&start, &all.start);
    memset(game, 0, size);
    memcpy(game, &all, size < sizeof all ? size : sizeof all);
    return EINSPUL_OK;
}

/* --- playing ---------------------------------------------------------------------------------- */

static void play_move(const struct board_state *board, const struct move *move,
                      einspul_position *after)
{
    const struct state next = state_after(board->rules, &board->state, move);
    probe_position_from_state(&next, after);
}

einspul_status einspul_play(const char *rules, const einspul_position *position, const char *text,
                            einspul_position *after, einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct board_state board;
    einspul_status status = prepare(&board, rules, position, &own);

    if (text == NULL || after == NULL)
        status = error_set(&own, EINSPUL_BAD_ARGUMENT, "no move or no place for the position");
    if (status == EINSPUL_OK) {
        const struct move *move = move_read(&board.list, text);
        if (move == NULL)
            status =
                error_set(&own, EINSPUL_BAD_MOVE, "'%.60s' is no legal move, or several", text);
        else
            play_move(&board, move, after);
    }
    move_list_free(&board.list);
    return public_error(status, &own, error);
}

/* The only legal move with these squares, numbered from 1; `captured` 0 is any. */
static const struct move *find_move(const struct move_list *list, int from, int to,
                                    uint64_t captured)
{
    const struct move *found = NULL;
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        if (move->from + 1 != from || move->to + 1 != to ||
            (captured != 0 && move->captured != captured))
            continue;
        if (found != NULL)
            return NULL;
        found = move;
    }
    return found;
}

einspul_status einspul_play_squares(const char *rules, const einspul_position *position, int from,
                                    int to, uint64_t captured, einspul_position *after,
                                    einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct board_state board;
    einspul_status status = prepare(&board, rules, position, &own);

    if (after == NULL)
        status = error_set(&own, EINSPUL_BAD_ARGUMENT, "no place for the position");
    if (status == EINSPUL_OK) {
        const struct move *move = find_move(&board.list, from, to, captured);
        if (move == NULL)
            status = error_set(&own, EINSPUL_BAD_MOVE, "from %d to %d is no legal move, or several",
                               from, to);
        else
            play_move(&board, move, after);
    }
    move_list_free(&board.list);
    return public_error(status, &own, error);
}

/* --- boards with ghost squares ---------------------------------------------------------------- */

/* The bit layout of other programs, which repeats every two rows: five squares, unused bits, five
 * squares, unused bits. */
struct bit_layout {
    int gap;    /* bits between the two rows */
    int period; /* bits from one pair of rows to the next */
};

enum { ROW_SQUARES = 5, N_PAIRS = 5 };

static const struct bit_layout scan_layout = {1, 13};
static const struct bit_layout kingsrow_layout = {0, 11};

static uint64_t from_layout(struct bit_layout layout, uint64_t bits)
{
    const uint64_t row = ((uint64_t)1 << ROW_SQUARES) - 1;
    uint64_t squares = 0;
    for (int i = 0; i < N_PAIRS; i++) {
        const uint64_t pair = bits >> i * layout.period;
        const uint64_t both = (pair & row) | (pair >> layout.gap & row << ROW_SQUARES);
        squares |= both << 2 * i * ROW_SQUARES;
    }
    return squares;
}

static uint64_t to_layout(struct bit_layout layout, uint64_t squares)
{
    const uint64_t row = ((uint64_t)1 << ROW_SQUARES) - 1;
    uint64_t bits = 0;
    for (int i = 0; i < N_PAIRS; i++) {
        const uint64_t both = squares >> 2 * i * ROW_SQUARES;
        const uint64_t pair = (both & row) | (both & row << ROW_SQUARES) << layout.gap;
        bits |= pair << i * layout.period;
    }
    return bits;
}

uint64_t einspul_squares_from_scan(uint64_t bits)
{
    return from_layout(scan_layout, bits);
}

uint64_t einspul_squares_to_scan(uint64_t squares)
{
    return to_layout(scan_layout, squares);
}

uint64_t einspul_squares_from_kingsrow(uint64_t bits)
{
    return from_layout(kingsrow_layout, bits);
}

uint64_t einspul_squares_to_kingsrow(uint64_t squares)
{
    return to_layout(kingsrow_layout, squares);
}
