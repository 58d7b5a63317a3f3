/* What is not strict is rewritten in a copy, in place, and the strict reader reads the copy. What
 * stands around a FEN and what is ignored in it becomes blanks, a square in letters its number: so
 * each character keeps its column, and errors name columns of the input.
 *
 * The pieces are read first, without the rule state, as they decide which clocks and runs can be;
 * the others are ignored. Each gets a note, so that the answer is not taken for that of another
 * position. */
#include "study/fen_lenient.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum { VARIANT_SIZE = 24 };

struct lenient {
    const struct rules *rules;
    char *text; /* the copy */
    char *note;
    bool letters;           /* a square was in letters */
    bool ghosts_in_numbers; /* as G3, which in letters is a square */
    squares_t ghosts;
    struct run run[2]; /* without a square: of the only king */
    char *fault;       /* FEN_FAULT_SIZE bytes */
    einspul_error *error;
};

static char *skip_spaces(char *at)
{
    while (is_space(*at))
        at++;
    return at;
}

static void blank(char *from, const char *end)
{
    if (from < end)
        memset(from, ' ', (size_t)(end - from));
}

static einspul_status wrong(const struct lenient *lenient, const char *at, const char *what)
{
    return error_set(lenient->error, EINSPUL_BAD_FEN, "%s, at column %d", what,
                     (int)(at - lenient->text) + 1);
}

/* Begins a remark, behind those that are there. */
static char *and_note(const struct lenient *lenient)
{
    if (lenient->note[0] != '\0')
        text_append(lenient->note, FEN_NOTE_SIZE, "; ");
    return lenient->note;
}

/* The text after `word`, in lower case, if it begins with it in any case; otherwise NULL. */
static char *behind_word(char *text, const char *word)
{
    for (; *word != '\0'; word++, text++)
        if (*text != *word && !(*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *word))
            return NULL;
    return text;
}

/* --- games ------------------------------------------------------------------------------------ */

/* Whether a variant of lidraughts is the game of the rule set, whose name begins with it. */
static bool is_game_of(const char *variant, const struct rules *rules)
{
    const char *game = rules_of_game(variant);
    return game != NULL && strncmp(rules->name, game, strlen(game)) == 0;
}

/* --- links ------------------------------------------------------------------------------------ */

/* The path of a link; NULL if the text is no link. */
static char *link_path(char *text)
{
    static const char *const beginnings[] = {"https://", "http://", "lidraughts.org/",
                                             "www.lidraughts.org/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        char *at = behind_word(text, beginnings[i]);
        if (at != NULL)
            return i < 2 ? at + strcspn(at, "/?# \t\r\n") : at - 1;
    }
    return NULL;
}

bool fen_is_link(const char *text)
{
    char beginning[24] = "";
    while (is_space(*text))
        text++;
    for (size_t i = 0; i + 1 < sizeof beginning && text[i] != '\0'; i++)
        beginning[i] = text[i];
    return link_path(beginning) != NULL;
}

/* The value of a parameter of a query, its end in `*end`; NULL if it is not there. */
static char *find_parameter(char *query, const char *name, char **end)
{
    for (char *at = query; *at == '?' || *at == '&'; at = *end) {
        char *value = behind_word(at + 1, name);
        *end = at + 1 + strcspn(at + 1, "&# \t\n\v\f\r");
        if (value != NULL && value <= *end)
            return value;
    }
    return NULL;
}

/* The variant that a link names: in a parameter, or after `analysis` or `editor`, where `puzzle`
 * may stand between; without a name it is international. */
static void find_variant(char *path, char *query, const char *fen, char variant[VARIANT_SIZE])
{
    char *end = NULL;
    char *begin = find_parameter(query, "variant=", &end);
    bool page = begin != NULL;
    if (!page) {
        begin = behind_word(path, "/analysis");
        if (begin == NULL)
            begin = behind_word(path, "/editor");
        page = begin != NULL && (*begin == '/' || begin == query);
        for (int i = 0; page && i < 2; i++) {
            begin += *begin == '/';
            end = begin + strcspn(begin, "/?# \t\n\v\f\r");
            if (behind_word(begin, "puzzle") != end)
                break;
            begin = end;
        }
    }
    if (!page)
        return;
    if (begin == fen || begin == end)
        strcpy(variant, "standard");
    else if (end - begin < VARIANT_SIZE)
        memcpy(variant, begin, (size_t)(end - begin));
    else
        strcpy(variant, "?");
    for (char *at = variant; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~')
            *at = '?';
}

static int digit_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes `_` and escapes. The blanks that an escape leaves come after its word, so that they part
 * no number. */
static einspul_status decode(const struct lenient *lenient, char *begin, const char *end)
{
    char *to = begin;
    for (char *at = begin; at < end; at++) {
        const int high = *at == '%' && at + 2 < end ? digit_value(at[1]) : -1;
        const int low = high >= 0 ? digit_value(at[2]) : -1;
        const char c = *at == '_' ? ' ' : low < 0 ? *at : (char)(16 * high + low);
        if (c == '\0' || (*at == '%' && low < 0))
            return wrong(lenient, at, "'%' and two digits mean no character");
        if (strchr(":,+- ", c) != NULL) {
            blank(to, at);
            to = at;
        }
        *to++ = c;
        at += low < 0 ? 0 : 2;
        if (strchr(":,+- ", c) != NULL) {
            blank(to, at + 1);
            to = at + 1;
        }
    }
    blank(to, end);
    return EINSPUL_OK;
}

/* Leaves of a link its FEN. */
static einspul_status unwrap_link(const struct lenient *lenient, char *path, char **fen)
{
    char variant[VARIANT_SIZE] = "";
    char *end = path + strcspn(path, " \t\n\v\f\r");
    const char *rest = skip_spaces(end);
    if (*rest != '\0')
        return wrong(lenient, rest, "the link is complete: something unexpected");
    char *query = path + strcspn(path, "?# \t\n\v\f\r");
    *fen = find_parameter(query, "fen=", &end);
    if (*fen == NULL) {
        for (end = query; end > path && end[-1] == '/';)
            end--;
        for (*fen = end; *fen > path && (*fen)[-1] != '/';)
            --*fen;
    }
    find_variant(path, query, *fen, variant);
    if (variant[0] != '\0' && !is_game_of(variant, lenient->rules))
        text_append(and_note(lenient), FEN_NOTE_SIZE, "the link's game is '%s', the rules are '%s'",
                    variant, lenient->rules->name);
    const einspul_status status = decode(lenient, *fen, end);
    blank(end, lenient->text + strlen(lenient->text));
    blank(lenient->text, *fen);
    if (status == EINSPUL_OK && memchr(*fen, ':', (size_t)(end - *fen)) == NULL)
        return error_set(lenient->error, EINSPUL_BAD_FEN,
                         "the link holds no position, and nothing is fetched");
    return status;
}

/* --- tags, quotes ----------------------------------------------------------------------------- */

/* Leaves of tags the value of FEN. */
static einspul_status unwrap_tags(const struct lenient *lenient, char *text, char **fen)
{
    char *first = skip_spaces(text + 1);
    char *fen_end = NULL;
    for (char *at = text; *at == '[';) {
        char *name = skip_spaces(at + 1);
        char *value = name + strcspn(name, "\" \t\n\v\f\r]");
        const bool is_fen = behind_word(name, "fen") == value;
        const bool is_type = behind_word(name, "gametype") == value;
        value = skip_spaces(value);
        if (*value != '"')
            return is_fen || fen_end != NULL || *value == '\0'
                       ? wrong(lenient, value, "'\"' and a position are expected")
                       : wrong(lenient, name, "a tag that holds a position is named FEN");
        char *end = strchr(++value, '"');
        if (end == NULL)
            return wrong(lenient, value, "the position has no second '\"'");
        if (is_fen) {
            *fen = value;
            fen_end = end;
        }
        if (is_type && atoi(value) != lenient->rules->pdn_game_type)
            text_append(and_note(lenient), FEN_NOTE_SIZE,
                        "the tag's GameType is %d, the rules are '%s'", atoi(value),
                        lenient->rules->name);
        at = skip_spaces(end + 1);
        if (*at != ']')
            return wrong(lenient, at, "']' is expected");
        at = skip_spaces(at + 1);
        if (*at != '\0' && *at != '[')
            return wrong(lenient, at, "the tag is complete: something unexpected");
    }
    if (fen_end == NULL)
        return wrong(lenient, first, "a tag that holds a position is named FEN");
    blank(lenient->text, *fen);
    blank(fen_end, fen_end + strlen(fen_end));
    return EINSPUL_OK;
}

/* Takes away `FEN:` and quotes. */
static void unwrap_quotes(char *text)
{
    char *end = text + strlen(text);
    char *word = behind_word(text, "/fen");
    if (word == NULL)
        word = behind_word(text, "fen");
    if (word != NULL && strchr(" \t:=\"'", *word) != NULL)
        blank(text, word + strspn(word, " \t:="));
    while (end > text && (is_space(end[-1]) || (end[-1] == '/' && *text == ' ')))
        *--end = ' ';
    text = skip_spaces(text);
    if ((*text == '"' || *text == '\'') && end - text > 1 && end[-1] == *text)
        *text = end[-1] = ' ';
}

/* --- side and pieces -------------------------------------------------------------------------- */

static bool is_colour(char c)
{
    return c == 'W' || c == 'w' || c == 'B' || c == 'b';
}

/* The begin of the next field behind a colon, without leading blanks; NULL if there is none. */
static char *next_field(char *at)
{
    at = strchr(at, ':');
    return at != NULL ? skip_spaces(at + 1) : NULL;
}

static void settle_side(const struct lenient *lenient, char *side)
{
    char *first = next_field(side);
    char *second = first != NULL ? next_field(first) : NULL;
    char *third = second != NULL ? next_field(second) : NULL;
    if (*side == '?' && first == skip_spaces(side + 1) + 1) {
        *side = 'W';
        text_append(and_note(lenient), FEN_NOTE_SIZE,
                    "the side to move is not said: White is taken");
    }
    if (third != NULL && is_colour(*side) && (*side | 0x20) == (*first | 0x20) &&
        *skip_spaces(first + 1) == ':' && is_colour(*second) && is_colour(*third)) {
        blank(first, skip_spaces(first + 1) + 1);
        text_append(and_note(lenient), FEN_NOTE_SIZE, "the side to move is written twice");
    }
}

/* Takes a ghost, `G19` or `P19`, out of a list, with a comma beside it. */
static einspul_status take_ghost(struct lenient *lenient, char *piece, size_t length, int square)
{
    char *behind = skip_spaces(piece + length);
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
    blank(piece, behind);
    return EINSPUL_OK;
}

/* Rewrites a list of pieces, from behind its colour, as the strict reader takes it. */
static einspul_status settle_list(struct lenient *lenient, char *at, const char *end)
{
    const struct board *board = &lenient->rules->board;
    einspul_status status = EINSPUL_OK;
    for (at = skip_spaces(at); at < end && status == EINSPUL_OK; at = skip_spaces(at)) {
        int square = 0;
        const bool ghost = (*at == 'G' || *at == 'P') && !lenient->letters;
        if (*at == 'K' || *at == 'k')
            at = skip_spaces(at + 1);
        at += ghost;
        size_t length = square_in_letters(board, at, (size_t)(end - at), &square);
        if (ghost && length == 0) {
            length = strspn(at, "0123456789");
            square = length > 0 && length < 4 ? atoi(at) - 1 : NO_SQUARE;
            lenient->ghosts_in_numbers = true;
        }
        if (ghost) {
            status = take_ghost(lenient, at - 1, length + 1, square);
        } else if (length > 0) {
            blank(at, at + length);
            number_write(at, square + 1);
            lenient->letters = true;
        }
        at += length;
        at += !ghost || *at == ',' || *at == '-' ? strcspn(at, ",-:") : 0;
        at += at < end;
    }
    return status;
}

/* --- rule states that the tables do not have -------------------------------------------------- */

/* Lidraughts counts plies in most material, up to 100. */
static void settle_clock(const struct lenient *lenient, const struct placement *at, char *number)
{
    enum { MOST_IGNORED = 100 };
    const struct rules *rules = lenient->rules;
    const size_t n_digits = strspn(number, "0123456789");
    const int clock = n_digits < 4 ? atoi(number) : MAX_CLOCK;
    const bool two_kings = at->men[WHITE] == 0 && at->men[BLACK] == 0 &&
                           squares_count(at->kings[WHITE]) == 1 &&
                           squares_count(at->kings[BLACK]) == 1;
    if (clock == 0 || clock > MOST_IGNORED || placement_has_clock(rules, at))
        return;
    blank(number, number + n_digits);
    *number = '0';
    if (two_kings && rules->two_kings_limit > 0)
        text_append(and_note(lenient), FEN_NOTE_SIZE,
                    "H%d ignored: the tables have no count for one king against one", clock);
    else
        text_append(and_note(lenient), FEN_NOTE_SIZE,
                    "H%d ignored: the tables have no clock in this material", clock);
}

/* Drops an impossible run: its king was captured, or its side has lost its last man; lidraughts
 * leaves it in the text. A run without a square belongs to the only king. `run` is its count and
 * the digits of its square. */
static void settle_run(struct lenient *lenient, const struct placement *at, enum side side,
                       char *run)
{
    const squares_t kings = at->kings[side];
    const size_t n_digits = strspn(run, "0123456789");
    const int number = n_digits == 3 ? atoi(run + 1) : 0;
    const char *name = side_name(side);
    char why[48] = "";
    if (*run == '0' || *run > '0' + MAX_RUN_COUNT || (n_digits != 1 && n_digits != 3) ||
        (n_digits == 3 && (number < 1 || number > lenient->rules->board.n_squares)))
        return; /* right as it is, or a mistake */
    if (lenient->rules->king_run_limit == 0)
        text_append(why, sizeof why, "'%s' has no king runs", lenient->rules->name);
    else if (at->men[side] == 0)
        text_append(why, sizeof why, "%s has no man", name);
    else if (number > 0 && (kings & square_bit(number - 1)) == 0)
        text_append(why, sizeof why, "no king of %s is there", name);
    else if (number == 0 && squares_count(kings) != 1)
        text_append(why, sizeof why, "which of %d kings is not said", squares_count(kings));
    if (why[0] != '\0') {
        text_append(and_note(lenient), FEN_NOTE_SIZE, "%s's run +%.*s ignored: %s", name,
                    (int)n_digits, run, why);
    } else if (number == 0) {
        lenient->run[side] = (struct run){(uint8_t)squares_first(kings), (uint8_t)(*run - '0')};
        text_append(and_note(lenient), FEN_NOTE_SIZE, "%s's run +%c taken for the king on %d", name,
                    *run, squares_first(kings) + 1);
    } else {
        return;
    }
    blank(run, run + n_digits);
    *run = '0';
}

/* Drops a limit that outlasted two kings against one, `LW13`, with its colon, where the rules have
 * none or no such capture led to the material. False if it stays. */
static bool drop_limit(const struct lenient *lenient, const struct placement *at, char *field)
{
    const bool two_kings = (at->men[WHITE] | at->men[BLACK]) == 0 &&
                           squares_count(at->kings[WHITE]) == 1 &&
                           squares_count(at->kings[BLACK]) == 1;
    const bool known = lenient->rules->two_kings_limit > 0;
    const size_t n_digits = is_colour(field[1]) ? strspn(field + 2, "0123456789") : 0;
    char *colon = field - 1;
    if ((two_kings && known) || n_digits == 0)
        return false;
    text_append(and_note(lenient), FEN_NOTE_SIZE,
                "%.*s ignored: ", n_digits < 4 ? (int)n_digits + 2 : 6, field);
    if (known)
        text_append(lenient->note, FEN_NOTE_SIZE, "not one king against one");
    else
        text_append(lenient->note, FEN_NOTE_SIZE, "'%s' has no such limit", lenient->rules->name);
    while (*colon != ':')
        colon--;
    blank(colon, field + 2 + n_digits);
    return true;
}

/* Rewrites the fields behind the pieces. */
static void settle_rule_state(struct lenient *lenient, const struct placement *at, char *fields)
{
    bool limited = false; /* the clock stands with the limit */
    for (char *field = skip_spaces(fields + 1); field != NULL; field = next_field(field))
        if ((*field == 'L' || *field == 'l') && !drop_limit(lenient, at, field))
            limited = true;
    for (char *field = skip_spaces(fields + 1); field != NULL; field = next_field(field)) {
        char *black = skip_spaces(field + 1);
        char *white = black + strspn(black, "0123456789 \t");
        if ((*field == 'H' || *field == 'h') && is_digit(*black) && !limited)
            settle_clock(lenient, at, black);
        if (*field != '+' || !is_digit(*black) || *white != '+')
            continue;
        white = skip_spaces(white + 1);
        settle_run(lenient, at, BLACK, black);
        if (is_digit(*white))
            settle_run(lenient, at, WHITE, white);
    }
}

/* --- all -------------------------------------------------------------------------------------- */

static einspul_status unwrap(const struct lenient *lenient, char **fen)
{
    char plain = '\0';
    for (char *at = lenient->text; *at != '\0';) { /* signs of typesetters */
        const size_t length = sign_read(at, strlen(at), &plain);
        if ((unsigned char)*at >= 0x80 && (unsigned char)plain < 0x80) {
            blank(at, at + length);
            *at = plain;
        }
        at += length;
    }
    char *begin = skip_spaces(lenient->text);
    char *path = link_path(begin);
    *fen = begin;
    if (path != NULL)
        return unwrap_link(lenient, path, fen);
    if (*begin == '[')
        return unwrap_tags(lenient, begin, fen);
    unwrap_quotes(begin);
    return EINSPUL_OK;
}

static einspul_status read_copy(struct lenient *lenient, struct state *state)
{
    char *fen = NULL;
    einspul_status status = unwrap(lenient, &fen);
    if (status != EINSPUL_OK)
        return status;
    fen = skip_spaces(fen);
    settle_side(lenient, fen);
    char *first = next_field(fen);
    char *second = first != NULL ? next_field(first) : NULL;
    char *fields = second != NULL ? strchr(second, ':') : NULL;
    if (second != NULL)
        status = settle_list(lenient, first + (*first != '\0'), second - 1);
    if (second != NULL && status == EINSPUL_OK)
        status = settle_list(lenient, second + (*second != '\0'), second + strcspn(second, ":"));
    if (fields != NULL)
        *fields = '\0';
    if (status == EINSPUL_OK)
        status =
            fen_read_fault(lenient->rules, lenient->text, state, lenient->fault, lenient->error);
    if (status != EINSPUL_OK)
        return status;
    if (lenient->letters && lenient->ghosts_in_numbers)
        return error_set(lenient->error, EINSPUL_BAD_FEN,
                         "ghosts in numbers and squares in letters are mixed");
    if ((lenient->ghosts & placement_occupied(&state->at)) != 0)
        return error_set(lenient->error, EINSPUL_BAD_FEN, "square %d is used twice, by a ghost",
                         squares_first(lenient->ghosts & placement_occupied(&state->at)) + 1);
    if (lenient->ghosts != 0 && placement_own(&state->at, state->at.side) == 0)
        return error_set(lenient->error, EINSPUL_BAD_POSITION, "%s has no pieces",
                         side_name(state->at.side));
    if (lenient->ghosts != 0)
        text_append(and_note(lenient), FEN_NOTE_SIZE,
                    "ghosts ignored (%d): pieces of a capture that is not finished",
                    squares_count(lenient->ghosts));
    if (fields == NULL)
        return EINSPUL_OK;
    *fields = ':';
    settle_rule_state(lenient, &state->at, fields);
    status = fen_read_fault(lenient->rules, lenient->text, state, lenient->fault, lenient->error);
    for (int side = WHITE; side <= BLACK && status == EINSPUL_OK; side++)
        if (lenient->run[side].count > 0)
            state->run[side] = lenient->run[side];
    return status;
}

einspul_status fen_read_lenient(const struct rules *rules, const char *text, struct state *state,
                                char note[FEN_NOTE_SIZE], enum notation *notation,
                                einspul_error *error)
{
    char fault[FEN_FAULT_SIZE] = "";
    struct lenient lenient = {.rules = rules,
                              .text = malloc(strlen(text) + 1),
                              .note = note,
                              .fault = fault,
                              .error = error};
    note[0] = '\0';
    *state = (struct state){0};
    if (lenient.text == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a position");
    strcpy(lenient.text, text);
    const einspul_status status = read_copy(&lenient, state);
    if (notation != NULL)
        *notation = lenient.letters ? NOTATION_LETTERS : NOTATION_NUMBERS;
    if (status != EINSPUL_OK)
        strcpy(note, fault);
    free(lenient.text);
    return status;
}
