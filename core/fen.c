/* A recursive-descent reader, one function for each part of the text; errors name the column. What
 * other programs write is not read here, but in study/fen_lenient.c. */
#include "core/fen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/compiler.h"
#include "core/text.h"

/* --- reading ---------------------------------------------------------------------------------- */

struct fen_reader {
    const struct rules *rules;
    const char *start;
    const char *at;
    einspul_error *error;
    char *fault; /* FEN_FAULT_SIZE bytes */
    int clock;
    bool over; /* the list of the side to move is empty */
};

static void skip_spaces(struct fen_reader *reader)
{
    while (is_space(*reader->at))
        reader->at++;
}

static char peek(struct fen_reader *reader)
{
    skip_spaces(reader);
    return *reader->at;
}

static bool accept(struct fen_reader *reader, char c)
{
    if (peek(reader) != c)
        return false;
    reader->at++;
    return true;
}

static int column_of(const struct fen_reader *reader, const char *at)
{
    return (int)(at - reader->start) + 1;
}

static int column(const struct fen_reader *reader)
{
    return column_of(reader, reader->at);
}

/* Fills in the fault and the error, from the same arguments. */
PRINTF_LIKE(2, 4)
PRINTF_LIKE(3, 4)
static einspul_status refuse(struct fen_reader *reader, const char *code, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->fault, FEN_FAULT_SIZE, code, arguments);
    va_end(arguments);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(reader->error, EINSPUL_BAD_FEN, "%s", text);
}

static einspul_status fail(struct fen_reader *reader, const char *what)
{
    snprintf(reader->fault, FEN_FAULT_SIZE, *reader->at == '\0' ? "TEXT_ENDS" : "UNEXPECTED %d",
             column(reader));
    if (*reader->at == '\0')
        return error_set(reader->error, EINSPUL_BAD_FEN, "%s, but the text ends", what);
    const unsigned char found = (unsigned char)*reader->at;
    if (found < ' ' || found > '~')
        return error_set(reader->error, EINSPUL_BAD_FEN, "%s at column %d (byte %02x)", what,
                         column(reader), found);
    return error_set(reader->error, EINSPUL_BAD_FEN, "%s at column %d ('%c')", what, column(reader),
                     found);
}

/* A decimal number of at most six digits; -1 when there is none. */
static int read_number(struct fen_reader *reader)
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

static einspul_status read_square(struct fen_reader *reader, int *square)
{
    const char *before = reader->at;
    const int number = read_number(reader);
    if (number < 0)
        return fail(reader, "a square number is expected");
    if (number < 1 || number > reader->rules->board.n_squares) {
        reader->at = before;
        skip_spaces(reader);
        return refuse(reader, "NO_SUCH_SQUARE %d %d %d",
                      "square %d at column %d is not on the board (1..%d)", number, column(reader),
                      reader->rules->board.n_squares);
    }
    *square = number - 1;
    return EINSPUL_OK;
}

static bool accept_letter(struct fen_reader *reader, char upper)
{
    return accept(reader, upper) || accept(reader, (char)(upper - 'A' + 'a'));
}

static einspul_status read_side(struct fen_reader *reader, enum side *side)
{
    if (accept_letter(reader, 'W'))
        *side = WHITE;
    else if (accept_letter(reader, 'B'))
        *side = BLACK;
    else
        return fail(reader, "W or B is expected");
    return EINSPUL_OK;
}

/* Puts a piece on the board; `start` is the column of its square, or of its range. */
static einspul_status add_piece(struct fen_reader *reader, struct placement *at, enum side side,
                                bool king, int square, int start)
{
    const squares_t bit = square_bit(square);
    if ((placement_occupied(at) & bit) != 0)
        return refuse(reader, "SQUARE_TWICE %d %d", "square %d at column %d is used twice",
                      square + 1, start);
    if (!king && (reader->rules->board.promotion[side] & bit) != 0)
        return refuse(reader, "MAN_PROMOTED %s %d %d",
                      "the %s man on %d at column %d stands on its promotion row", side_word(side),
                      square + 1, start);
    if (king)
        at->kings[side] |= bit;
    else
        at->men[side] |= bit;
    return EINSPUL_OK;
}

/* A square or a range of one kind of piece. */
static einspul_status read_range(struct fen_reader *reader, struct placement *at, enum side side)
{
    const bool king = accept_letter(reader, 'K');
    const int start = column(reader);
    int first = 0;
    int last = 0;
    einspul_status status = read_square(reader, &first);
    if (status != EINSPUL_OK)
        return status;
    last = first;
    if (accept(reader, '-')) {
        if (king)
            accept_letter(reader, 'K');
        status = read_square(reader, &last);
        if (status != EINSPUL_OK)
            return status;
        if (last < first)
            return refuse(reader, "RANGE_BACKWARDS %d %d %d",
                          "the range %d-%d at column %d runs backwards", first + 1, last + 1,
                          start);
    }
    for (int square = first; square <= last && status == EINSPUL_OK; square++)
        status = add_piece(reader, at, side, king, square, start);
    return status;
}

static einspul_status read_pieces(struct fen_reader *reader, struct placement *at, bool seen[2])
{
    enum side side = WHITE;
    einspul_status status = read_side(reader, &side);
    if (status != EINSPUL_OK)
        return status;
    if (seen[side])
        return refuse(reader, "SIDE_TWICE %s %d", "%s is listed twice, at column %d",
                      side_name(side), column_of(reader, reader->at - 1));
    seen[side] = true;
    const char next = peek(reader);
    if (next == ':' || next == '.' || next == '\0') {
        reader->over = side == at->side;
        return reader->over ? EINSPUL_OK
                            : refuse(reader, "NO_PIECES %s", "%s has no pieces", side_name(side));
    }
    do
        status = read_range(reader, at, side);
    while (status == EINSPUL_OK && accept(reader, ','));
    return status;
}

/* One king run: a digit, then the square in two digits if the digit is not 0. */
static einspul_status read_run(struct fen_reader *reader, struct run *run)
{
    skip_spaces(reader);
    if (!is_digit(*reader->at))
        return fail(reader, "a king run (0..3) is expected");
    run->count = (uint8_t)(*reader->at++ - '0');
    run->square = 0;
    if (run->count == 0)
        return EINSPUL_OK;
    int number = 0;
    for (int i = 0; i < 2; i++) {
        if (!is_digit(*reader->at))
            return fail(reader, "the king run's square needs two digits");
        number = 10 * number + (*reader->at++ - '0');
    }
    if (number < 1 || number > reader->rules->board.n_squares)
        return refuse(reader, "NO_RUN_SQUARE %d %d",
                      "the king run's square %d is not on the board (1..%d)", number,
                      reader->rules->board.n_squares);
    run->square = (uint8_t)(number - 1);
    return EINSPUL_OK;
}

/* `W13`: White is still under its limit in K v K, 13 plies after two kings against one arose. */
static einspul_status read_limit(struct fen_reader *reader, struct state *state)
{
    const bool white = accept_letter(reader, 'W');
    if (!white && !accept_letter(reader, 'B'))
        return fail(reader, "W or B is expected after L");
    const int clock = read_number(reader);
    if (clock < 1)
        return fail(reader, "a number of plies is expected after LW or LB");
    state->limited = white ? 1 + WHITE : 1 + BLACK;
    state->clock = (uint8_t)(clock < MAX_CLOCK ? clock : MAX_CLOCK);
    return EINSPUL_OK;
}

static einspul_status read_rule_state(struct fen_reader *reader, struct state *state)
{
    einspul_status status = EINSPUL_OK;
    bool seen_clock = false;
    bool seen_number = false;
    bool seen_runs = false;

    while (accept(reader, ':')) {
        if (state->limited == 0 && accept_letter(reader, 'L')) {
            status = read_limit(reader, state);
            if (status != EINSPUL_OK)
                return status;
            continue;
        }
        if (seen_runs)
            return fail(reader, "nothing may follow the king runs: a mistake");
        if (!seen_clock && !seen_number && accept_letter(reader, 'H')) {
            reader->clock = read_number(reader);
            if (reader->clock < 0)
                return fail(reader, "a number of plies is expected after H");
            seen_clock = true;
        } else if (!seen_number && accept_letter(reader, 'F')) {
            if (read_number(reader) < 0)
                return fail(reader, "a move number is expected after F");
            seen_number = true;
        } else if (accept(reader, '+')) {
            status = read_run(reader, &state->run[BLACK]);
            if (status == EINSPUL_OK && !accept(reader, '+'))
                status = fail(reader, "'+' and White's king run are expected");
            if (status == EINSPUL_OK)
                status = read_run(reader, &state->run[WHITE]);
            if (status != EINSPUL_OK)
                return status;
            seen_runs = true;
        } else {
            return fail(reader, "H, F or '+' is expected");
        }
    }
    return status;
}

static einspul_status read_all(struct fen_reader *reader, struct state *state)
{
    bool seen[2] = {false, false};

    *state = (struct state){0};
    einspul_status status = read_side(reader, &state->at.side);
    for (int i = 0; i < 2 && status == EINSPUL_OK; i++) {
        if (!accept(reader, ':'))
            return fail(reader, "':' and a list of pieces are expected");
        status = read_pieces(reader, &state->at, seen);
    }
    if (status == EINSPUL_OK)
        status = read_rule_state(reader, state);
    if (status != EINSPUL_OK)
        return status;
    accept(reader, '.');
    if (peek(reader) != '\0')
        return fail(reader, "the position is complete: something unexpected");
    if (state->limited == 0) /* else the clock stands with the limit */
        state->clock = (uint8_t)(reader->clock < MAX_CLOCK ? reader->clock : MAX_CLOCK);
    return state_check(reader->rules, state, reader->over, reader->error);
}

einspul_status fen_read_fault(const struct rules *rules, const char *text, struct state *state,
                              char fault[FEN_FAULT_SIZE], einspul_error *error)
{
    struct fen_reader reader = {
        .rules = rules, .start = text, .at = text, .error = error, .fault = fault};
    fault[0] = '\0';
    return read_all(&reader, state);
}

einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        einspul_error *error)
{
    char fault[FEN_FAULT_SIZE];
    return fen_read_fault(rules, text, state, fault, error);
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
        text = number_write(text, square + 1);
        if ((left & (left - 1)) != 0)
            *text++ = ',';
    }
    return text;
}

/* The count and, unless it is 0, the square in two digits. */
static char *write_run(char *text, struct run run)
{
    *text++ = '+';
    text = number_write(text, run.count);
    if (run.count > 0 && run.square + 1 < 10)
        *text++ = '0';
    return run.count == 0 ? text : number_write(text, run.square + 1);
}

static char *write_text(char *text, const char *from)
{
    while (*from != '\0')
        *text++ = *from++;
    return text;
}

void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE])
{
    text = write_text(text, state->at.side == WHITE ? "W:" : "B:");
    text = write_pieces(text, &state->at, WHITE);
    *text++ = ':';
    text = write_pieces(text, &state->at, BLACK);
    if (state->clock > 0 || state->run[WHITE].count > 0 || state->run[BLACK].count > 0) {
        text = write_text(text, ":H");
        text = number_write(text, state->limited == 0 ? state->clock : 0);
        text = write_text(text, ":F1");
        if (rules->king_run_limit > 0) {
            *text++ = ':';
            text = write_run(text, state->run[BLACK]);
            text = write_run(text, state->run[WHITE]);
        }
        if (state->limited != 0) {
            text = write_text(text, state->limited == 1 + WHITE ? ":LW" : ":LB");
            text = number_write(text, state->clock);
        }
    }
    *text = '\0';
}
