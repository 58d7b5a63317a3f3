/* One pass over a link or tags finds the beginning and end of the position; the rest becomes blanks. */
#include "study/fen_unwrap.h"

#include "core/characters.h"
#include "core/program/game.h"
#include "study/pdn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { VARIANT_SIZE = 24 };

static einspul_status wrong(const struct fen_wrapped *wrapped, const char *at, const char *what)
{
    return error_set(wrapped->error, EINSPUL_BAD_FEN, "%s, at column %d", what,
                     (int)(at - wrapped->text) + 1);
}

/* --- links ------------------------------------------------------------------------------------ */

/* Returns the path of a link; NULL if the text is not a link. */
static char *link_path(char *text)
{
    static const char *const beginnings[] = {"https://", "http://", "lidraughts.org/",
                                             "www.lidraughts.org/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        char *at = text_after(text, beginnings[i]);
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

bool fen_is_site_link(const char *text)
{
    static const char host[] = "lidraughts.org";
    const size_t n = strlen(host);
    const char *colon = strstr(text, "://");
    text = colon != NULL ? colon + 3 : text;
    while (is_space(*text))
        text++;
    text += strncasecmp(text, "www.", 4) == 0 ? 4 : 0;
    return strncasecmp(text, host, n) == 0 && (text[n] == '/' || text[n] == '\0');
}

/* The value of a parameter of a query, its end in `*end`; NULL if absent. */
static char *find_parameter(char *query, const char *name, char **end)
{
    for (char *at = query; *at == '?' || *at == '&'; at = *end) {
        char *value = text_after(at + 1, name);
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
        begin = text_after(path, "/analysis");
        if (begin == NULL)
            begin = text_after(path, "/editor");
        page = begin != NULL && (*begin == '/' || begin == query);
        for (int i = 0; page && i < 2; i++) {
            begin += *begin == '/';
            end = begin + strcspn(begin, "/?# \t\n\v\f\r");
            if (text_after(begin, "puzzle") != end)
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

/* Decodes `_` and percent escapes. The blanks left by an escape are moved to the end of its word,
 * so that they never split a number. */
static einspul_status decode(const struct fen_wrapped *wrapped, char *begin, const char *end)
{
    static const char hexadecimal[] = "0123456789abcdefABCDEF";
    char *to = begin;
    for (char *at = begin; at < end; at++) {
        const bool escape = *at == '%' && at + 2 < end && strspn(at + 1, hexadecimal) >= 2;
        const char digits[] = {at[1], at[escape ? 2 : 1], '\0'};
        const char c = escape ? (char)strtol(digits, NULL, 16) : *at == '_' ? ' ' : *at;
        if (c == '\0' || (*at == '%' && !escape))
            return wrong(wrapped, at, "not a valid '%XX' escape");
        if (strchr(":,+- ", c) != NULL) {
            fen_blank(to, at);
            to = at;
        }
        *to++ = c;
        at += escape ? 2 : 0;
        if (strchr(":,+- ", c) != NULL) {
            fen_blank(to, at + 1);
            to = at + 1;
        }
    }
    fen_blank(to, end);
    return EINSPUL_OK;
}

/* Blanks everything but the FEN of a link. */
static einspul_status unwrap_link(const struct fen_wrapped *wrapped, char *path, char **fen)
{
    char variant[VARIANT_SIZE] = "";
    char *end = path + strcspn(path, " \t\n\v\f\r");
    const char *rest = fen_skip_spaces(end);
    if (*rest != '\0')
        return wrong(wrapped, rest, "unexpected text after the link");
    char *query = path + strcspn(path, "?# \t\n\v\f\r");
    *fen = find_parameter(query, "fen=", &end);
    if (*fen == NULL) {
        for (end = query; end > path && end[-1] == '/';)
            end--;
        for (*fen = end; *fen > path && (*fen)[-1] != '/';)
            --*fen;
    }
    find_variant(path, query, *fen, variant);
    if (wrapped->rules->lidraughts_rules != 0 && fen_is_site_link(wrapped->text))
        fen_note_add(wrapped->note, wrapped->said, (struct fen_fault){.code = "SITE_RULES"},
                     "lidraughts.org plays by '%s', but the rule set is '%s'",
                     einspul_rules_list()[wrapped->rules->lidraughts_rules - 1],
                     wrapped->rules->name);
    /* The name of a rule set begins with that of its game. */
    const char *game = rules_name_of_game(variant);
    if (variant[0] != '\0' &&
        (game == NULL || strncmp(wrapped->rules->name, game, strlen(game)) != 0))
        fen_note_add(wrapped->note, wrapped->said, (struct fen_fault){.code = "OTHER_RULES"},
                     "the link is for '%s', but the rule set is '%s'", variant,
                     wrapped->rules->name);
    const einspul_status status = decode(wrapped, *fen, end);
    fen_blank(end, wrapped->text + strlen(wrapped->text));
    fen_blank(wrapped->text, *fen);
    if (status == EINSPUL_OK && memchr(*fen, ':', (size_t)(end - *fen)) == NULL)
        return error_set(wrapped->error, EINSPUL_BAD_FEN,
                         "the link contains no position (games are not downloaded: copy the FEN)");
    return status;
}

/* --- tags, quotes ----------------------------------------------------------------------------- */

/* Blanks everything but the value of the FEN tag. */
static einspul_status unwrap_tags(const struct fen_wrapped *wrapped, char *text, char **fen)
{
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    einspul_status status = EINSPUL_OK;
    char type[16];
    size_t n = 0;
    pdn_begin(&reader, text, strlen(text));
    if (pdn_next(&reader, &game) == PDN_NO_MEMORY)
        status = error_set(wrapped->error, EINSPUL_NO_MEMORY, "not enough memory for a position");
    for (size_t i = 0; i < game.n_tokens && status == EINSPUL_OK; i++)
        if (game.tokens[i].kind != PDN_TAG)
            status = wrong(wrapped, text + game.tokens[i].begin,
                           "expected a tag such as [FEN \"W:W28:B3\"]");
    const char *value = pdn_tag_value(&game, "FEN", &n);
    if (status == EINSPUL_OK && value == NULL)
        status = wrong(wrapped, text, "expected a tag named FEN");
    if (status == EINSPUL_OK) {
        *fen = text + (value - text);
        if (pdn_tag(&game, "GameType", type, sizeof type) &&
            atoi(type) != wrapped->rules->pdn_game_type)
            fen_note_add(wrapped->note, wrapped->said, (struct fen_fault){.code = "OTHER_RULES"},
                         "the tag has GameType %d, but the rule set is '%s'", atoi(type),
                         wrapped->rules->name);
        fen_blank(wrapped->text, *fen);
        fen_blank(*fen + n, text + strlen(text));
    }
    pdn_free(&game);
    return status;
}

/* Removes a `FEN:` prefix and quotes, and the cells of a spreadsheet after a quoted one. */
static void unwrap_quotes(char *text)
{
    char *end = text + strlen(text);
    char *word = text_after(text, "/fen");
    if (word == NULL)
        word = text_after(text, "fen");
    if (word != NULL && strchr(" \t:=\"'", *word) != NULL)
        fen_blank(text, word + strspn(word, " \t:="));
    while (end > text && (is_space(end[-1]) || (end[-1] == '/' && *text == ' ')))
        *--end = ' ';
    text = fen_skip_spaces(text);
    char *close = *text == '"' || *text == '\'' ? strchr(text + 1, *text) : NULL;
    if (close != NULL && (close + 1 == end || strchr(",;\t", close[1]) != NULL)) {
        fen_blank(close, end);
        *text = ' ';
    }
}

/* --- all -------------------------------------------------------------------------------------- */

void fen_note_add(char note[FEN_NOTE_SIZE], struct fen_said *said, struct fen_fault remark,
                  const char *format, ...)
{
    char text[FEN_NOTE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    text_append(note, FEN_NOTE_SIZE, "%s%s", note[0] != '\0' && text[0] != '\0' ? "; " : "", text);
    if (said->n_notes < MAX_FEN_NOTES)
        said->notes[said->n_notes++] = remark;
}

einspul_status fen_unwrap(const struct fen_wrapped *wrapped, char **fen)
{
    char plain = '\0';
    for (char *at = wrapped->text; *at != '\0';) { /* typographic dashes, quotes, blanks */
        const size_t length = char_read(at, strlen(at), &plain);
        if ((unsigned char)*at >= 0x80 && (unsigned char)plain < 0x80) {
            fen_blank(at, at + length);
            *at = plain;
        }
        at += length;
    }
    char *begin = fen_skip_spaces(wrapped->text);
    char *path = link_path(begin);
    *fen = begin;
    if (path != NULL)
        return unwrap_link(wrapped, path, fen);
    if (*begin == '[')
        return unwrap_tags(wrapped, begin, fen);
    unwrap_quotes(begin);
    return EINSPUL_OK;
}
