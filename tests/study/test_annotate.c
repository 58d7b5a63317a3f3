/* Games read, played and judged: against the library, move by move. */
#include "study/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

static einspul *frisian;

static void begin(void)
{
    struct rules rules;
    make_folder();
    rules_by_name(&rules, "frisian", NULL);
    generate(&rules, 3, NULL, METRICS_DTW);
    frisian = open_default(folder, "frisian");
}

static void end(void)
{
    einspul_close(frisian);
    drop_folder();
}

TestSuite(annotate, .init = begin, .fini = end);

/* --- reading ---------------------------------------------------------------------------------- */

static int next_byte(void *from)
{
    const char **text = from;
    return **text == '\0' ? -1 : (unsigned char)*(*text)++;
}

enum { TEXT_SIZE = 65536 };

/* The tokens of a text as `kind:text` words, games with `|` behind. */
static void expect_tokens(const char *text, const char *expected)
{
    static const char kinds[] = "nv#m!$c;()r?";
    char words[TEXT_SIZE] = "";
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    size_t length = 0;
    pdn_begin(&reader, next_byte, &text);
    while (pdn_next(&reader, &game) == PDN_GAME) {
        for (size_t i = 0; i < game.n_tokens; i++)
            length +=
                (size_t)snprintf(words + length, sizeof words - length, "%c<%s>",
                                 kinds[game.tokens[i].kind], pdn_text(&game, &game.tokens[i]));
        words[length++] = '|';
        words[length] = '\0';
    }
    pdn_free(&game);
    cr_assert_str_eq(words, expected, "%s", words);
}

/* Files of lidraughts, of other programs, and those a hand has changed must be understood alike. */
Test(annotate, words_of_pdn)
{
    expect_tokens("[Event \"a b\"]\n[FEN \"W:W28:B3\"]\n\n1. 32-28 19x23 2. 28:19 1-0\n",
                  "n<Event>v<a b>n<FEN>v<W:W28:B3>#<1.>m<32-28>m<19x23>#<2.>m<28:19>r<1-0>|");
    expect_tokens(
        "1.32-28?! $2 { [%clock w0:05:00 b0:05:00] } (1. 31-27 2-0) 18-23 0-2",
        "#<1.>m<32-28>!<?!>$<$2>c< [%clock w0:05:00 b0:05:00] >(<(>#<1.>m<31-27>r<2-0>)<)>"
        "m<18-23>r<0-2>|");
    expect_tokens("1... 47x33x24 ; to the end\r\n*", "#<1...>m<47x33x24>;< to the end\r>r<*>|");
    expect_tokens("\xef\xbb\xbf[A \"\\\"q\\\"\"] 1/2-1/2 [B \"\"]\n% not this\n1. 1-6 [C \"\"] 0-0",
                  "n<A>v<\\\"q\\\">r<1/2-1/2>|n<B>v<>#<1.>m<1-6>|n<C>v<>r<0-0>|");
    expect_tokens("1. 32-28 x 2.x xx 1x *", "#<1.>m<32-28>m<x>#<2.>m<x>?<xx>?<1x>r<*>|");
    expect_tokens("1. 32_28 e3-d4 * 1. 32- 100-1 1-0",
                  "#<1.>?<32_28>?<e3-d4>r<*>|#<1.>?<32->?<100-1>r<1-0>|");
    expect_tokens("{ open\n\n[Event \"next\"]\n*", "c< open\n\n>?<>|n<Event>v<next>r<*>|");
    expect_tokens("", "");
}

/* A file that never ends a game must not fill the memory, nor take the next game with it. */
Test(annotate, games_without_bound_are_left_out)
{
    const size_t n = (size_t)PDN_MOST_BYTES + 1000;
    char *text = malloc(n + 100);
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    struct notes notes = {.n = 0};
    einspul_error error = {0};
    cr_assert_not_null(text);
    memset(text, 'x', n);
    text[0] = '{';
    snprintf(text + n, 100, "}\n1. 32-28 *\n[Event \"b\"]\n1. 31-27 *\n");
    const char *at = text;
    pdn_begin(&reader, next_byte, &at);
    cr_assert_eq(pdn_next(&reader, &game), PDN_GAME);
    cr_assert(game.too_long);
    cr_assert_leq(game.n_bytes, PDN_MOST_BYTES);
    cr_assert_neq(annotate_game(frisian, &game, &notes, &error), EINSPUL_OK);
    cr_assert_not_null(strstr(error.text, "line 1: a game of more than"), "%s", error.text);
    bool found = false;
    while (pdn_next(&reader, &game) == PDN_GAME)
        found = found || (pdn_tag(&game, "Event") != NULL && !game.too_long);
    cr_assert(found);
    pdn_free(&game);
    free(text);
}

/* --- rule sets -------------------------------------------------------------------------------- */

static void expect_rules(const char *text, const char *usual, const char *expected)
{
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    struct rules named;
    struct rules rules;
    einspul_error error = {0};
    rules_by_name(&named, usual, NULL);
    pdn_begin(&reader, next_byte, &text);
    cr_assert_eq(pdn_next(&reader, &game), PDN_GAME);
    const einspul_status status = annotate_rules(&game, &named, &rules, &error);
    cr_assert_str_eq(status == EINSPUL_OK ? rules.name : error.text, expected);
    pdn_free(&game);
}

/* A game judged by the rules of another is judged wrongly throughout. */
Test(annotate, the_game_type_chooses_the_rules)
{
    expect_rules("*", "frisian-no17", "frisian-no17");
    expect_rules("[GameType \"40\"] *", "international", "frisian");
    expect_rules("[GameType \"40\"] *", "frisian-free", "frisian-free");
    expect_rules("[GameType \"20,W,10,10,N2,0\"] *", "frisian", "international");
    expect_rules("[GameType \"21\"] *", "frisian", "english");
    expect_rules("[GameType \"26\"] *", "frisian", "brazilian");
    expect_rules("[GameType \"97\"] *", "international", "frisian");
    expect_rules("[GameType \"97\"] *", "frisian-no18", "frisian-no18");
    expect_rules("[GameType \"99\"] *", "frisian-no18", "frisian-no18");
    expect_rules("[GameType \"99,W,10,10,N2,0\"] *", "international", "international");
    expect_rules("\n[GameType \"98\"] *", "frisian", "line 2: unknown GameType '98'");
}

/* --- whole games ------------------------------------------------------------------------------ */

/* Annotates all games of a text; `messages` gets the errors, a line each. */
static void annotate_text(const char *text, char output[TEXT_SIZE], char messages[TEXT_SIZE])
{
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    struct notes notes = {.n = 0};
    FILE *file = fmemopen(output, TEXT_SIZE, "w");
    cr_assert_not_null(file);
    messages[0] = '\0';
    pdn_begin(&reader, next_byte, &text);
    while (pdn_next(&reader, &game) == PDN_GAME) {
        einspul_error error = {0};
        if (annotate_game(frisian, &game, &notes, &error) != EINSPUL_OK)
            snprintf(messages + strlen(messages), TEXT_SIZE - strlen(messages), "%s\n", error.text);
        annotate_write(file, &game, &notes);
    }
    fclose(file);
    pdn_free(&game);
    annotate_free(&notes);
}

static const char mistake[] = "[Event \"Casual Frisian game\"]\n"
                              "[Site \"https://lidraughts.org/abcdefgh\"]\n"
                              "[Result \"1/2-1/2\"]\n"
                              "[GameType \"40\"]\n"
                              "[FEN \"W:WK3,27:BK48:H0:F1\"]\n\n"
                              "1. 3-8 { [%clock w0:05:00 b0:05:00] } 48-34 (1... 48-2) 1/2-1/2\n";

/* Who lost the win, and where, is what a player wants to know of a game; and to get all else
 * back. */
Test(annotate, mistakes_are_marked)
{
    static char once[TEXT_SIZE];
    static char twice[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text(mistake, once, messages);
    cr_assert_str_eq(messages, "");
    cr_assert_str_eq(once,
                     "[Event \"Casual Frisian game\"]\n"
                     "[Site \"https://lidraughts.org/abcdefgh\"]\n"
                     "[Result \"1/2-1/2\"]\n"
                     "[GameType \"40\"]\n"
                     "[FEN \"W:WK3,27:BK48:H0:F1\"]\n\n"
                     "{ Tables: White wins in 41 plies } 1. 3-8 $2\n"
                     "{ Tables: a draw; before it, with 3-25: White wins in 41 plies }\n"
                     "{ [%clock w0:05:00 b0:05:00] } 48-34 (1... 48-2) 1/2-1/2\n\n",
                     "%s", once);
    annotate_text(once, twice, messages);
    cr_assert_str_eq(twice, once, "%s", twice); /* what is annotated may be annotated again */
}

/* Whoever reads that memory is short buys memory; this position has more captures than anybody
 * follows. */
Test(annotate, too_many_captures_have_a_name)
{
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("[FEN \"W:WK50:B2,4,7,8,9,10,11,13,16,19,21,22,24,25,27,30,31,32,34,36,38,41,42,"
                  "43,44\"]\n\n1. 50x3 *\n",
                  output, messages);
    cr_assert_not_null(strstr(messages, "more ways to capture than can be followed"), "%s",
                       messages);
}

/* A game of the site is told from others, and only a Frisian one is judged otherwise there. */
Test(annotate, games_of_the_site_have_its_rules)
{
    static const struct {
        const char *site;
        const char *rules;
        const char *judged; /* NULL: by no others */
    } rows[] = {{"https://lidraughts.org/abcdefgh", "frisian", "frisian-lidraughts"},
                {"https://lidraughts.org/abcdefgh", "frisian-free", NULL},
                {"https://lidraughts.org/abcdefgh", "international", NULL},
                {"Franeker", "frisian", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rules rules = rules_named(rows[i].rules);
        struct rules site;
        struct pdn_reader reader;
        struct pdn_game game = {0};
        char text[128];
        const char *at = text;
        snprintf(text, sizeof text, "[Site \"%s\"]\n*\n", rows[i].site);
        pdn_begin(&reader, next_byte, &at);
        cr_assert_eq(pdn_next(&reader, &game), PDN_GAME);
        cr_assert_eq(annotate_site_rules(&game, &rules, &site), rows[i].judged != NULL, "%zu", i);
        cr_assert(rows[i].judged == NULL || strcmp(site.name, rows[i].judged) == 0, "%zu", i);
        pdn_free(&game);
    }
}

/* One bad game in a file of thousands must not cost the others, and must be found. */
Test(annotate, bad_games_are_named_and_the_rest_goes_on)
{
    static char text[TEXT_SIZE];
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    snprintf(text, sizeof text,
             "[A \"\"]\n1. 32-28 19-23 2. 28x19 14x23\n3. 50-1 *\n[B \"\"]\n1. 32-28 zz *\n"
             "[FEN \"W:W51:B3\"]\n*\n[FEN \"B:WK46:B6\"]\n1... 6-12 *\n%s",
             mistake);
    annotate_text(text, output, messages);
    cr_assert_str_eq(messages,
                     "line 3, move 3 of White, '50-1': no legal move; legal: 31-26 31-27 33-28 "
                     "33-29 34-29 34-30 35-30 37-32 38-32\n"
                     "line 5, move 1 of Black, 'zz': cannot be read\n"
                     "line 6: FEN: square 51 at column 4 is not on the board (1..50)\n"
                     "line 9, move 1 of Black, '6-12': no legal move; legal: 6-11\n",
                     "%s", messages);
    cr_assert_not_null(strstr(output, "3. 50-1 *"));
    cr_assert_not_null(strstr(output, "1. 3-8 $2"));
}

/* Games of lidraughts reach tables soonest in Frysk!, and it writes the only capture as `x`. */
Test(annotate, games_as_lidraughts_writes_them)
{
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("[GameType \"97\"]\n1. 46-41 1-7 2. 50-44 *\n"
                  "[GameType \"99\"]\n[FEN \"W:W33,K43:B28\"]\n1. x *\n",
                  output, messages);
    cr_assert_str_eq(messages, "", "%s", messages);
    cr_assert_not_null(strstr(output, "{ Tables: White wins in 1 ply } 1. x *"), "%s", output);
}

/* Who reads that a move is wrong wants to know how, and what was meant instead. */
Test(annotate, a_wrong_move_is_told_with_the_legal_ones)
{
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("[FEN \"W:W28:B3\"]\n1. x *\n"
                  "[FEN \"W:W33,K43:B3,28\"]\n1. 43-38 *\n"
                  "[FEN \"W:WK6:B9,11,41\"]\n1. 6x46 *\n[FEN \"W:WK6:B9,11,41\"]\n1. x *\n"
                  "[FEN \"W:W33:B28\"]\n1. x 1-6 *\n"
                  "[FEN \"W:WK1,K2,K3,K4,K49,K50:B45\"]\n1. 1-2 *\n",
                  output, messages);
    static const char expected[] =
        "line 2, move 1 of White, 'x': no legal move; legal: 28-22 28-23\n"
        "line 4, move 1 of White, '43-38': no legal move; legal: 33x22\n"
        "line 6, move 1 of White, '6x46': fits several moves; legal: 6x4 6x28x46 6x10x46\n"
        "line 8, move 1 of White, 'x': fits several moves; legal: 6x4 6x28x46 6x10x46\n"
        "line 10, move 1 of Black, '1-6': the game is over, there is no legal move\n"
        "line 12, move 1 of White, '1-2': no legal move; legal: ";
    cr_assert_eq(strncmp(messages, expected, strlen(expected)), 0, "%s", messages);
    cr_assert_str_eq(messages + strlen(messages) - 5, " ...\n", "%s", messages);
}

/* --- random games ----------------------------------------------------------------------------- */

/* A legal move at random; false when there is none. */
static bool random_move(const einspul_position *position, uint64_t *seed, einspul_move *move)
{
    einspul_move moves[64];
    size_t n_moves = 0;
    cr_assert_eq(einspul_moves("frisian", position, moves, 64, &n_moves, NULL), EINSPUL_OK);
    if (n_moves == 0)
        return false;
    *move = moves[random_below(seed, (int)n_moves)];
    return true;
}

static int outcome_of(const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    cr_assert_eq(einspul_probe_wdl(frisian, position, 0, &outcome, NULL), EINSPUL_OK);
    return (int)outcome;
}

/* Plays a game at random; `nags` gets for each move what it deserves. */
static int random_game(const char *fen, uint64_t *seed, int nags[40], char *text, size_t size)
{
    einspul_position position;
    einspul_move move;
    int n = 0;
    size_t length = (size_t)snprintf(text, size, "[FEN \"%s\"]\n", fen);
    cr_assert_eq(einspul_fen_read("frisian", fen, &position, NULL), EINSPUL_OK);
    for (; n < 40 && random_move(&position, seed, &move); n++) {
        const int before = outcome_of(&position);
        const int after = -outcome_of(&move.after);
        nags[n] = before == after ? 0 : before - after == 2 ? 4 : 2;
        length += (size_t)snprintf(text + length, size - length, "%s ", move.text);
        position = move.after;
    }
    snprintf(text + length, size - length, "*\n");
    return n;
}

/* King runs and the clock change outcomes from one move to the next: an annotation without them
 * would blame moves that are right, and praise wrong ones. */
Test(annotate, random_games_are_judged_as_the_library_judges)
{
    static const char *const fens[] = {"W:WK46,28:BK43", "B:WK3,27:BK48", "W:WK2,K49:B20",
                                       "W:WK1,K2:BK6", "W:W33,43:B22"};
    static char text[TEXT_SIZE];
    int n_of_nag[5] = {0};
    uint64_t seed = 7;
    for (int game_number = 0; game_number < 400; game_number++) {
        int nags[40];
        struct pdn_reader reader;
        struct pdn_game game = {.line = 0};
        struct notes notes = {.n = 0};
        einspul_error error = {0};
        size_t note = 1; /* behind that of the first position */
        int move = 0;
        const char *at = text;
        random_game(fens[game_number % 5], &seed, nags, text, sizeof text);
        pdn_begin(&reader, next_byte, &at);
        cr_assert_eq(pdn_next(&reader, &game), PDN_GAME);
        cr_assert_eq(annotate_game(frisian, &game, &notes, &error), EINSPUL_OK, "%s: %s",
                     error.text, text);
        for (size_t i = 0; i < game.n_tokens; i++) {
            if (game.tokens[i].kind != PDN_MOVE)
                continue;
            const bool noted = note < notes.n && notes.note[note].token == i;
            const int nag = noted ? notes.note[note++].nag : 0;
            cr_assert_eq(nag, nags[move], "move %d of %s", move, text);
            n_of_nag[nags[move++]]++;
        }
        cr_assert_eq(note, move == 0 ? note : notes.n);
        annotate_free(&notes);
        pdn_free(&game);
    }
    cr_assert(n_of_nag[0] > 1000 && n_of_nag[2] > 100 && n_of_nag[4] > 10, "%d %d %d", n_of_nag[0],
              n_of_nag[2], n_of_nag[4]);
}
