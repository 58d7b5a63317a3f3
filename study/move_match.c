/* From and to squares almost always identify a move. If several captures share them, the
 * intermediate squares are matched against every path of each capture, not only the path in the
 * move list. */
#include "study/move_match.h"

#include "core/characters.h"
#include "core/program/text.h"

#include <stdlib.h>
#include <string.h>

/* --- squares ---------------------------------------------------------------------------------- */

static bool is_column(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'j';
}

/* True if only the column of the piece is given, as in `ed4`. */
static bool is_short(struct written_move written)
{
    return written.n > 1 && is_column(written.text[0]) && !is_digit(written.text[1]);
}

int written_squares(const struct board *board, struct written_move written,
                    int squares[MAX_WRITTEN], enum notation *notation)
{
    const char *text = written.text;
    const size_t n = written.n;
    int n_squares = 0;
    for (size_t at = is_short(written); at < n;) {
        size_t length = square_in_letters(board, text + at, n - at, &squares[n_squares]);
        if (length > 0) {
            *notation = NOTATION_LETTERS;
        } else if (is_digit(text[at])) {
            size_t digits = at;
            while (digits < n && is_digit(text[digits]))
                digits++;
            length = digits - at > 2 ? 2 : digits - at;
            squares[n_squares] = text[at] - '0';
            if (length == 2)
                squares[n_squares] = 10 * squares[n_squares] + text[at + 1] - '0';
            squares[n_squares]--;
        } else {
            if (is_column(text[at]))
                return -1;
            at++;
            continue;
        }
        if (squares[n_squares] < 0 || squares[n_squares] >= board->n_squares ||
            ++n_squares == MAX_WRITTEN)
            return -1;
        at += length;
    }
    return n_squares;
}

/* --- squares of a capture --------------------------------------------------------------------- */

/* A search for squares on the ways to make a capture. */
struct ways {
    const struct board *board;
    const squares_t *reach; /* of the capturing piece, by square */
    squares_t occupied;     /* without the capturing piece */
    bool flying;
    int to;
    const int *squares; /* those between from and to, in their order */
    int n_squares;
    int steps_left;
};

/* True if some path from `at` captures all of `left` and visits the squares from index `next`
 * on. */
static bool passes(struct ways *ways, int at, squares_t left, int next)
{
    if (left == 0)
        return at == ways->to && next == ways->n_squares;
    for (squares_t rest = left & ways->reach[at]; rest != 0; rest &= rest - 1) {
        const int over = bits_first(rest);
        if ((ways->board->jump[at][over] & ways->occupied) != 0 || ways->steps_left-- <= 0)
            continue;
        const int8_t *beyond = ways->board->next[ways->board->direction[at][over]];
        const int then = next + (next < ways->n_squares && ways->squares[next] == over);
        for (int to = beyond[over]; to != NO_SQUARE && (ways->occupied & square_bit(to)) == 0;
             to = ways->flying ? beyond[to] : NO_SQUARE)
            if (passes(ways, to, left & ~square_bit(over),
                       then + (then < ways->n_squares && ways->squares[then] == to)))
                return true;
    }
    return false;
}

static bool move_passes(const struct rules *rules, const struct state *state,
                        const struct move *move, const int *squares, int n_squares)
{
    enum { MAX_STEPS = 100000 };
    struct ways ways = {
        .board = &rules->board,
        .reach = move->by_king ? rules->king_reach : rules->man_reach[state->at.side],
        .occupied = placement_occupied(&state->at) & ~square_bit(move->from),
        .flying = move->by_king && rules->flying_kings,
        .to = move->to,
        .squares = squares,
        .n_squares = n_squares,
        .steps_left = MAX_STEPS,
    };
    return passes(&ways, move->from, move->captured, 0);
}

/* --- moves ------------------------------------------------------------------------------------ */

/* True if a square is in the column of a letter. */
static bool is_in_column(const struct board *board, int square, char letter)
{
    return square_column(board, square) == (letter | 0x20) - 'a';
}

static bool are_captures(const struct move_list *list)
{
    return list->n_moves > 0 && list->moves[0].captured != 0;
}

int moves_match(const struct rules *rules, const struct state *state, const struct move_list *list,
                struct written_move written, const struct move *found[MAX_MATCHES])
{
    int squares[MAX_WRITTEN];
    enum notation notation = NOTATION_NUMBERS;
    const int n_squares = written_squares(&rules->board, written, squares, &notation);
    const bool any = n_squares == 0 && are_captures(list);
    const bool by_column = n_squares == 1 && is_short(written);
    int n_ends = 0; /* moves with these ends */
    int n_found = 0;
    for (int i = 0; n_squares > 1 && i < list->n_moves; i++)
        n_ends += list->moves[i].from == squares[0] && list->moves[i].to == squares[n_squares - 1];
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        const bool ends =
            by_column
                ? is_in_column(&rules->board, move->from, written.text[0]) && move->to == squares[0]
                : n_squares > 1 && move->from == squares[0] && move->to == squares[n_squares - 1];
        if (!any && (!ends || (n_ends > 1 && n_squares > 2 &&
                               !move_passes(rules, state, move, squares + 1, n_squares - 2))))
            continue;
        if (n_found < MAX_MATCHES)
            found[n_found] = move;
        n_found++;
    }
    return n_found;
}

/* --- reasons ---------------------------------------------------------------------------------- */

/* A refused move, and the legal ones. */
struct refused {
    const struct rules *rules;
    const struct state *state;
    const struct move_list *list;
    struct written_move written;
    enum notation notation;
    int n_squares;
    int squares[MAX_WRITTEN];
    char *why;
};

static void add_square(const struct refused *refused, const char *before, int square,
                       const char *behind)
{
    char number[8] = "";
    char name[16];
    *number_write(number, square + 1) = '\0';
    notation_write(&refused->rules->board, refused->notation, number, name, sizeof name);
    text_append(refused->why, WHY_SIZE, "%s%s%s", before, name, behind);
}

/* True if the move would be legal in another state or under another rule set. */
static bool is_legal_under(const struct refused *refused, const struct rules *rules,
                           const struct state *state)
{
    const struct move *found[MAX_MATCHES];
    struct move_list list;
    move_list_init(&list);
    const bool legal = moves_generate(rules, state, &list) == EINSPUL_OK &&
                       moves_match(rules, state, &list, refused->written, found) > 0;
    move_list_free(&list);
    return legal;
}

/* True if only the king-run limit forbids the move. */
static bool is_bound(const struct refused *refused)
{
    const enum side side = refused->state->at.side;
    struct state rested = *refused->state;
    const struct run run = rested.run[side];
    rested.run[side] = (struct run){0};
    return run.count > 0 && run.square == refused->squares[0] &&
           is_legal_under(refused, refused->rules, &rested);
}

/* True if the text is a capture that takes less than others. */
static bool is_lesser_capture(const struct refused *refused)
{
    struct rules *free_choice = malloc(sizeof *free_choice);
    if (free_choice == NULL)
        return false;
    *free_choice = *refused->rules;
    free_choice->capture = (struct capture_weights){0};
    const bool lesser = is_legal_under(refused, free_choice, refused->state);
    free(free_choice);
    return lesser;
}

/* True if it is a simple move that is illegal only because a capture is available (tested with the
 * opponent's pieces treated as own). */
static bool is_simple_move(const struct refused *refused)
{
    struct state friendly = *refused->state;
    const enum side side = friendly.at.side;
    const enum side other = side_other(side);
    friendly.at.kings[side] |= placement_own(&friendly.at, other);
    friendly.at.kings[other] = friendly.at.men[other] = 0;
    return is_legal_under(refused, refused->rules, &friendly);
}

static void say_reason(const struct refused *refused)
{
    static const char *const numbers[] = {"no", "one", "two", "three"};
    const struct placement *at = &refused->state->at;
    const bool captures = are_captures(refused->list);
    const bool by_column = is_short(refused->written);
    const squares_t from =
        refused->n_squares > 0 && !by_column ? square_bit(refused->squares[0]) : 0;
    if (refused->n_squares < 0)
        text_append(refused->why, WHY_SIZE, "a square is not on this board (1 to %d)",
                    refused->rules->board.n_squares);
    else if (refused->n_squares == 0)
        text_append(refused->why, WHY_SIZE, "no capture is possible");
    else if (!by_column && (placement_occupied(at) & from) == 0)
        add_square(refused, "no piece stands on ", refused->squares[0], "");
    else if (!by_column && (placement_own(at, at->side) & from) == 0)
        add_square(refused, "the piece on ", refused->squares[0],
                   at->side == WHITE ? " is Black's, and White is to move"
                                     : " is White's, and Black is to move");
    else if (is_bound(refused)) {
        add_square(refused, "the king on ", refused->squares[0], " has already moved ");
        text_append(refused->why, WHY_SIZE, "%s times in a row",
                    numbers[refused->rules->king_run_limit]);
    } else if (captures && is_simple_move(refused))
        text_append(refused->why, WHY_SIZE, "a capture is compulsory");
    else if (captures && is_lesser_capture(refused))
        text_append(refused->why, WHY_SIZE, "another capture takes more and is compulsory");
    else
        text_append(refused->why, WHY_SIZE, "no legal move");
}

/* Appends a move, or an ellipsis where it does not fit; false then. */
static bool add_move(const struct refused *refused, const char *before, const struct move *move)
{
    enum { MOST = 190 };
    char number[MOVE_TEXT_SIZE];
    char text[2 * MOVE_TEXT_SIZE];
    move_write(refused->list, move, number);
    notation_write(&refused->rules->board, refused->notation, number, text, sizeof text);
    const bool fits = strlen(refused->why) + strlen(text) <= MOST;
    text_append(refused->why, WHY_SIZE, "%s%s", before, fits ? text : "...");
    return fits;
}

void move_why_not(const struct rules *rules, const struct state *state,
                  const struct move_list *list, struct written_move written, char why[WHY_SIZE])
{
    struct refused refused = {.rules = rules,
                              .state = state,
                              .list = list,
                              .written = written,
                              .notation = NOTATION_NUMBERS,
                              .why = why};
    const struct move *found[MAX_MATCHES];
    const int n_found = moves_match(rules, state, list, written, found);
    why[0] = '\0';
    refused.n_squares = written_squares(&rules->board, written, refused.squares, &refused.notation);
    if (list->n_moves == 0) {
        text_append(why, WHY_SIZE, "the game is over: no legal moves");
        return;
    }
    if (n_found > 1) {
        text_append(why, WHY_SIZE, "ambiguous: matches %s %s", n_found == 2 ? "two" : "several",
                    are_captures(list) ? "captures" : "moves");
        for (int i = 0; i < n_found && i < MAX_MATCHES; i++)
            if (!add_move(&refused, i == 0 ? ": " : n_found == 2 ? " and " : " ", found[i]))
                return;
        return;
    }
    say_reason(&refused);
    for (int i = 0; i < list->n_moves; i++)
        if (!add_move(&refused, i == 0 ? "; legal: " : " ", &list->moves[i]))
            return;
}
