/* Everything that is not strict is rewritten in place in a copy, which the strict reader then
 * reads. Text around a FEN and ignored parts of it become blanks, a square in letters becomes its
 * number: so each character keeps its column, and errors name columns of the input.
 *
 * The pieces are read first, without the rule state, because they decide which clocks and runs are
 * possible; others are ignored. Each ignored part gets a note, so that the answer is not mistaken
 * for that of another position. */
#include "study/fen_lenient.h"

#include "study/fen_unwrap.h"

#include "core/characters.h"
#include "core/program/text.h"

#include <stdlib.h>
#include <string.h>

struct lenient {
    const struct rules *rules;
    char *text; /* the copy */
    char *note;
    bool letters;          /* a square was in letters */
    bool ghosts_by_number; /* e.g. `G3`, which would be a square in algebraic notation */
    squares_t ghosts;
    struct run run[2]; /* given without a square: of the side's only king */
    struct fen_said said;
    einspul_error *error;
};

/* --- side and pieces -------------------------------------------------------------------------- */

static bool is_colour(char c)
{
    return c == 'W' || c == 'w' || c == 'B' || c == 'b';
}

/* Returns the field after the next colon, without leading blanks; NULL at the end. */
static char *next_field(char *at)
{
    at = strchr(at, ':');
    return at != NULL ? fen_skip_spaces(at + 1) : NULL;
}

static void rewrite_side(struct lenient *lenient, char *side)
{
    char *first = next_field(side);
    char *second = first != NULL ? next_field(first) : NULL;
    char *third = second != NULL ? next_field(second) : NULL;
    if (*side == '?' && first == fen_skip_spaces(side + 1) + 1) {
        *side = 'W';
        fen_note_add(lenient->note, &lenient->said, (struct fen_fault){.code = "SIDE_ASSUMED"},
                     "no side to move given; assuming White");
    }
    if (third != NULL && is_colour(*side) && (*side | 0x20) == (*first | 0x20) &&
        *fen_skip_spaces(first + 1) == ':' && is_colour(*second) && is_colour(*third)) {
        fen_blank(first, fen_skip_spaces(first + 1) + 1);
        fen_note_add(lenient->note, &lenient->said, (struct fen_fault){.code = "SIDE_REPEATED"},
                     "the side to move is given twice");
    }
}

/* Removes a ghost, `G19` or `P19`, from a list, with a comma next to it. */
static einspul_status take_ghost(struct lenient *lenient, char *piece, size_t length, int square)
{
    char *behind = fen_skip_spaces(piece + length);
    char *before = piece - 1;
    while (is_space(*before))
        before--;
    if (square < 0 || square >= lenient->rules->board.n_squares)
        return error_set(lenient->error, EINSPUL_BAD_FEN,
                         "square %d at column %d is not on the board (1..%d)", square + 1,
                         (int)(piece - lenient->text) + 2, lenient->rules->board.n_squares);
    lenient->ghosts |= square_bit(square);
    if (*behind == ',')
        behind++;
    else if (*before == ',')
        *before = ' ';
    fen_blank(piece, behind);
    return EINSPUL_OK;
}

/* Rewrites a piece list, from after the colour letter, into strict form. */
static einspul_status rewrite_list(struct lenient *lenient, char *at, const char *end)
{
    const struct board *board = &lenient->rules->board;
    einspul_status status = EINSPUL_OK;
    for (at = fen_skip_spaces(at); at < end && status == EINSPUL_OK; at = fen_skip_spaces(at)) {
        int square = 0;
        const bool ghost = (*at == 'G' || *at == 'P') && !lenient->letters;
        if (*at == 'K' || *at == 'k')
            at = fen_skip_spaces(at + 1);
        at += ghost;
        size_t length = square_in_letters(board, at, (size_t)(end - at), &square);
        if (ghost && length == 0) {
            length = strspn(at, "0123456789");
            square = length > 0 && length < 4 ? atoi(at) - 1 : NO_SQUARE;
            lenient->ghosts_by_number = true;
        }
        if (ghost) {
            status = take_ghost(lenient, at - 1, length + 1, square);
        } else if (length > 0) {
            fen_blank(at, at + length);
            number_write(at, square + 1);
            lenient->letters = true;
        }
        at += length;
        at += !ghost || *at == ',' || *at == '-' ? strcspn(at, ",-:") : 0;
        at += at < end;
    }
    return status;
}

/* --- rule states without table entries -------------------------------------------------------- */

/* Drops a clock of 1 to 100 plies that lidraughts writes for material without one. */
static void drop_clock(struct lenient *lenient, const struct placement *at, char *number)
{
    enum { MAX_IGNORED = 100 };
    const struct rules *rules = lenient->rules;
    const size_t n_digits = strspn(number, "0123456789");
    const int clock = n_digits < 4 ? atoi(number) : MAX_CLOCK;
    const bool one_king_each = at->men[WHITE] == 0 && at->men[BLACK] == 0 &&
                               bits_count(at->kings[WHITE]) == 1 &&
                               bits_count(at->kings[BLACK]) == 1;
    if (clock == 0 || clock > MAX_IGNORED || placement_limit(rules, at) > 0)
        return;
    fen_blank(number, number + n_digits);
    *number = '0';
    fen_note_add(
        lenient->note, &lenient->said, (struct fen_fault){"CLOCK_IGNORED", NULL, 1, {clock}},
        "H%d ignored: no clock for %s", clock,
        one_king_each && rules->two_kings_limit > 0 ? "one king against one" : "this material");
}

/* Drops an impossible run: its king was captured, or its side has lost its last man; lidraughts
 * leaves it in the text. A run without a square belongs to the only king. `run` is its count and
 * the digits of its square. */
static void drop_or_place_run(struct lenient *lenient, const struct placement *at, enum side side,
                              char *run)
{
    const squares_t kings = at->kings[side];
    const size_t n_digits = strspn(run, "0123456789");
    const int number = n_digits == 3 ? atoi(run + 1) : 0;
    const char *name = side_name(side);
    char why[48] = "";
    if (*run == '0' || *run > '0' + MAX_RUN_COUNT || (n_digits != 1 && n_digits != 3) ||
        (n_digits == 3 && (number < 1 || number > lenient->rules->board.n_squares)))
        return; /* valid as written, or an error for the strict reader to report */
    if (lenient->rules->king_run_limit == 0)
        text_append(why, sizeof why, "'%s' has no king runs", lenient->rules->name);
    else if (at->men[side] == 0)
        text_append(why, sizeof why, "%s has no man", name);
    else if (number > 0 && (kings & square_bit(number - 1)) == 0)
        text_append(why, sizeof why, "no king of %s is there", name);
    else if (number == 0 && bits_count(kings) != 1)
        text_append(why, sizeof why, "it does not say which of %d kings", bits_count(kings));
    if (why[0] != '\0') {
        fen_note_add(lenient->note, &lenient->said, (struct fen_fault){"RUN_IGNORED", name, 0, {0}},
                     "%s's run +%.*s ignored: %s", name, (int)n_digits, run, why);
    } else if (number == 0) {
        lenient->run[side] = (struct run){(uint8_t)bits_first(kings), (uint8_t)(*run - '0')};
        fen_note_add(lenient->note, &lenient->said,
                     (struct fen_fault){"RUN_ASSIGNED", name, 1, {bits_first(kings) + 1}},
                     "%s's run +%c assigned to the king on %d", name, *run, bits_first(kings) + 1);
    } else {
        return;
    }
    fen_blank(run, run + n_digits);
    *run = '0';
}

/* Drops a carried-over 2K v 1K limit such as `:LW13` if the rules have no such limit or the
 * material cannot have arisen by that capture. Returns true if dropped. */
static bool drop_limit(struct lenient *lenient, const struct placement *at, char *field)
{
    /* Both kings may belong to one side that captured the last piece after its limit. */
    const bool few_kings = (at->men[WHITE] | at->men[BLACK]) == 0 &&
                           bits_count(at->kings[WHITE] | at->kings[BLACK]) <= 2;
    const bool known = lenient->rules->two_kings_limit > 0;
    const size_t n_digits = is_colour(field[1]) ? strspn(field + 2, "0123456789") : 0;
    char *colon = field - 1;
    char why[64] = "";
    if ((few_kings && known) || n_digits == 0)
        return false;
    if (known)
        text_append(why, sizeof why, "only applies to one king against one");
    else
        text_append(why, sizeof why, "'%s' has no such limit", lenient->rules->name);
    fen_note_add(lenient->note, &lenient->said, (struct fen_fault){.code = "LIMIT_IGNORED"},
                 "%.*s ignored: %s", n_digits < 4 ? (int)n_digits + 2 : 6, field, why);
    while (*colon != ':')
        colon--;
    fen_blank(colon, field + 2 + n_digits);
    return true;
}

/* In the query string of a link a plus means a space. So ` 0 246` is `+0+246`; no other field has
 * the form space, digits, space, digits. */
static void restore_pluses(char *field)
{
    if (*field != ' ')
        return;
    char *black = field + 1;
    char *white = black + strspn(black, "0123456789");
    if (white == black || *white != ' ')
        return;
    const char *end = white + 1 + strspn(white + 1, "0123456789");
    if (end > white + 1 && (*end == ':' || *end == '\0'))
        *field = *white = '+';
}

/* Rewrites the fields after the pieces. */
static void rewrite_rule_state(struct lenient *lenient, const struct placement *at, char *fields)
{
    bool limited = false; /* the clock belongs to the limit */
    for (char *colon = fields; colon != NULL; colon = strchr(colon + 1, ':'))
        restore_pluses(colon + 1);
    for (char *field = fen_skip_spaces(fields + 1); field != NULL; field = next_field(field))
        if ((*field == 'L' || *field == 'l') && !drop_limit(lenient, at, field))
            limited = true;
    for (char *field = fen_skip_spaces(fields + 1); field != NULL && *field != '\0';
         field = next_field(field)) {
        char *black = fen_skip_spaces(field + 1);
        char *white = black + strspn(black, "0123456789 \t");
        if ((*field == 'H' || *field == 'h') && is_digit(*black) && !limited)
            drop_clock(lenient, at, black);
        if (*field != '+' || !is_digit(*black) || *white != '+')
            continue;
        white = fen_skip_spaces(white + 1);
        drop_or_place_run(lenient, at, BLACK, black);
        if (is_digit(*white))
            drop_or_place_run(lenient, at, WHITE, white);
    }
}

/* --- all -------------------------------------------------------------------------------------- */

static einspul_status read_copy(struct lenient *lenient, struct state *state)
{
    char *fen = NULL;
    const struct fen_wrapped wrapped = {lenient->rules, lenient->text, lenient->note,
                                        &lenient->said, lenient->error};
    einspul_status status = fen_unwrap(&wrapped, &fen);
    if (status != EINSPUL_OK)
        return status;
    fen = fen_skip_spaces(fen);
    rewrite_side(lenient, fen);
    char *first = next_field(fen);
    char *second = first != NULL ? next_field(first) : NULL;
    char *fields = second != NULL ? strchr(second, ':') : NULL;
    if (second != NULL)
        status = rewrite_list(lenient, first + (*first != '\0'), second - 1);
    if (second != NULL && status == EINSPUL_OK)
        status = rewrite_list(lenient, second + (*second != '\0'), second + strcspn(second, ":"));
    if (fields != NULL)
        *fields = '\0';
    if (status == EINSPUL_OK)
        status =
            fen_read(lenient->rules, lenient->text, state, &lenient->said.fault, lenient->error);
    if (status != EINSPUL_OK)
        return status;
    if (lenient->letters && lenient->ghosts_by_number)
        return error_set(lenient->error, EINSPUL_BAD_FEN,
                         "ghost pieces use numbers but the squares use letters");
    if ((lenient->ghosts & placement_occupied(&state->at)) != 0)
        return error_set(lenient->error, EINSPUL_BAD_FEN, "square %d has both a piece and a ghost",
                         bits_first(lenient->ghosts & placement_occupied(&state->at)) + 1);
    if (lenient->ghosts != 0 && placement_own(&state->at, state->at.side) == 0)
        return error_set(lenient->error, EINSPUL_BAD_POSITION, "%s has no pieces",
                         side_name(state->at.side));
    if (lenient->ghosts != 0)
        fen_note_add(lenient->note, &lenient->said,
                     (struct fen_fault){"GHOSTS_IGNORED", NULL, 1, {bits_count(lenient->ghosts)}},
                     "ghosts ignored: %d, captured in an unfinished move",
                     bits_count(lenient->ghosts));
    if (fields == NULL)
        return EINSPUL_OK;
    *fields = ':';
    rewrite_rule_state(lenient, &state->at, fields);
    status = fen_read(lenient->rules, lenient->text, state, &lenient->said.fault, lenient->error);
    for (int side = WHITE; side <= BLACK && status == EINSPUL_OK; side++)
        if (lenient->run[side].count > 0)
            state->run[side] = lenient->run[side];
    return status;
}

einspul_status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                                char note[FEN_NOTE_SIZE], enum notation *notation,
                                struct fen_said *said, einspul_error *error)
{
    struct lenient lenient = {
        .rules = rules, .text = malloc(strlen(text) + 1), .note = note, .error = error};
    note[0] = '\0';
    if (lenient.text == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a position");
    strcpy(lenient.text, text);
    /* Strict FENs are accepted unchanged; try the strict reader first. */
    einspul_status status = fen_read(rules, text, state, NULL, NULL);
    if (status != EINSPUL_OK) {
        *state = (struct state){0};
        status = read_copy(&lenient, state);
    }
    if (notation != NULL)
        *notation = lenient.letters ? NOTATION_LETTERS : NOTATION_NUMBERS;
    if (status != EINSPUL_OK)
        note[0] = '\0';
    if (said != NULL)
        *said = lenient.said;
    free(lenient.text);
    return status;
}
