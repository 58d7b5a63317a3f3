/* A lexer with one byte of lookahead. A game ends after its result, or before a tag that follows
 * moves. An unclosed comment ends at a tag after an empty line, so that a missing brace affects
 * only one game. */
#include "study/pdn.h"

#include "core/array.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* --- bytes ------------------------------------------------------------------------------------ */

static void take(struct pdn_reader *reader)
{
    const int byte = reader->next;
    if (byte == '\n') {
        reader->line++;
        reader->after_blank = reader->at_line_start;
        reader->at_line_start = true;
    } else if (byte != '\r') {
        reader->at_line_start = false;
    }
    reader->next = reader->get(reader->from);
}

void pdn_begin(struct pdn_reader *reader, pdn_get *get, void *from)
{
    *reader = (struct pdn_reader){.get = get, .from = from, .line = 1, .at_line_start = true};
    reader->next = get(from);
    for (const char *mark = "\xef\xbb\xbf"; *mark != '\0' && reader->next == (unsigned char)*mark;
         mark++)
        reader->next = get(from);
}

/* Whether a byte ends a word. */
static bool is_end(int byte)
{
    return byte < 0 || is_space(byte) || strchr("{}()[];$!?", byte) != NULL;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Makes room for one more entry of a list of the game; NULL beyond a limit or without memory, and
 * from then on. */
static void *grow(struct pdn_reader *reader, void *list, size_t n, size_t most, size_t *room,
                  size_t size)
{
    enum { FEWEST = 256 };
    reader->game->too_long = reader->game->too_long || n >= most;
    if (reader->no_memory || reader->game->too_long)
        return NULL;
    void *larger = array_room(list, n, room, FEWEST, size);
    reader->no_memory = larger == NULL;
    return larger;
}

static void put(struct pdn_reader *reader, int byte)
{
    struct pdn_game *game = reader->game;
    char *text = grow(reader, game->text, game->n_bytes, PDN_MOST_BYTES, &game->text_room, 1);
    if (text == NULL)
        return;
    game->text = text;
    game->text[game->n_bytes++] = (char)byte;
}

/* Begins a token; its text is all that is added until token_end. */
static void token_begin(struct pdn_reader *reader, enum pdn_kind kind)
{
    struct pdn_game *game = reader->game;
    struct pdn_token *tokens = grow(reader, game->tokens, game->n_tokens, PDN_MOST_TOKENS,
                                    &game->tokens_room, sizeof *tokens);
    if (tokens == NULL)
        return;
    game->tokens = tokens;
    game->tokens[game->n_tokens++] = (struct pdn_token){kind, reader->line, game->n_bytes};
}

static void token_end(struct pdn_reader *reader)
{
    put(reader, '\0');
}

/* Appends the next byte to the text; a zero byte, which would end it, becomes a question mark. */
static void keep(struct pdn_reader *reader)
{
    put(reader, reader->next == '\0' ? '?' : reader->next);
    take(reader);
}

static void set_kind(struct pdn_reader *reader, enum pdn_kind kind)
{
    struct pdn_game *game = reader->game;
    if (!reader->no_memory && !game->too_long && game->n_tokens > 0)
        game->tokens[game->n_tokens - 1].kind = kind;
}

/* --- tokens ----------------------------------------------------------------------------------- */

static void skip_space(struct pdn_reader *reader)
{
    while (is_space(reader->next))
        take(reader);
}

/* `[Name "value"]`; an incomplete tag is a bad token. */
static void read_tag(struct pdn_reader *reader)
{
    take(reader);
    skip_space(reader);
    token_begin(reader, PDN_TAG_NAME);
    while (!is_end(reader->next) && reader->next != '"')
        keep(reader);
    token_end(reader);
    skip_space(reader);
    const bool quoted = reader->next == '"';
    token_begin(reader, quoted ? PDN_TAG_VALUE : PDN_BAD);
    if (quoted)
        take(reader);
    while (quoted && reader->next >= 0 && reader->next != '"' && reader->next != '\n') {
        if (reader->next == '\\')
            keep(reader);
        if (reader->next >= 0 && reader->next != '\n')
            keep(reader);
    }
    const bool closed = quoted && reader->next == '"';
    if (closed)
        take(reader);
    token_end(reader);
    if (!closed)
        set_kind(reader, PDN_BAD);
    while (reader->next >= 0 && reader->next != ']' && reader->next != '\n')
        take(reader);
    if (reader->next == ']')
        take(reader);
}

static void read_comment(struct pdn_reader *reader)
{
    token_begin(reader, PDN_COMMENT);
    take(reader);
    while (reader->next >= 0 && reader->next != '}' &&
           !(reader->next == '[' && reader->at_line_start && reader->after_blank))
        keep(reader);
    token_end(reader);
    if (reader->next == '}') {
        take(reader);
    } else {
        token_begin(reader, PDN_BAD);
        token_end(reader);
    }
}

static void read_line(struct pdn_reader *reader)
{
    token_begin(reader, PDN_LINE_COMMENT);
    take(reader);
    while (reader->next >= 0 && reader->next != '\n')
        keep(reader);
    token_end(reader);
}

/* Bytes of a set. */
static void read_run(struct pdn_reader *reader, enum pdn_kind kind, const char *set)
{
    token_begin(reader, kind);
    keep(reader);
    while (reader->next > 0 && strchr(set, reader->next) != NULL)
        keep(reader);
    token_end(reader);
}

static bool is_result(const char *word)
{
    static const char *const results[] = {"1-0", "1/2-1/2", "0-1", "2-0", "1-1", "0-2", "0-0", "*"};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (strcmp(word, results[i]) == 0)
            return true;
    return false;
}

static bool is_move(const char *word)
{
    int n_squares = 0;
    if (strcmp(word, "x") == 0)
        return true;
    for (; is_digit(*word); n_squares++) {
        const size_t n = strspn(word, "0123456789");
        if (n > 2)
            return false;
        word += n;
        if (*word == '\0')
            return n_squares > 0;
        if (*word != '-' && *word != 'x' && *word != ':')
            return false;
        word++;
    }
    return false;
}

/* A move, a result, or a move number, which a move may follow without a space. True for a
 * result. */
static bool read_word(struct pdn_reader *reader)
{
    const struct pdn_game *game = reader->game;
    bool number = true;
    token_begin(reader, PDN_BAD);
    do {
        number = number && is_digit(reader->next);
        keep(reader);
    } while (!is_end(reader->next) && !(number && reader->next == '.'));
    if (number && reader->next == '.')
        while (reader->next == '.')
            keep(reader);
    else
        number = false;
    token_end(reader);
    if (reader->no_memory || game->too_long)
        return false;
    const char *word = pdn_text(game, &game->tokens[game->n_tokens - 1]);
    const bool result = is_result(word);
    set_kind(reader, number                              ? PDN_NUMBER
                     : result                            ? PDN_RESULT
                     : is_move(word)                     ? PDN_MOVE
                     : strspn(word, ".") == strlen(word) ? PDN_NUMBER
                                                         : PDN_BAD);
    return result;
}

/* Reads the token that begins with the next byte. True for a result. */
static bool read_token(struct pdn_reader *reader)
{
    switch (reader->next) {
    case '{':
        read_comment(reader);
        return false;
    case ';':
        read_line(reader);
        return false;
    case '$':
        read_run(reader, PDN_NAG, "0123456789");
        return false;
    case '!':
    case '?':
        read_run(reader, PDN_MARK, "!?");
        return false;
    case '(':
        read_run(reader, PDN_OPEN, "");
        return false;
    case ')':
        read_run(reader, PDN_CLOSE, "");
        return false;
    case '}':
    case ']':
        read_run(reader, PDN_BAD, "");
        return false;
    default:
        return read_word(reader);
    }
}

/* --- games ------------------------------------------------------------------------------------ */

enum pdn_result pdn_next(struct pdn_reader *reader, struct pdn_game *game)
{
    bool moves = false; /* anything but tags */
    int depth = 0;      /* of variations, in which a result ends nothing */

    reader->game = game;
    reader->no_memory = false;
    game->n_tokens = game->n_bytes = 0;
    game->too_long = false;
    skip_space(reader);
    game->line = reader->line;
    for (; reader->next >= 0 && !reader->no_memory; skip_space(reader)) {
        if (reader->next == '%' && reader->at_line_start) { /* not for readers of games */
            while (reader->next >= 0 && reader->next != '\n')
                take(reader);
            continue;
        }
        if (reader->next == '[' && moves)
            break;
        if (reader->next == '[') {
            read_tag(reader);
            continue;
        }
        moves = true;
        depth += reader->next == '(' ? 1 : reader->next == ')' && depth > 0 ? -1 : 0;
        if (read_token(reader) && depth == 0)
            break;
    }
    if (reader->no_memory)
        return PDN_NO_MEMORY;
    return game->n_tokens > 0 || game->too_long ? PDN_GAME : PDN_END;
}

void pdn_free(struct pdn_game *game)
{
    free(game->tokens);
    free(game->text);
    *game = (struct pdn_game){.line = 0};
}

const char *pdn_tag(const struct pdn_game *game, const char *name)
{
    for (size_t i = 0; i + 1 < game->n_tokens; i++)
        if (game->tokens[i].kind == PDN_TAG_NAME && game->tokens[i + 1].kind == PDN_TAG_VALUE &&
            strcmp(pdn_text(game, &game->tokens[i]), name) == 0)
            return pdn_text(game, &game->tokens[i + 1]);
    return NULL;
}
