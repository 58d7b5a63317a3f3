/* Games of any bytes: they are read to their end, and what is written is the same game. */
#include "study/annotate.h"
#include "tests/fuzz/fuzz.h"

static int next_byte(void *from)
{
    struct fuzz_input *input = from;
    return input->n_bytes == 0 ? -1 : fuzz_byte(input);
}

static void check_tokens(const struct pdn_game *game)
{
    int line = game->line;
    for (size_t i = 0; i < game->n_tokens; i++) {
        const struct pdn_token *token = &game->tokens[i];
        fuzz_expect(token->text < game->n_bytes &&
                        memchr(pdn_text(game, token), '\0', game->n_bytes - token->text) != NULL,
                    "a token's text ends within the game's");
        fuzz_expect(token->line >= line, "lines go forward");
        line = token->line;
    }
    pdn_tag(game, "FEN");
}

/* What was written here before is left out, and marks that are written side by side are one. */
static bool is_plain(const struct pdn_game *game)
{
    for (size_t i = 0; i < game->n_tokens; i++) {
        const enum pdn_kind kind = game->tokens[i].kind;
        if (kind == PDN_BAD ||
            (kind == PDN_COMMENT && strstr(pdn_text(game, &game->tokens[i]), "Tables: ") != NULL))
            return false;
        if (kind == PDN_MARK && i > 0 && game->tokens[i - 1].kind == PDN_MARK)
            return false;
    }
    return !game->too_long;
}

static void write_and_read(const struct pdn_game *game)
{
    struct notes none = {.n = 0};
    struct pdn_game again = {.line = 0};
    struct pdn_reader reader;
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&text, &n_bytes);
    if (file == NULL)
        abort();
    annotate_write(file, game, &none);
    fclose(file);
    struct fuzz_input input = {(const uint8_t *)text, n_bytes};
    pdn_begin(&reader, next_byte, &input);
    if (is_plain(game)) {
        fuzz_expect(pdn_next(&reader, &again) == PDN_GAME, "what is written is a game");
        fuzz_expect(again.n_tokens == game->n_tokens, "of as many words");
        for (size_t i = 0; i < game->n_tokens; i++)
            fuzz_expect(again.tokens[i].kind == game->tokens[i].kind &&
                            strcmp(pdn_text(&again, &again.tokens[i]),
                                   pdn_text(game, &game->tokens[i])) == 0,
                        "of the same words");
        fuzz_expect(pdn_next(&reader, &again) == PDN_END, "and no other game");
    }
    pdn_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct pdn_game game = {.line = 0};
    struct pdn_reader reader;
    pdn_begin(&reader, next_byte, &input);
    for (size_t n = 0; pdn_next(&reader, &game) == PDN_GAME; n++) {
        fuzz_expect(n <= n_bytes, "a game has a byte of its own");
        check_tokens(&game);
        write_and_read(&game);
    }
    fuzz_expect(input.n_bytes == 0, "all is read");
    pdn_free(&game);
    return 0;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    static const char *const seeds[] = {
        "[Event \"a\"]\n[GameType \"40\"]\n[FEN \"W:W27,K3:BK48\"]\n\n1. 3-25 "
        "{ [%clock w0:05:00 b0:05:00] } 48-30 2. 25x34 1-0\n\n[Event \"b\"]\n1.32-28?! $2 "
        "(1. 31-27 ;x\n 18-23) 18-22 2. 28:17 1/2-1/2\n",
        "{ no end\n\n[Event \"c\"]\n% skipped\n1... 18-23 *\n[X\n",
        "\xef\xbb\xbf[A \"q\\\"\"] 1. 47x33x24 ?? ) } ] $ ( 2-0 ) 0-2",
    };
    if ((size_t)number >= sizeof seeds / sizeof seeds[0])
        return 0;
    memcpy(bytes, seeds[number], strlen(seeds[number]));
    return strlen(seeds[number]);
}
