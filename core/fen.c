/* A recursive-descent reader, one function for each part of the text; errors name the column.
 *
 * The strict reader accepts the FEN of fen.h and the states that state_check allows. The lenient
 * reader first extracts the FEN from a link or a tag (core/fen_unwrap.h). It then ignores rule
 * states of other programs that the tables do not have: a count of plies in other material, the run
 * of a captured king, ghosts. Each gets a note, so that the answer is not taken for that of another
 * position. */
#include "core/fen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/compiler.h"
#include "core/fen_unwrap.h"
#include "core/text.h"

/* --- reading ---------------------------------------------------------------------------------- */

enum { MOST_RUN = 3 }; /* a larger count is a mistake under any rules */

struct fen_reader {
    const struct rules *rules;
    const char *start;
    const char *at;
    const int *columns; /* column in the input, by character; NULL: the same */
    einspul_error *error;
    char *note; /* FEN_NOTE_SIZE bytes; NULL: read strictly */
    int clock;
    squares_t ghosts;
    bool run_has_square[2]; /* by side */
    bool over;              /* the list of the side to move is empty */
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
    const ptrdiff_t offset = at - reader->start;
    return reader->columns != NULL ? reader->columns[offset] : (int)offset + 1;
}

static int column(const struct fen_reader *reader)
{
    return column_of(reader, reader->at);
}

/* Appends to the note, as `first; second`. The note is truncated if it does not fit. */
PRINTF_LIKE(2, 3)
static void note(struct fen_reader *reader, const char *format, ...)
{
    size_t length = strlen(reader->note);
    va_list arguments;
    if (length > 0 && length + 3 < FEN_NOTE_SIZE) {
        strcpy(reader->note + length, "; ");
        length += 2;
    }
    va_start(arguments, format);
    vsnprintf(reader->note + length, FEN_NOTE_SIZE - length, format, arguments);
    va_end(arguments);
}

static einspul_status fail(struct fen_reader *reader, const char *what)
{
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
        return error_set(reader->error, EINSPUL_BAD_FEN,
                         "square %d at column %d is not on the board (1..%d)", number,
                         column(reader), reader->rules->board.n_squares);
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

enum kind { MAN, KING, GHOST };

/* Puts a piece on the board; `start` is the column of its square, or of its range. */
static einspul_status add_piece(struct fen_reader *reader, struct placement *at, enum side side,
                                enum kind kind, int square, int start)
{
    const squares_t bit = square_bit(square);
    if (((placement_occupied(at) | reader->ghosts) & bit) != 0)
        return error_set(reader->error, EINSPUL_BAD_FEN, "square %d at column %d is used twice",
                         square + 1, start);
    if (kind == MAN && (reader->rules->board.promotion[side] & bit) != 0)
        return error_set(reader->error, EINSPUL_BAD_FEN,
                         "the %s man on %d at column %d stands on its promotion row",
                         side_word(side), square + 1, start);
    if (kind == GHOST)
        reader->ghosts |= bit;
    else if (kind == KING)
        at->kings[side] |= bit;
    else
        at->men[side] |= bit;
    return EINSPUL_OK;
}

/* A square or a range of one kind of piece. */
static einspul_status read_range(struct fen_reader *reader, struct placement *at, enum side side)
{
    const bool lenient = reader->note != NULL;
    const enum kind kind = accept_letter(reader, 'K') ? KING
                           : lenient && (accept_letter(reader, 'G') || accept_letter(reader, 'P'))
                               ? GHOST
                               : MAN;
    const int start = column(reader);
    int first = 0;
    int last = 0;
    einspul_status status = read_square(reader, &first);
    if (status != EINSPUL_OK)
        return status;
    last = first;
    if (accept(reader, '-')) {
        if (kind == KING)
            accept_letter(reader, 'K');
        status = read_square(reader, &last);
        if (status != EINSPUL_OK)
            return status;
        if (last < first)
            return error_set(reader->error, EINSPUL_BAD_FEN,
                             "the range %d-%d at column %d runs backwards", first + 1, last + 1,
                             start);
    }
    for (int square = first; square <= last && status == EINSPUL_OK; square++)
        status = add_piece(reader, at, side, kind, square, start);
    return status;
}

static einspul_status read_pieces(struct fen_reader *reader, struct placement *at, bool seen[2])
{
    enum side side = WHITE;
    einspul_status status = read_side(reader, &side);
    if (status != EINSPUL_OK)
        return status;
    if (seen[side])
        return error_set(reader->error, EINSPUL_BAD_FEN, "%s is listed twice, at column %d",
                         side_name(side), column_of(reader, reader->at - 1));
    seen[side] = true;
    const char next = peek(reader);
    if (next == ':' || next == '.' || next == '\0') {
        reader->over = side == at->side;
        return reader->over
                   ? EINSPUL_OK
                   : error_set(reader->error, EINSPUL_BAD_FEN, "%s has no pieces", side_name(side));
    }
    do
        status = read_range(reader, at, side);
    while (status == EINSPUL_OK && accept(reader, ','));
    return status;
}

/* One king run: a digit, then the square in two digits if the digit is not 0. Older texts omit the
 * square, which only the lenient reader accepts. */
static einspul_status read_run(struct fen_reader *reader, struct run *run, bool *has_square)
{
    skip_spaces(reader);
    if (!is_digit(*reader->at))
        return fail(reader, "a king run (0..3) is expected");
    run->count = (uint8_t)(*reader->at++ - '0');
    run->square = 0;
    *has_square = run->count > 0 && (reader->note == NULL || is_digit(*reader->at));
    if (!*has_square)
        return EINSPUL_OK;
    int number = 0;
    for (int i = 0; i < 2; i++) {
        if (!is_digit(*reader->at))
            return fail(reader, "the king run's square needs two digits");
        number = 10 * number + (*reader->at++ - '0');
    }
    if (number < 1 || number > reader->rules->board.n_squares)
        return error_set(reader->error, EINSPUL_BAD_FEN,
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
            status = read_run(reader, &state->run[BLACK], &reader->run_has_square[BLACK]);
            if (status == EINSPUL_OK && !accept(reader, '+'))
                status = fail(reader, "'+' and White's king run are expected");
            if (status == EINSPUL_OK)
                status = read_run(reader, &state->run[WHITE], &reader->run_has_square[WHITE]);
            if (status != EINSPUL_OK)
                return status;
            seen_runs = true;
        } else {
            return fail(reader, "H, F or '+' is expected");
        }
    }
    return status;
}

/* --- rule states that the tables do not have -------------------------------------------------- */

/* Lidraughts counts plies in most material, up to 100. */
static void settle_clock(struct fen_reader *reader, struct state *state)
{
    enum { MOST_IGNORED = 100 };
    const struct rules *rules = reader->rules;
    const struct placement *at = &state->at;
    const bool two_kings = at->men[WHITE] == 0 && at->men[BLACK] == 0 &&
                           squares_count(at->kings[WHITE]) == 1 &&
                           squares_count(at->kings[BLACK]) == 1;

    if (state->limited != 0)
        return; /* the clock stands with the limit */
    state->clock = (uint8_t)(reader->clock < MAX_CLOCK ? reader->clock : MAX_CLOCK);
    if (reader->note == NULL || reader->clock == 0 || reader->clock > MOST_IGNORED ||
        placement_has_clock(rules, at))
        return;
    state->clock = 0;
    if (two_kings && rules->two_kings_limit > 0)
        note(reader, "H%d ignored: the tables have no count for one king against one",
             reader->clock);
    else
        note(reader, "H%d ignored: the tables have no clock in this material", reader->clock);
}

/* Drops an impossible run: its king was captured, or its side has lost its last man; lidraughts
 * leaves it in the text. A run without a square belongs to the only king. */
static void settle_run(struct fen_reader *reader, struct state *state, enum side side)
{
    const squares_t kings = state->at.kings[side];
    const bool has_square = reader->run_has_square[side];
    struct run *run = &state->run[side];
    char text[8];

    if (reader->note == NULL || run->count == 0 || run->count > MOST_RUN)
        return;
    if (has_square)
        sprintf(text, "+%d%02d", run->count % 10, run->square % 100 + 1);
    else
        sprintf(text, "+%d", run->count % 10);
    if (reader->rules->king_run_limit == 0) {
        note(reader, "%s's run %s ignored: '%s' has no king runs", side_name(side), text,
             reader->rules->name);
    } else if (state->at.men[side] == 0) {
        note(reader, "%s's run %s ignored: %s has no man", side_name(side), text, side_name(side));
    } else if (has_square && (kings & square_bit(run->square)) == 0) {
        note(reader, "%s's run %s ignored: no king of %s is there", side_name(side), text,
             side_name(side));
    } else if (!has_square && squares_count(kings) == 1) {
        run->square = (uint8_t)squares_first(kings);
        note(reader, "%s's run %s taken for the king on %d", side_name(side), text,
             run->square + 1);
        return;
    } else if (!has_square) {
        note(reader, "%s's run %s ignored: which of %d kings is not said", side_name(side), text,
             squares_count(kings));
    } else {
        return;
    }
    *run = (struct run){0};
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
    if (reader->ghosts != 0)
        note(reader, "ghosts ignored (%d): pieces of a capture that is not finished",
             squares_count(reader->ghosts));
    settle_clock(reader, state);
    settle_run(reader, state, BLACK);
    settle_run(reader, state, WHITE);
    return state_check(reader->rules, state, reader->over, reader->error);
}

einspul_status fen_read(const struct rules *rules, const char *text, struct state *state,
                        einspul_error *error)
{
    struct fen_reader reader = {.rules = rules, .start = text, .at = text, .error = error};
    return read_all(&reader, state);
}

/* The PDN game type of a variant of lidraughts; 0 for a variant without one. */
static int variant_game(const char *variant)
{
    static const struct {
        const char *name;
        int game;
    } variants[] = {{"frisian", 40},      {"frysk", 40},     {"standard", 20},
                    {"fromPosition", 20}, {"brazilian", 26}, {"russian", 25}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (strcmp(variants[i].name, variant) == 0)
            return variants[i].game;
    return 0;
}

einspul_status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                                char text_of_note[FEN_NOTE_SIZE], einspul_error *error)
{
    struct fen_reader reader = {
        .rules = rules, .start = text, .at = text, .error = error, .note = text_of_note};
    struct fen_plain plain;

    text_of_note[0] = '\0';
    *state = (struct state){0};
    if (fen_is_wrapped(text)) {
        const einspul_status status = fen_unwrap(text, &plain, error);
        if (status != EINSPUL_OK)
            return status;
        reader.start = reader.at = plain.text;
        reader.columns = plain.columns;
        if (plain.variant[0] != '\0' && variant_game(plain.variant) != rules->pdn_game_type)
            note(&reader, "the link's game is '%s', the rules are '%s'", plain.variant,
                 rules->name);
    }
    return read_all(&reader, state);
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
