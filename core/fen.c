/* A recursive-descent parser, one function per part of a FEN. Other programs' dialects are handled
 * by study/fen_lenient.c. */
#include "core/fen.h"
#include "core/characters.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fen_reader {
    const struct rules *rules;
    const char *start;
    const char *at;
    struct state *state;
    einspul_error *error;
    struct fen_fault fault;
};

/* Skips spaces; returns the next character without consuming it. */
static char peek(struct fen_reader *reader)
{
    while (is_space(*reader->at))
        reader->at++;
    return *reader->at;
}

static bool accept(struct fen_reader *reader, char c)
{
    if (peek(reader) != c)
        return false;
    reader->at++;
    return true;
}

static int column(const struct fen_reader *reader)
{
    return (int)(reader->at - reader->start) + 1;
}

/* Stores the fault and the error message; returns false. */
PRINTF_LIKE(3, 4)
static bool refuse(struct fen_reader *reader, struct fen_fault fault, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(reader->error, EINSPUL_BAD_FEN, "%s", text);
    reader->fault = fault;
    return false;
}

/* Reports `why` the text is wrong here; returns false. */
static bool fail(struct fen_reader *reader, const char *why)
{
    const unsigned char found = (unsigned char)*reader->at;
    char where[48] = ", but the FEN ends here";
    if (found != '\0')
        snprintf(where, sizeof where,
                 found < ' ' || found > '~' ? " at column %d, found byte 0x%02x"
                                            : " at column %d, found '%c'",
                 column(reader), found);
    if (found == '\0' && reader->start[strspn(reader->start, " \t\n\v\f\r")] == '\0')
        error_set(reader->error, EINSPUL_BAD_FEN, "the FEN is empty");
    else
        error_set(reader->error, EINSPUL_BAD_FEN, "%s%s", why, where);
    reader->fault = found == '\0' ? (struct fen_fault){.code = "TEXT_ENDS"}
                                  : (struct fen_fault){"UNEXPECTED", NULL, 1, {column(reader)}};
    return false;
}

/* Reads a decimal number of at most six digits; -1 if none follows. */
static int read_number(struct fen_reader *reader)
{
    int number = is_digit(peek(reader)) ? 0 : -1;
    for (int i = 0; i < 6 && is_digit(*reader->at); i++)
        number = 10 * number + (*reader->at++ - '0');
    return number;
}

static bool read_square(struct fen_reader *reader, int *square)
{
    peek(reader);
    const int start = column(reader);
    const int number = read_number(reader);
    if (number < 0)
        return fail(reader, "expected a square number");
    *square = number - 1;
    return (number >= 1 && number <= reader->rules->board.n_squares) ||
           refuse(reader, (struct fen_fault){"NO_SUCH_SQUARE", NULL, 2, {number, start}},
                  "square %d at column %d is not on the board (1..%d)", number, start,
                  reader->rules->board.n_squares);
}

static bool accept_letter(struct fen_reader *reader, char upper)
{
    return accept(reader, upper) || accept(reader, (char)(upper - 'A' + 'a'));
}

static bool read_side(struct fen_reader *reader, const char *missing, enum side *side)
{
    *side = accept_letter(reader, 'W') ? WHITE : BLACK;
    return *side == WHITE || accept_letter(reader, 'B') || fail(reader, missing);
}

/* Puts a piece on the board; `start` is the column of its square, or of its range. */
static bool add_piece(struct fen_reader *reader, enum side side, bool king, int square, int start)
{
    struct placement *at = &reader->state->at;
    const squares_t bit = square_bit(square);
    if ((placement_occupied(at) & bit) != 0)
        return refuse(reader, (struct fen_fault){"SQUARE_TWICE", NULL, 2, {square + 1, start}},
                      "square %d is used twice (column %d)", square + 1, start);
    if (!king && (reader->rules->board.promotion[side] & bit) != 0)
        return refuse(reader,
                      (struct fen_fault){"MAN_PROMOTED", side_word(side), 2, {square + 1, start}},
                      "a %s man cannot stand on %d: it would have been promoted (column %d)",
                      side_word(side), square + 1, start);
    *(king ? &at->kings[side] : &at->men[side]) |= bit;
    return true;
}

/* A square or a range of one kind of piece. */
static bool read_range(struct fen_reader *reader, enum side side)
{
    const bool king = accept_letter(reader, 'K');
    const int start = column(reader);
    int first = 0;
    if (!read_square(reader, &first))
        return false;
    int last = first;
    if (accept(reader, '-')) {
        if (king)
            accept_letter(reader, 'K');
        if (!read_square(reader, &last))
            return false;
    }
    if (last < first)
        return refuse(reader, (struct fen_fault){"RANGE_BACKWARDS", NULL, 2, {first + 1, last + 1}},
                      "the range %d-%d at column %d runs backwards; write %d-%d", first + 1,
                      last + 1, start, last + 1, first + 1);
    while (first <= last && add_piece(reader, side, king, first, start))
        first++;
    return first > last;
}

static bool read_pieces(struct fen_reader *reader, bool seen[2])
{
    enum side side;
    if (!accept(reader, ':'))
        return fail(reader, "expected ':' and a list of pieces");
    if (!read_side(reader, "expected W or B", &side))
        return false;
    if (seen[side])
        return refuse(reader,
                      (struct fen_fault){"SIDE_TWICE", side_name(side), 1, {column(reader) - 1}},
                      "%s is listed twice, at column %d", side_name(side), column(reader) - 1);
    seen[side] = true;
    if (strchr(":.", peek(reader)) != NULL)      /* or the text ends */
        return side == reader->state->at.side || /* it has lost its last pieces */
               refuse(reader, (struct fen_fault){"NO_PIECES", side_name(side), 0, {0}},
                      "%s has no pieces", side_name(side));
    while (read_range(reader, side))
        if (!accept(reader, ',') || strchr(":.", peek(reader)) != NULL)
            return true;
    return false;
}

/* One king run: a digit, then the square in two digits if the digit is not 0. */
static bool read_run(struct fen_reader *reader, struct run *run)
{
    int number = 0;
    if (!is_digit(peek(reader)))
        return fail(reader, "expected a king run from 0 to 3");
    *run = (struct run){.count = (uint8_t)(*reader->at++ - '0')};
    if (run->count == 0)
        return true;
    for (int i = 0; i < 2; i++) {
        if (!is_digit(*reader->at))
            return fail(reader,
                        "the square of a king run has two digits (e.g. 05), expected a digit");
        number = 10 * number + (*reader->at++ - '0');
    }
    run->square = (uint8_t)(number - 1);
    return (number >= 1 && number <= reader->rules->board.n_squares) ||
           refuse(reader,
                  (struct fen_fault){
                      "NO_RUN_SQUARE", NULL, 2, {number, reader->rules->board.n_squares}},
                  "the king run's square %d is not on the board (1..%d)", number,
                  reader->rules->board.n_squares);
}

/* Reads a number of plies or moves, at least `min`. */
static bool read_count(struct fen_reader *reader, int min, const char *missing, int *count)
{
    *count = read_number(reader);
    return *count >= min || fail(reader, missing);
}

/* Reads the rule state: clock, move number and king runs, in this order, and anywhere among them
 * `LW13`: in K v K, White is still bound by its limit, 13 plies after 2K v 1K arose. */
static bool read_rule_state(struct fen_reader *reader)
{
    enum { NOTHING, CLOCK, NUMBER, RUNS } seen = NOTHING;
    struct state *state = reader->state;
    enum side limited;
    int clock = 0;
    int clock_of_limit = 0;
    int number = 0;
    bool good = true;
    while (good && accept(reader, ':')) {
        if (state->limited == 0 && accept_letter(reader, 'L')) {
            good =
                read_side(reader, "expected W or B after L", &limited) &&
                read_count(reader, 1, "expected a number of plies after LW or LB", &clock_of_limit);
            state->limited = (uint8_t)(1 + limited);
        } else if (seen == RUNS) {
            good = fail(reader, "unexpected text after the king runs");
        } else if (seen < CLOCK && accept_letter(reader, 'H')) {
            good = read_count(reader, 0, "expected a number of plies after H", &clock);
            seen = CLOCK;
        } else if (seen < NUMBER && accept_letter(reader, 'F')) {
            good = read_count(reader, 0, "expected a move number after F", &number);
            seen = NUMBER;
        } else if (accept(reader, '+')) {
            good = read_run(reader, &state->run[BLACK]) &&
                   (accept(reader, '+') || fail(reader, "expected '+' and White's king run")) &&
                   read_run(reader, &state->run[WHITE]);
            seen = RUNS;
        } else {
            good = fail(reader, "expected H, F or '+'");
        }
    }
    if (state->limited != 0)
        clock = clock_of_limit;
    state->clock = (uint8_t)(clock < MAX_CLOCK ? clock : MAX_CLOCK);
    return good;
}

static bool read_all(struct fen_reader *reader)
{
    bool seen[2] = {false, false};
    *reader->state = (struct state){0};
    if (!read_side(reader, "expected W or B", &reader->state->at.side) ||
        !read_pieces(reader, seen) || !read_pieces(reader, seen) || !read_rule_state(reader))
        return false;
    accept(reader, '.');
    return peek(reader) == '\0' || fail(reader, "unexpected text after the position");
}

einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        struct fen_fault *fault, einspul_error *error)
{
    struct fen_reader reader = {
        .rules = rules, .start = text, .at = text, .state = state, .error = error};
    const bool good = read_all(&reader);
    if (fault != NULL)
        *fault = reader.fault;
    return good ? state_check(rules, state, error) : EINSPUL_BAD_FEN;
}

static char *write_pieces(char *text, const struct placement *at, int side)
{
    squares_t left = at->men[side] | at->kings[side];
    *text++ = side == WHITE ? 'W' : 'B';
    for (; left != 0; left &= left - 1) {
        const int square = bits_first(left);
        if ((at->kings[side] & square_bit(square)) != 0)
            *text++ = 'K';
        text = number_write(text, square + 1);
        if ((left & (left - 1)) != 0)
            *text++ = ',';
    }
    return text;
}

/* Writes the count and, unless it is 0, the square in two digits. */
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

/* Moves are written as from and to; a capture that shares both with another in the list is written
 * with every landing square. */

/* True if another capture of the list has the same from and to. */
static bool is_ambiguous(const struct move_list *list, const struct move *move)
{
    for (int i = 0; i < list->n_moves; i++)
        if (list->moves[i].from == move->from && list->moves[i].to == move->to &&
            &list->moves[i] != move)
            return true;
    return false;
}

/* Writes from, every landing square if `whole`, and to. */
static void write_squares(const struct move *move, bool whole, char *text)
{
    text = number_write(text, move->from + 1);
    for (int i = whole ? 1 : move->n_path - 1; i < move->n_path; i++) {
        *text++ = move->captured == 0 ? '-' : 'x';
        text = number_write(text, move->path[i] + 1);
    }
    *text = '\0';
}

void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE])
{
    write_squares(move, move->captured != 0 && is_ambiguous(list, move), text);
}

/* A full path determines the captured pieces, and so identifies one move. */
const struct move *move_read(const struct move_list *list, const char *text)
{
    for (int i = 0; i < list->n_moves; i++) {
        char brief[MOVE_TEXT_SIZE];
        char path[MOVE_TEXT_SIZE];
        move_write(list, &list->moves[i], brief);
        write_squares(&list->moves[i], true, path);
        if (strcmp(text, brief) == 0 || strcmp(text, path) == 0)
            return &list->moves[i];
    }
    return NULL;
}
