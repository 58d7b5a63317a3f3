/* A lexer. Each function of a token gets the offset where it may begin, and returns where it ends,
 * or 0. An unclosed comment ends at a tag after an empty line, so that a missing brace affects only
 * one game. */
#include "study/pdn_token.h"

#include <string.h>

/* --- bytes ------------------------------------------------------------------------------------ */

/* The character at an offset in ASCII, and its length; 0 at the end. */
static char char_at(struct pdn_reader *reader, size_t at, size_t *length)
{
    char plain = '\0';
    *length = 0;
    if (at < reader->n_bytes)
        *length = char_read(reader->bytes + at, reader->n_bytes - at, &plain);
    return plain;
}

size_t pdn_skip_blanks(struct pdn_reader *reader, size_t at)
{
    size_t length = 0;
    while (is_space(char_at(reader, at, &length)))
        at += length;
    return at;
}

static size_t skip_digits(struct pdn_reader *reader, size_t at)
{
    while (is_digit(byte_at(reader, at)))
        at++;
    return at;
}

/* Skips bytes of a set. */
static size_t skip_set(struct pdn_reader *reader, size_t at, const char *set)
{
    while (byte_at(reader, at) > 0 && strchr(set, byte_at(reader, at)) != NULL)
        at++;
    return at;
}

/* --- moves ------------------------------------------------------------------------------------ */

static bool is_column(int byte)
{
    return (byte >= 'a' && byte <= 'j') || (byte >= 'A' && byte <= 'J');
}

/* A square, `7`, `07` or `c3`. */
static size_t square_end(struct pdn_reader *reader, size_t at)
{
    const size_t digits = at + is_column(byte_at(reader, at));
    const size_t end = skip_digits(reader, digits);
    return end == digits || end > digits + 2 ? 0 : end;
}

/* A piece by its column alone, `ed4`, `e:g5`. */
static size_t short_end(struct pdn_reader *reader, size_t at)
{
    const int byte = byte_at(reader, at + 1);
    const size_t square = at + 1 + (byte == '-' || byte == ':' || (byte | 0x20) == 'x');
    return is_column(byte_at(reader, at)) && is_column(byte_at(reader, square))
               ? square_end(reader, square)
               : 0;
}

/* Squares without separators: `c3d4`, or digits in pairs. */
static size_t compact_end(struct pdn_reader *reader, size_t at)
{
    const size_t digits = skip_digits(reader, at);
    if (digits - at >= 4 && (digits - at) % 2 == 0)
        return digits;
    size_t end = at;
    int n_squares = 0;
    for (; end != 0 && is_column(byte_at(reader, end)); n_squares++)
        end = square_end(reader, end);
    return n_squares > 1 ? end : 0;
}

/* The separator after a square, as `-`, `x` or `:`; '\0' if none follows. `*` counts only without
 * blanks around it, because it is also a result. */
static char separator_at(struct pdn_reader *reader, size_t at, size_t *end)
{
    size_t length = 0;
    const size_t begin = pdn_skip_blanks(reader, at);
    const char c = char_at(reader, begin, &length);
    *end = pdn_skip_blanks(reader, begin + length);
    if (c == '*')
        return begin == at && *end == at + 1 ? 'x' : '\0';
    return c == 'x' || c == 'X' ? 'x' : c == '-' || c == ':' ? c : '\0';
}

/* `32-28`, `6 - 11`, `47x33x24`: all separators of one move must be equal. A number before a dot is
 * the next move number, and an `x` before that is a complete move. */
static size_t parts_end(struct pdn_reader *reader, size_t at)
{
    size_t end = square_end(reader, at);
    char first = '\0';
    for (int n_squares = 1; end != 0; n_squares++) {
        size_t square = 0;
        size_t dot = 0;
        const char separator = separator_at(reader, end, &square);
        const size_t next = separator != '\0' ? square_end(reader, square) : 0;
        if (next == 0 || (n_squares > 1 && separator != first) ||
            (n_squares > 1 && char_at(reader, pdn_skip_blanks(reader, next), &dot) == '.'))
            return n_squares > 1 ? end : 0;
        first = separator;
        end = next;
    }
    return 0;
}

/* A judgement after a move, `+-`, `=`, or `N` for a novelty, which nothing else touches. */
static size_t judgement_end(struct pdn_reader *reader, size_t at)
{
    static const char *const words[] = {"+-",
                                        "-+",
                                        "+=",
                                        "=+",
                                        "+/-",
                                        "-/+",
                                        "+/=",
                                        "=/+",
                                        "=",
                                        "+",
                                        "N",
                                        "\xc2\xb1",
                                        "\xb1",
                                        "\xe2\x88\x93",
                                        "\xe2\xa9\xb2",
                                        "\xe2\xa9\xb1",
                                        "\xe2\x88\x9e"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t n = strlen(words[i]);
        if (n > reader->n_bytes - at || memcmp(reader->bytes + at, words[i], n) != 0)
            continue;
        const int next = byte_at(reader, at + n);
        if (next < 0 || is_space(next) || strchr("(){}[;$!?", next) != NULL)
            return at + n;
    }
    return 0;
}

static size_t move_end(struct pdn_reader *reader, size_t at)
{
    size_t length = 0;
    const char c = char_at(reader, at, &length);
    size_t end = compact_end(reader, at);
    if (end == 0)
        end = c == 'x' || c == 'X' ? at + length : parts_end(reader, at);
    if (end == 0)
        end = short_end(reader, at);
    return end != 0 && is_word(byte_at(reader, end)) && judgement_end(reader, end) == 0 ? 0 : end;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Points of a side: `1`, `½`, `0.98` or, if they may be `mixed`, `1 1/2`; with a trailing plus or
 * minus. */
struct score {
    bool fraction, decimals, sign;
    int value;
};

static size_t score_end(struct pdn_reader *reader, size_t at, bool mixed, struct score *score)
{
    size_t length = 0;
    size_t end = skip_digits(reader, at);
    *score = (struct score){.value = end - at == 1 ? reader->bytes[at] - '0' : (int)(end - at)};
    if (end - at > 3)
        return 0;
    const size_t whole = end > at && byte_at(reader, end) == '/' ? at
                         : mixed                                 ? pdn_skip_blanks(reader, end)
                                                                 : end;
    const size_t above = skip_digits(reader, whole);
    if (above > whole && byte_at(reader, above) == '/') {
        end = skip_digits(reader, above + 1);
        score->fraction = end > above + 1;
    } else if (char_at(reader, whole, &length) == '~' &&
               (unsigned char)reader->bytes[whole] >= 0x80) {
        end = whole + length;
        score->fraction = true;
    } else if (end > at && (byte_at(reader, end) == '.' || byte_at(reader, end) == ',') &&
               is_digit(byte_at(reader, end + 1))) {
        end = skip_digits(reader, end + 1);
        score->decimals = true;
    }
    if (end > at) {
        const char c = char_at(reader, end, &length);
        const int behind = byte_at(reader, end + length);
        score->sign = c == '+' || (c == '-' && (is_space(behind) || behind < 0));
        end += score->sign ? length : 0;
    }
    return end;
}

/* A result: two scores that do not form a move, a lone half, or `*`. */
static size_t result_end(struct pdn_reader *reader, size_t at)
{
    struct score first;
    struct score second;
    size_t length = 0;
    if (char_at(reader, at, &length) == '*')
        return at + 1;
    const size_t middle = score_end(reader, at, true, &first);
    if (middle <= at)
        return 0;
    const size_t dash = pdn_skip_blanks(reader, middle);
    const char c = char_at(reader, dash, &length);
    const size_t behind = pdn_skip_blanks(reader, dash + length);
    const size_t end =
        c == '-' || c == ':' ? score_end(reader, behind, first.fraction, &second) : 0;
    const int next = byte_at(reader, end <= behind ? middle : end);
    if (is_word(next) || next == '/')
        return 0;
    if (end <= behind)
        return first.fraction && !first.sign ? middle : 0;
    const bool sure = first.fraction || second.fraction || (first.sign && second.sign) ||
                      (first.decimals && second.decimals);
    const bool plain = !first.sign && !second.sign && !first.decimals && !second.decimals;
    return sure || (plain && (first.value == 0 || second.value == 0 ||
                              (first.value == 1 && second.value == 1)))
               ? end
               : 0;
}

/* --- other tokens ----------------------------------------------------------------------------- */

/* `12.`, `12...`, and an ellipsis after it. */
static size_t number_end(struct pdn_reader *reader, size_t at)
{
    size_t length = 0;
    const size_t digits = skip_digits(reader, at);
    size_t end = pdn_skip_blanks(reader, digits);
    if (char_at(reader, end, &length) != '.')
        return 0;
    for (size_t next = end; char_at(reader, next, &length) == '.';) {
        end = next + length;
        next = pdn_skip_blanks(reader, end);
    }
    return end;
}

/* Where the value of a tag without quotes begins: after its name and a blank; 0 without them. */
static size_t bare_value(struct pdn_reader *reader, size_t at)
{
    const size_t name = pdn_skip_blanks(reader, at + 1);
    size_t end = name;
    while (is_word(byte_at(reader, end)))
        end++;
    return end > name && is_space(byte_at(reader, end)) ? pdn_skip_blanks(reader, end) : 0;
}

/* `[Name "value"]`, or `[Name value]`, a line at most; otherwise it is bad. */
static size_t tag_end(struct pdn_reader *reader, size_t at, enum pdn_kind *kind)
{
    const bool bare = bare_value(reader, at) != 0;
    int n_quotes = 0;
    for (at++; byte_at(reader, at) >= 0 && byte_at(reader, at) != '\n'; at++) {
        const int byte = byte_at(reader, at);
        if (byte == ']' && n_quotes % 2 == 0) {
            *kind = n_quotes >= 2 || (n_quotes == 0 && bare) ? PDN_TAG : PDN_BAD;
            return at + 1;
        }
        n_quotes += byte == '"';
        if (byte == '\\' && byte_at(reader, at + 1) == '"')
            at++;
    }
    *kind = PDN_BAD;
    return at;
}

static size_t comment_end(struct pdn_reader *reader, size_t at, enum pdn_kind *kind)
{
    bool empty = false; /* the line before the byte is empty */
    *kind = PDN_COMMENT;
    for (at++; byte_at(reader, at) >= 0; at++) {
        const char *bytes = reader->bytes + at;
        if (*bytes == '}')
            return at + 1;
        if (*bytes == '[' && bytes[-1] == '\n' && empty)
            break;
        if (*bytes == '\n')
            empty = bytes[-1] == '\n' || (bytes[-1] == '\r' && bytes[-2] == '\n');
    }
    *kind = PDN_BAD;
    return at;
}

static size_t line_end(struct pdn_reader *reader, size_t at)
{
    while (byte_at(reader, at) >= 0 && byte_at(reader, at) != '\n')
        at++;
    return at;
}

/* `/FEN "…"/` */
static size_t setup_end(struct pdn_reader *reader, size_t at)
{
    enum { LONGEST = 1000 };
    for (size_t end = at + 1; end < at + LONGEST && byte_at(reader, end) >= 0; end++)
        if (byte_at(reader, end) == '/')
            return end + 1;
    return 0;
}

/* `--`, `- -` */
static size_t null_end(struct pdn_reader *reader, size_t at)
{
    size_t length = 0;
    if (char_at(reader, at, &length) != '-')
        return 0;
    const size_t second = pdn_skip_blanks(reader, at + length);
    return char_at(reader, second, &length) == '-' ? second + length : 0;
}

static size_t word_end(struct pdn_reader *reader, size_t at)
{
    for (at++; byte_at(reader, at) >= 0; at++)
        if (is_space(byte_at(reader, at)) || strchr("{}()[];$!?", byte_at(reader, at)) != NULL)
            break;
    return at;
}

/* --- dispatch --------------------------------------------------------------------------------- */

/* The end of a token that begins with a digit, a letter, a dash or another character. */
static size_t mixed_end(struct pdn_reader *reader, size_t at, enum pdn_kind *kind)
{
    static const struct {
        size_t (*end)(struct pdn_reader *reader, size_t at);
        enum pdn_kind kind;
    } rows[] = {{result_end, PDN_RESULT},
                {number_end, PDN_NUMBER},
                {move_end, PDN_MOVE},
                {null_end, PDN_NULL},
                {word_end, PDN_BAD}};
    size_t end = 0;
    for (size_t i = 0; end == 0; i++) {
        end = rows[i].end(reader, at);
        *kind = rows[i].kind;
    }
    const int first = byte_at(reader, at);
    if (*kind == PDN_NUMBER && !is_digit(first))
        *kind = PDN_NULL; /* an ellipsis without a number */
    return end;
}

size_t pdn_token_end(struct pdn_reader *reader, const struct pdn_game *game, size_t at,
                     enum pdn_kind *kind)
{
    const int byte = byte_at(reader, at);
    const struct pdn_token *last = game->n_tokens > 0 ? &game->tokens[game->n_tokens - 1] : NULL;
    const bool behind_move = last != NULL && last->kind == PDN_MOVE && last->end == at;
    const bool judged = last != NULL && (last->kind == PDN_MOVE || last->kind == PDN_MARK);
    const size_t judgement = judged ? judgement_end(reader, at) : 0;
    size_t end = at + 1;
    *kind = judgement != 0 ? PDN_MARK : PDN_BAD;
    if (judgement != 0)
        return judgement;
    if (byte == '!' || byte == '?' || (behind_move && byte > 0 && strchr("*+=#", byte) != NULL)) {
        *kind = PDN_MARK;
        return skip_set(reader, at, behind_move ? "!?*+=#" : "!?");
    }
    if (byte == '%' && is_line_start(reader, at)) {
        *kind = PDN_LINE_COMMENT;
        return line_end(reader, at);
    }
    switch (byte) {
    case '[':
        return tag_end(reader, at, kind);
    case '{':
        return comment_end(reader, at, kind);
    case ';':
        *kind = PDN_LINE_COMMENT;
        return line_end(reader, at);
    case '$':
        *kind = PDN_NAG;
        return skip_digits(reader, end);
    case '(':
        end = skip_set(reader, end, "!?");
        *kind = end > at + 1 && byte_at(reader, end) == ')' ? PDN_MARK : PDN_OPEN;
        return *kind == PDN_MARK ? end + 1 : at + 1;
    case ')':
        *kind = PDN_CLOSE;
        return end;
    case '}':
    case ']':
        return end;
    case '/':
        end = setup_end(reader, at);
        *kind = end != 0 ? PDN_SETUP : PDN_BAD;
        return end != 0 ? end : word_end(reader, at);
    default:
        return mixed_end(reader, at, kind);
    }
}
