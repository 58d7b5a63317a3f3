/* Splits arbitrary bytes into games: they must cover the input, copying a game must reproduce it,
 * its moves must be legal, and its tree must keep all of it. */
#include "study/annotate_write.h"
#include "study/game_tree.h"
#include "tests/fuzz/fuzz.h"

static void check_tokens(const struct pdn_game *game)
{
    size_t at = 0;
    int line = 0;
    for (size_t i = 0; i < game->n_tokens; i++) {
        const struct pdn_token *token = &game->tokens[i];
        fuzz_expect(token->begin >= at && token->end > token->begin && token->end <= game->n_bytes,
                    "tokens follow one another");
        fuzz_expect(token->line >= line, "lines go forward");
        for (; at < token->begin; at++)
            fuzz_expect((unsigned char)game->text[at] >= 0x80 || game->text[at] == ' ' ||
                            (game->text[at] >= '\t' && game->text[at] <= '\r') || game->too_long,
                        "there are blanks between them");
        at = token->end;
        line = token->line;
    }
}

/* True for tokens that a tree must hold as a node or in a text. */
static bool is_kept(const struct pdn_game *game, const struct pdn_token *token)
{
    return token->kind != PDN_TAG && token->kind != PDN_NUMBER && token->kind != PDN_RESULT &&
           token->kind != PDN_OPEN && token->kind != PDN_CLOSE &&
           (token->kind != PDN_NULL || game->text[token->begin] != '.');
}

static void check_tree(const struct pdn_game *game, const struct annotation *annotation)
{
    struct game_tree tree = {.n = 0};
    einspul_error error = {EINSPUL_OK, ""};
    bool *kept = calloc(game->n_bytes + 1, sizeof *kept);
    if (kept == NULL || game_tree_read(game, annotation, &tree, &error) != EINSPUL_OK)
        abort();
    for (size_t i = 0; i < tree.n; i++) {
        const struct tree_node *node = &tree.nodes[i];
        fuzz_expect(node->parent < (int)i && (node->parent >= 0) == (i > 0), "parents come first");
        fuzz_expect(state_check(annotation->rules, &node->state, NULL) == EINSPUL_OK,
                    "positions of a tree are legal");
        if (i > 0)
            kept[game->tokens[node->token].begin] = true;
    }
    for (size_t i = 0; i < tree.n_texts; i++) {
        const struct tree_text *text = &tree.texts[i];
        fuzz_expect((size_t)text->node < tree.n, "a text has a node");
        for (size_t at = text->begin; at < text->end; at++)
            kept[at] = true;
    }
    for (size_t i = 0; i < game->n_tokens && tree.n > 0; i++)
        fuzz_expect(!is_kept(game, &game->tokens[i]) || kept[game->tokens[i].begin],
                    "a tree keeps all of a game");
    game_tree_free(&tree);
    free(kept);
}

static void play_and_write(const struct pdn_game *game, const struct rules *rules)
{
    struct annotation annotation = {.n = 0};
    einspul_error error = {EINSPUL_OK, ""};
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&text, &n_bytes);
    if (file == NULL)
        abort();
    const einspul_status status = annotate_game(NULL, rules, game, &annotation, &error);
    fuzz_expect(status == error.status && (status == EINSPUL_OK || error.text[0] != '\0'),
                "an error has a text");
    for (size_t i = 0; i < annotation.n; i++)
        fuzz_expect(state_check(rules, &annotation.steps[i].state, NULL) == EINSPUL_OK,
                    "what is played can be");
    check_tree(game, &annotation);
    annotate_write(file, game, &annotation, NOTATION_AS_GIVEN);
    fclose(file);
    bool ours = false; /* a comment of an earlier run */
    for (size_t i = 0; i + 7 < game->n_bytes; i++)
        ours = ours || memcmp(game->text + i, "Tables:", 7) == 0;
    if (!ours)
        fuzz_expect(n_bytes == game->n_bytes &&
                        (n_bytes == 0 || memcmp(text, game->text, n_bytes) == 0),
                    "what is written is the game");
    fuzz_expect(n_bytes <= game->n_bytes, "what is left out was written here");
    annotate_free(&annotation);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct rules rules;
    struct pdn_game game = {.line = 0};
    struct pdn_reader reader;
    size_t n_read = 0;
    enum pdn_result result = PDN_GAME;
    fuzz_rules(&rules, fuzz_byte(&input));
    bytes += n_bytes > 0;
    n_bytes -= n_bytes > 0;
    pdn_begin(&reader, (const char *)bytes, n_bytes);
    for (size_t n = 0; result == PDN_GAME; n++) {
        result = pdn_next(&reader, &game);
        fuzz_expect(n <= n_bytes, "a game has a byte of its own");
        fuzz_expect(n_read + game.n_bytes <= n_bytes &&
                        (game.n_bytes == 0 || memcmp(game.text, bytes + n_read, game.n_bytes) == 0),
                    "games are the input");
        n_read += game.n_bytes;
        check_tokens(&game);
        play_and_write(&game, &rules);
    }
    fuzz_expect(n_read == n_bytes, "all is read");
    pdn_free(&game);
    return 0;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    static const char *const seeds[] = {
        "0[Event \"a\"]\n[GameType \"40\"]\n[FEN \"W:W27,K3:BK48\"]\n\n1. 3-25 "
        "{ [%clock w0:05:00 b0:05:00] } 48-30 2. 25x34 1-0\n\n[Event \"b\"]\n1.32-28?! $2 "
        "(1. 31-27 ;x\n 18-23) 18-22 2. 28:17 1/2-1/2\n",
        "0{ no end\n\n[Event \"c\"]\n% skipped\n1... 18-23 *\n[X\n",
        "0\xef\xbb\xbf[A \"q\\\"\"] 1. 47x33x24 ?? ) } ] $ ( 2-0 ) 0-2",
        "4[FEN \"W:WK1:B12,13,19,20\"] 1. 1x9x25 19 - 24(?) *\n1. 1x25 -- 0.98-1.02",
        "6[FEN \"W:Wa3,c3,Ke3:Bb8,h8\"] 1. c3-d4 b8c7 2. D4 : e5* 1 1/2 - 1/2 \xc2\xbd-\xc2\xbd",
        "0[FEN \"W:WK6:B9,11,41\"] 1. 6x28x46 9-14 /FEN \"W:W33:B28\"/ 1. x { Tables: x } 1+ - 1-",
    };
    static const uint8_t wide[] = {'0', 0xff, 0xfe, '1', 0, '.', 0, '3', 0, '2',
                                   0,   '-',  0,    '2', 0, '8', 0, '*', 0};
    if (number == sizeof seeds / sizeof seeds[0]) {
        memcpy(bytes, wide, sizeof wide);
        return sizeof wide;
    }
    if ((size_t)number > sizeof seeds / sizeof seeds[0])
        return 0;
    memcpy(bytes, seeds[number], strlen(seeds[number]));
    return strlen(seeds[number]);
}
