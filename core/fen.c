#include "core/fen.h"

#include <stdio.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    const struct rules *rules;
    const char *start;
    const char *at;
    struct error *error;
};

/* The characters of a FEN, whatever the locale of the program that links the library. */
static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_spaces(struct reader *reader)
{
    while (is_space(*reader->at))
        reader->at++;
}

static char peek(struct reader *reader)
{
    skip_spaces(reader);
    return *reader->at;
}

static bool accept(struct reader *reader, char c)
{
    if (peek(reader) != c)
        return false;
    reader->at++;
    return true;
}

static int column(const struct reader *reader)
{
    return (int)(reader->at - reader->start) + 1;
}

static enum status fail(struct reader *reader, const char *what)
{
    if (*reader->at == '\0')
        return error_set(reader->error, STATUS_BAD_FEN, "%s, but the text ends", what);
    const unsigned char found = (unsigned char)*reader->at;
    if (found < ' ' || found > '~')
        return error_set(reader->error, STATUS_BAD_FEN, "%s at column %d (byte %02x)", what,
                         column(reader), found);
    return error_set(reader->error, STATUS_BAD_FEN, "%s at column %d ('%c')", what, column(reader),
                     found);
}

/* A decimal number of at most six digits; -1 when there is none. */
static int read_number(struct reader *reader)
{
    int number = 0;
    int n_digits = 0;
    skip_spaces(reader);
    while (is_digit(*reader->at) && n_digits < 6) {
        number = 10 * number + (*reader->at++ - '0');
        n_digits++;
    }
    return n_digits == 0 ? -1 : number;
}

static enum status read_square(struct reader *reader, int *square)
{
    const char *before = reader->at;
    const int number = read_number(reader);
    if (number < 0)
        return fail(reader, "a square number is expected");
    if (number < 1 || number > reader->rules->board.n_squares) {
        reader->at = before;
        skip_spaces(reader);
        return error_set(reader->error, STATUS_BAD_FEN,
                         "square %d at column %d is not on the board (1..%d)", number,
                         column(reader), reader->rules->board.n_squares);
    }
    *square = number - 1;
    return STATUS_OK;
}

static bool accept_letter(struct reader *reader, char upper)
{
    return accept(reader, upper) || accept(reader, (char)(upper - 'A' + 'a'));
}

static enum status read_side(struct reader *reader, enum side *side)
{
    if (accept_letter(reader, 'W'))
        *side = WHITE;
    else if (accept_letter(reader, 'B'))
        *side = BLACK;
    else
        return fail(reader, "W or B is expected");
    return STATUS_OK;
}

static enum status read_pieces(struct reader *reader, struct placement *at, bool seen[2])
{
    enum side side = WHITE;
    enum status status = read_side(reader, &side);
    if (status != STATUS_OK)
        return status;
    if (seen[side])
        return error_set(reader->error, STATUS_BAD_FEN, "%s is listed twice, at column %d",
                         side == WHITE ? "White" : "Black", column(reader) - 1);
    seen[side] = true;
    const char next = peek(reader);
    if (next == ':' || next == '.' || next == '\0')
        return error_set(reader->error, STATUS_BAD_FEN, "%s has no pieces",
                         side == WHITE ? "White" : "Black");
    do {
        const bool king = accept_letter(reader, 'K');
        const int start = column(reader);
        int first = 0;
        int last = 0;
        status = read_square(reader, &first);
        if (status != STATUS_OK)
            return status;
        last = first;
        if (accept(reader, '-')) {
            if (king)
                accept_letter(reader, 'K');
            status = read_square(reader, &last);
            if (status != STATUS_OK)
                return status;
            if (last < first)
                return error_set(reader->error, STATUS_BAD_FEN,
                                 "the range %d-%d at column %d runs backwards", first + 1, last + 1,
                                 start);
        }
        for (int square = first; square <= last; square++) {
            if ((placement_occupied(at) & square_bit(square)) != 0)
                return error_set(reader->error, STATUS_BAD_FEN,
                                 "square %d at column %d is used twice", square + 1, start);
            if (king) {
                at->kings[side] |= square_bit(square);
            } else if ((reader->rules->board.promotion[side] & square_bit(square)) != 0) {
                return error_set(reader->error, STATUS_BAD_FEN,
                                 "the %s man on %d at column %d stands on its promotion row",
                                 side == WHITE ? "white" : "black", square + 1, start);
            } else {
                at->men[side] |= square_bit(square);
            }
        }
    } while (accept(reader, ','));
    return STATUS_OK;
}

/* One king run: a digit, then the square in two digits when the digit is not 0. */
static enum status read_run(struct reader *reader, struct run *run)
{
    skip_spaces(reader);
    if (!is_digit(*reader->at))
        return fail(reader, "a king run (0..3) is expected");
    run->count = (uint8_t)(*reader->at++ - '0');
    run->square = 0;
    if (run->count == 0)
        return STATUS_OK;
    int number = 0;
    for (int i = 0; i < 2; i++) {
        if (!is_digit(*reader->at))
            return fail(reader, "the king run's square needs two digits");
        number = 10 * number + (*reader->at++ - '0');
    }
    if (number < 1 || number > reader->rules->board.n_squares)
        return error_set(reader->error, STATUS_BAD_FEN,
                         "the king run's square %d is not on the board (1..%d)", number,
                         reader->rules->board.n_squares);
    run->square = (uint8_t)(number - 1);
    return STATUS_OK;
}

/* `W13`: White is still under its limit in K v K, 13 plies after two kings against one arose. */
static enum status read_limit(struct reader *reader, struct state *state)
{
    const bool white = accept_letter(reader, 'W');
    if (!white && !accept_letter(reader, 'B'))
        return fail(reader, "W or B is expected after L");
    const int clock = read_number(reader);
    if (clock < 1)
        return fail(reader, "a number of plies is expected after LW or LB");
    state->limited = white ? 1 + WHITE : 1 + BLACK;
    state->clock = (uint8_t)(clock < MAX_CLOCK ? clock : MAX_CLOCK);
    return STATUS_OK;
}

static enum status read_rule_state(struct reader *reader, struct state *state)
{
    enum status status = STATUS_OK;
    bool seen_clock = false;
    bool seen_number = false;
    bool seen_runs = false;

    while (accept(reader, ':')) {
        if (state->limited == 0 && accept_letter(reader, 'L')) {
            status = read_limit(reader, state);
            if (status != STATUS_OK)
                return status;
            continue;
        }
        if (seen_runs)
            return fail(reader, "nothing may follow the king runs: a mistake");
        if (!seen_clock && !seen_number && accept_letter(reader, 'H')) {
            const int clock = read_number(reader);
            if (clock < 0)
                return fail(reader, "a number of plies is expected after H");
            state->clock = (uint8_t)(clock < MAX_CLOCK ? clock : MAX_CLOCK);
            seen_clock = true;
        } else if (!seen_number && accept_letter(reader, 'F')) {
            if (read_number(reader) < 0)
                return fail(reader, "a move number is expected after F");
            seen_number = true;
        } else if (accept(reader, '+')) {
            status = read_run(reader, &state->run[BLACK]);
            if (status == STATUS_OK && !accept(reader, '+'))
                status = fail(reader, "'+' and White's king run are expected");
            if (status == STATUS_OK)
                status = read_run(reader, &state->run[WHITE]);
            if (status != STATUS_OK)
                return status;
            seen_runs = true;
        } else {
            return fail(reader, "H, F or '+' is expected");
        }
    }
    return status;
}

enum status fen_read(const struct rules *rules, const char *text, struct state *state,
                     struct error *error)
{
    struct reader reader = {.rules = rules, .start = text, .at = text, .error = error};
    bool seen[2] = {false, false};
    enum status status = STATUS_OK;

    *state = (struct state){0};
    status = read_side(&reader, &state->at.side);
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        if (!accept(&reader, ':'))
            return fail(&reader, "':' and a list of pieces are expected");
        status = read_pieces(&reader, &state->at, seen);
    }
    if (status == STATUS_OK)
        status = read_rule_state(&reader, state);
    if (status != STATUS_OK)
        return status;
    accept(&reader, '.');
    if (peek(&reader) != '\0')
        return fail(&reader, "the position is complete: something unexpected");
    return state_check(rules, state, error);
}

/* --- writing ---------------------------------------------------------------------------------- */

static char *write_pieces(char *text, const struct placement *at, int side)
{
    squares_t left = at->men[side] | at->kings[side];
    *text++ = side == WHITE ? 'W' : 'B';
    for (; left != 0; left &= left - 1) {
        const int square = squares_first(left);
        if ((at->kings[side] & square_bit(square)) != 0)
            *text++ = 'K';
        text += sprintf(text, "%d", square + 1);
        if ((left & (left - 1)) != 0)
            *text++ = ',';
    }
    return text;
}

static char *write_run(char *text, struct run run)
{
    if (run.count == 0)
        return text + sprintf(text, "+0");
    return text + sprintf(text, "+%d%02d", run.count, run.square + 1);
}

void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE])
{
    (void)rules;
    text += sprintf(text, "%c:", state->at.side == WHITE ? 'W' : 'B');
    text = write_pieces(text, &state->at, WHITE);
    *text++ = ':';
    text = write_pieces(text, &state->at, BLACK);
    if (state->clock > 0 || state->run[WHITE].count > 0 || state->run[BLACK].count > 0) {
        text += sprintf(text, ":H%d:F1:", state->limited == 0 ? state->clock : 0);
        text = write_run(text, state->run[BLACK]);
        text = write_run(text, state->run[WHITE]);
        if (state->limited != 0)
            text += sprintf(text, ":L%c%d", state->limited == 1 + WHITE ? 'W' : 'B', state->clock);
    }
    *text = '\0';
}

/* --- moves ------------------------------------------------------------------------------------ */

void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE])
{
    bool ambiguous = false;
    for (int i = 0; i < list->n_moves; i++)
        ambiguous = ambiguous || (&list->moves[i] != move && list->moves[i].from == move->from &&
                                  list->moves[i].to == move->to);
    if (move->captured == 0) {
        sprintf(text, "%d-%d", move->from + 1, move->to + 1);
    } else if (!ambiguous) {
        sprintf(text, "%dx%d", move->from + 1, move->to + 1);
    } else {
        for (int i = 0; i < move->n_path; i++)
            text += sprintf(text, "%s%d", i == 0 ? "" : "x", move->path[i] + 1);
    }
}

const struct move *move_read(const struct move_list *list, const char *text)
{
    const struct move *found = NULL;
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        char ours[MOVE_TEXT_SIZE];
        move_write(list, move, ours);
        if (strcmp(ours, text) == 0)
            return move;
    }
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        const char *at = text;
        char piece[8];
        bool same = true;
        for (int j = 0; j < move->n_path && same; j++) {
            const int n = sprintf(piece, "%s%d",
                                  j == 0           ? ""
                                  : move->captured ? "x"
                                                   : "-",
                                  move->path[j] + 1);
            same = strncmp(at, piece, (size_t)n) == 0;
            at += same ? n : 0;
        }
        if (same && *at == '\0') {
            if (found != NULL)
                return NULL;
            found = move;
        }
    }
    return found;
}
