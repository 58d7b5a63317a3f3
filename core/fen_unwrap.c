/* One pass over the text finds the beginning and end of the FEN, a second one decodes and copies it
 * with the column of each character, so that errors can name columns of the input. */
#include "core/fen_unwrap.h"

#include "core/text.h"

#include <string.h>

/* A part of the text. */
struct part {
    const char *begin;
    const char *end;
};

static const char *skip_spaces(const char *at)
{
    while (is_space(*at))
        at++;
    return at;
}

/* The text after `word` if it begins with it in upper or lower case, otherwise NULL. `word` is in
 * lower case. */
static const char *behind_word(const char *text, const char *word)
{
    for (; *word != '\0'; word++, text++)
        if (*text != *word && !(*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *word))
            return NULL;
    return text;
}

/* The path of a link; NULL if the text is no link. */
static const char *link_path(const char *text)
{
    static const char *const beginnings[] = {"https://", "http://", "lidraughts.org/",
                                             "www.lidraughts.org/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const char *at = behind_word(text, beginnings[i]);
        if (at != NULL)
            return i < 2 ? at + strcspn(at, "/?# \t\r\n") : at - 1;
    }
    return NULL;
}

bool fen_is_wrapped(const char *text)
{
    text = skip_spaces(text);
    return *text == '[' || link_path(text) != NULL;
}

static einspul_status wrong(einspul_error *error, const char *text, const char *at,
                            const char *what)
{
    return error_set(error, EINSPUL_BAD_FEN, "%s, at column %d", what, (int)(at - text) + 1);
}

/* --- tags ------------------------------------------------------------------------------------- */

static einspul_status find_in_tag(const char *text, struct part *part, einspul_error *error)
{
    const char *at = skip_spaces(skip_spaces(text) + 1);
    const char *value = behind_word(at, "fen");
    if (value == NULL || (!is_space(*value) && *value != '"'))
        return wrong(error, text, at, "a tag that holds a position is named FEN");
    value = skip_spaces(value);
    if (*value != '"')
        return wrong(error, text, value, "'\"' and a position are expected");
    part->begin = value + 1;
    part->end = strchr(part->begin, '"');
    if (part->end == NULL)
        return wrong(error, text, part->begin, "the position has no second '\"'");
    at = skip_spaces(part->end + 1);
    if (*at != ']')
        return wrong(error, text, at, "']' is expected");
    at = skip_spaces(at + 1);
    if (*at != '\0')
        return wrong(error, text, at, "the tag is complete: something unexpected");
    return EINSPUL_OK;
}

/* --- links ------------------------------------------------------------------------------------ */

/* The value of the parameter `fen` of a query, which begins after '?'. */
static bool find_parameter(struct part query, struct part *value)
{
    for (const char *at = query.begin; at < query.end;) {
        const char *end = memchr(at, '&', (size_t)(query.end - at));
        if (end == NULL)
            end = query.end;
        const char *behind = behind_word(at, "fen=");
        if (behind != NULL && behind <= end) {
            *value = (struct part){behind, end};
            return true;
        }
        at = end + 1;
    }
    return false;
}

/* lidraughts names the variant after `analysis` or `editor`; without a name it is international. */
static void find_variant(struct part path, const char *fen, char variant[FEN_VARIANT_SIZE])
{
    static const char *const pages[] = {"/analysis/", "/editor/"};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        const char *begin = behind_word(path.begin, pages[i]);
        if (begin == NULL)
            continue;
        size_t length = 0;
        while (begin + length < path.end && begin[length] != '/')
            length++;
        if (begin == fen || length == 0)
            strcpy(variant, "standard");
        else if (length < FEN_VARIANT_SIZE)
            memcpy(variant, begin, length);
        else
            strcpy(variant, "?");
    }
    for (char *at = variant; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~')
            *at = '?';
}

static einspul_status find_in_link(const char *text, struct fen_plain *plain, struct part *part,
                                   einspul_error *error)
{
    const char *begin = link_path(skip_spaces(text));
    const char *end = begin + strcspn(begin, " \t\n\v\f\r");
    const char *rest = skip_spaces(end);
    if (*rest != '\0')
        return wrong(error, text, rest, "the link is complete: something unexpected");

    struct part path = {begin, begin + strcspn(begin, "?# \t\n\v\f\r")};
    struct part query = {path.end, path.end};
    if (*path.end == '?') {
        query.begin = path.end + 1;
        query.end = query.begin + strcspn(query.begin, "# \t\n\v\f\r");
    }
    while (path.end > path.begin && path.end[-1] == '/')
        path.end--;
    if (!find_parameter(query, part)) {
        *part = (struct part){path.end, path.end};
        while (part->begin > path.begin && part->begin[-1] != '/')
            part->begin--;
    }
    find_variant(path, part->begin, plain->variant);
    return EINSPUL_OK;
}

/* --- copying ---------------------------------------------------------------------------------- */

static int digit_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes the character at `*at` and advances; '\0' for an invalid escape. */
static char decode(const char **at)
{
    const char c = *(*at)++;
    if (c == '_')
        return ' ';
    if (c != '%')
        return c;
    const int high = digit_value((*at)[0]);
    const int low = high < 0 ? -1 : digit_value((*at)[1]);
    if (low < 0)
        return '\0';
    *at += 2;
    return (char)(16 * high + low);
}

static einspul_status copy(const char *text, struct part part, bool encoded,
                           struct fen_plain *plain, einspul_error *error)
{
    size_t n = 0;
    for (const char *at = part.begin; at < part.end; n++) {
        const char *before = at;
        if (n == FEN_PLAIN_SIZE - 1)
            return wrong(error, text, at, "more than a position is long");
        plain->text[n] = encoded ? decode(&at) : *at++;
        plain->columns[n] = (int)(before - text) + 1;
        if (plain->text[n] == '\0')
            return wrong(error, text, before, "'%' and two digits mean no character");
    }
    plain->text[n] = '\0';
    plain->columns[n] = (int)(part.end - text) + 1;
    return EINSPUL_OK;
}

einspul_status fen_unwrap(const char *text, struct fen_plain *plain, einspul_error *error)
{
    const bool tag = *skip_spaces(text) == '[';
    struct part part = {text, text};

    memset(plain->variant, 0, sizeof plain->variant);
    einspul_status status =
        tag ? find_in_tag(text, &part, error) : find_in_link(text, plain, &part, error);
    if (status == EINSPUL_OK)
        status = copy(text, part, !tag, plain, error);
    if (status == EINSPUL_OK && !tag && strchr(plain->text, ':') == NULL)
        return error_set(error, EINSPUL_BAD_FEN,
                         "the link holds no position, and nothing is fetched");
    return status;
}
