/* A game ends after its result, or before a tag that follows moves; the last one with the text. */
#include "study/pdn.h"

#include "core/characters.h"
#include "core/program/array.h"
#include "study/pdn_token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool add_token(struct pdn_reader *reader, struct pdn_game *game, struct pdn_token token)
{
    enum { FEWEST = 256 };
    struct pdn_token *tokens =
        array_reserve(game->tokens, game->n_tokens, &game->room, FEWEST, sizeof *tokens);
    reader->no_memory = reader->no_memory || tokens == NULL;
    if (tokens == NULL)
        return false;
    game->tokens = tokens;
    game->tokens[game->n_tokens++] = token;
    return true;
}

/* Counts the lines up to an offset, which is returned. */
static size_t advance(struct pdn_reader *reader, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        reader->line += reader->bytes[i] == '\n';
    return to;
}

/* End of an overlong game: the next line that begins with a tag, or the end of the text. */
static size_t next_tag(const struct pdn_reader *reader, size_t at)
{
    while (at < reader->n_bytes && !(reader->bytes[at] == '[' && is_line_start(reader, at)))
        at++;
    return at;
}

/* True if a token that looks like a move equals the Result tag (e.g. `12-8`) and ends the game. */
static bool is_named_result(struct pdn_reader *reader, const struct pdn_game *game, size_t at,
                            size_t end)
{
    char value[16];
    const int next = byte_at(reader, pdn_skip_blanks(reader, end));
    return (next < 0 || next == '[') && pdn_tag(game, "Result", value, sizeof value) &&
           strlen(value) == end - at && memcmp(value, reader->bytes + at, end - at) == 0;
}

static bool begins_no_game(enum pdn_kind kind)
{
    return kind == PDN_COMMENT || kind == PDN_LINE_COMMENT || kind == PDN_RESULT;
}

/* True if no game follows an offset. */
static bool is_last(struct pdn_reader *reader, const struct pdn_game *game, size_t at)
{
    enum pdn_kind kind = PDN_COMMENT;
    for (at = pdn_skip_blanks(reader, at); at < reader->n_bytes && begins_no_game(kind);)
        at = pdn_skip_blanks(reader, pdn_token_end(reader, game, at, &kind));
    return begins_no_game(kind);
}

enum pdn_result pdn_next(struct pdn_reader *reader, struct pdn_game *game)
{
    bool begun = false; /* comments and a result without a game belong to the next one … */
    bool last = false;  /* … or to the last one, after its result */
    bool moves = false; /* anything but tags and comments */
    int depth = 0;      /* of variations, in which a result ends nothing */
    size_t at = 0;
    bool ended = false;
    *game = (struct pdn_game){.tokens = game->tokens, .room = game->room, .text = reader->bytes};
    game->line = reader->line;
    while (!ended && !reader->no_memory) {
        struct pdn_token token = {.begin = pdn_skip_blanks(reader, at)};
        const bool tag = byte_at(reader, token.begin) == '[';
        if (token.begin == reader->n_bytes || (tag && moves))
            break;
        token.end = pdn_token_end(reader, game, token.begin, &token.kind);
        if (token.kind == PDN_MOVE && is_named_result(reader, game, token.begin, token.end))
            token.kind = PDN_RESULT;
        advance(reader, at, token.begin);
        token.line = reader->line;
        game->too_long = game->n_tokens == PDN_MAX_TOKENS;
        if (!begun)
            game->line = token.line;
        begun = begun || game->too_long || !begins_no_game(token.kind);
        if (!game->too_long && !add_token(reader, game, token))
            break;
        at = advance(reader, token.begin,
                     game->too_long ? next_tag(reader, token.begin) : token.end);
        moves =
            moves || (begun && !tag && token.kind != PDN_COMMENT && token.kind != PDN_LINE_COMMENT);
        depth += token.kind == PDN_OPEN ? 1 : token.kind == PDN_CLOSE && depth > 0 ? -1 : 0;
        const bool result = token.kind == PDN_RESULT && begun && depth == 0;
        last = last || (result && !game->too_long && is_last(reader, game, at));
        ended = game->too_long || (result && !last);
    }
    if (reader->no_memory)
        return PDN_NO_MEMORY;
    const bool end = !begun;
    if (end)
        game->n_tokens = 0;
    game->number = reader->n_games += !end;
    game->n_bytes = end ? reader->n_bytes : at;
    reader->bytes += game->n_bytes;
    reader->n_bytes -= game->n_bytes;
    return end ? PDN_END : PDN_GAME;
}

void pdn_begin(struct pdn_reader *reader, const char *text, size_t n_bytes)
{
    *reader = (struct pdn_reader){.line = 1, .n_bytes = n_bytes, .begin = text, .bytes = text};
}

void pdn_free(struct pdn_game *game)
{
    free(game->tokens);
    *game = (struct pdn_game){.line = 0};
}

const char *pdn_tag_value(const struct pdn_game *game, const char *name, size_t *n)
{
    for (size_t i = 0; i < game->n_tokens; i++) {
        const char *at = game->text + game->tokens[i].begin + 1;
        const char *end = game->text + game->tokens[i].end;
        if (game->tokens[i].kind != PDN_TAG)
            continue;
        while (at < end && is_space(*at))
            at++;
        if ((size_t)(end - at) <= strlen(name) || strncasecmp(at, name, strlen(name)) != 0 ||
            is_word(at[strlen(name)]))
            continue;
        const char *quote = memchr(at, '"', (size_t)(end - at));
        at = quote != NULL ? quote + 1 : at + strlen(name);
        for (end--; quote != NULL && *end != '"';)
            end--;
        while (quote == NULL && at < end && is_space(*at))
            at++;
        while (quote == NULL && at < end && is_space(end[-1]))
            end--;
        *n = end > at ? (size_t)(end - at) : 0;
        return at;
    }
    return NULL;
}

bool pdn_tag(const struct pdn_game *game, const char *name, char *value, size_t size)
{
    size_t n = 0;
    const char *at = pdn_tag_value(game, name, &n);
    snprintf(value, size, "%.*s", (int)(n < size ? n : size - 1), at != NULL ? at : "");
    return at != NULL;
}

const struct pdn_token *pdn_result_token(const struct pdn_game *game)
{
    size_t i = game->n_tokens;
    while (i > 0 && (game->tokens[i - 1].kind == PDN_COMMENT ||
                     game->tokens[i - 1].kind == PDN_LINE_COMMENT))
        i--;
    return i > 0 && game->tokens[i - 1].kind == PDN_RESULT ? &game->tokens[i - 1] : NULL;
}
