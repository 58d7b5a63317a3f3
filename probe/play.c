/* The game without tables: positions, legal moves and what they lead to, for a rule set that is
 * named. Nothing is kept between calls, so each sets up the board of its rule set first. */
#include "core/move_text.h"
#include "probe/handle.h"

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

static int compare_moves(const void *first, const void *second)
{
    return move_compare(first, second);
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

/* A position under a rule set, with its legal moves in order. */
struct board_state {
    struct rules rules;
    struct state state;
    struct move_list list;
};

static enum status prepare(struct board_state *board, const char *rules,
                           const einspul_position *position, struct error *error)
{
    move_list_init(&board->list);
    if (rules == NULL || position == NULL)
        return error_set(error, STATUS_BAD_ARGUMENT, "no rule set or no position is given");
    enum status status = rules_by_name(&board->rules, rules, error);
    if (status == STATUS_OK)
        status = state_from_position(&board->rules, position, &board->state, error);
    if (status != STATUS_OK)
        return status;
    status = moves_generate(&board->rules, &board->state, &board->list);
    if (status != STATUS_OK)
        return moves_error(status, error);
    qsort(board->list.moves, (size_t)board->list.n_moves, sizeof *board->list.moves, compare_moves);
    return STATUS_OK;
}

einspul_status einspul_fen_read(const char *rules, const char *fen, einspul_position *position,
                                einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct rules found;
    enum status status = STATUS_OK;
    if (rules == NULL || fen == NULL || position == NULL)
        status = error_set(&own, STATUS_BAD_ARGUMENT, "no rule set, no text or no position");
    if (status == STATUS_OK)
        status = rules_by_name(&found, rules, &own);
    if (status == STATUS_OK)
        status = public_fen_read(&found, fen, position, &own);
    return public_error(status, &own, error);
}

einspul_status einspul_fen_write(const char *rules, const einspul_position *position, char *fen,
                                 einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct rules found;
    enum status status = STATUS_OK;
    if (rules == NULL || position == NULL || fen == NULL)
        status = error_set(&own, STATUS_BAD_ARGUMENT, "no rule set, no position or no text");
    if (status == STATUS_OK)
        status = rules_by_name(&found, rules, &own);
    if (status == STATUS_OK)
        status = public_fen_write(&found, position, fen, &own);
    return public_error(status, &own, error);
}

einspul_status einspul_moves(const char *rules, const einspul_position *position,
                             einspul_move *moves, size_t capacity, size_t *n_moves,
                             einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct board_state board;
    enum status status = prepare(&board, rules, position, &own);

    if (n_moves == NULL || (moves == NULL && capacity > 0))
        status = error_set(&own, STATUS_BAD_ARGUMENT, "no place for the moves is given");
    if (status == STATUS_OK) {
        *n_moves = (size_t)board.list.n_moves;
        for (size_t i = 0; i < *n_moves && i < capacity; i++)
            public_move(&board.rules, &board.state, &board.list, &board.list.moves[i], &moves[i]);
    } else if (n_moves != NULL) {
        *n_moves = 0;
    }
    move_list_free(&board.list);
    return public_error(status, &own, error);
}

/* --- playing ---------------------------------------------------------------------------------- */

static void play_move(const struct board_state *board, const struct move *move,
                      einspul_position *after)
{
    const struct state next = state_after(&board->rules, &board->state, move);
    probe_position_from_state(&next, after);
}

einspul_status einspul_play(const char *rules, const einspul_position *position, const char *text,
                            einspul_position *after, einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct board_state board;
    enum status status = prepare(&board, rules, position, &own);

    if (text == NULL || after == NULL)
        status = error_set(&own, STATUS_BAD_ARGUMENT, "no move or no place for the position");
    if (status == STATUS_OK) {
        const struct move *move = move_read(&board.list, text);
        if (move == NULL)
            status = error_set(&own, STATUS_BAD_MOVE, "'%.60s' is no legal move, or several", text);
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
    struct error own = {STATUS_OK, ""};
    struct board_state board;
    enum status status = prepare(&board, rules, position, &own);

    if (after == NULL)
        status = error_set(&own, STATUS_BAD_ARGUMENT, "no place for the position");
    if (status == STATUS_OK) {
        const struct move *move = find_move(&board.list, from, to, captured);
        if (move == NULL)
            status = error_set(&own, STATUS_BAD_MOVE, "from %d to %d is no legal move, or several",
                               from, to);
        else
            play_move(&board, move, after);
    }
    move_list_free(&board.list);
    return public_error(status, &own, error);
}

/* --- boards with ghost squares ---------------------------------------------------------------- */

/* How other programs lay out two rows of a board, which repeat: five squares, bits that are none,
 * five squares, bits that are none. */
struct layout {
    int gap;    /* bits between the two rows */
    int period; /* bits from one pair of rows to the next */
};

enum { ROW_SQUARES = 5, N_PAIRS = 5 };

static const struct layout scan_layout = {1, 13};
static const struct layout kingsrow_layout = {0, 11};

static uint64_t from_layout(struct layout layout, uint64_t bits)
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

static uint64_t to_layout(struct layout layout, uint64_t squares)
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
