/* The PDN reader: every token as it is written, by any program or person. */
#include <stdlib.h>
#include <string.h>

#include "study/annotate.h"
#include "tests/support/games.h"

enum { TEXT_SIZE = 65536 };

/* Checks the tokens of `n_bytes` bytes, as `kind<text>` words; `|` follows each game. */
static void expect_tokens_of(const char *text, size_t n_bytes, const char *expected)
{
    static const char kinds[] = "t#m0!$c;()/r?";
    char words[TEXT_SIZE] = "";
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    size_t length = 0;
    pdn_begin(&reader, text, n_bytes);
    while (pdn_next(&reader, &game) == PDN_GAME) {
        for (size_t i = 0; i < game.n_tokens; i++) {
            const struct pdn_token *token = &game.tokens[i];
            length += (size_t)snprintf(words + length, sizeof words - length, "%c<%.*s>",
                                       kinds[token->kind], (int)(token->end - token->begin),
                                       game.text + token->begin);
        }
        words[length++] = '|';
        words[length] = '\0';
    }
    pdn_free(&game);
    cr_assert_str_eq(words, expected, "%s", words);
}

static void expect_tokens(const char *text, const char *expected)
{
    expect_tokens_of(text, strlen(text), expected);
}

/* Fails if files of lidraughts or other programs, or edited ones, are not read. */
Test(pdn, tokens)
{
    expect_tokens("[Event \"a b\"]\n[FEN \"W:W28:B3\"]\n\n1. 32-28 19x23 2. 28:19 1-0\n",
                  "t<[Event \"a b\"]>t<[FEN \"W:W28:B3\"]>#<1.>m<32-28>m<19x23>#<2.>m<28:19>"
                  "r<1-0>|");
    expect_tokens("1.32-28?! $2 { [%clock w0:05:00] } (1. 31-27 2-0) 18-23 0-2",
                  "#<1.>m<32-28>!<?!>$<$2>c<{ [%clock w0:05:00] }>(<(>#<1.>m<31-27>r<2-0>)<)>"
                  "m<18-23>r<0-2>|");
    expect_tokens("1... 47x33x24 ; to the end\r\n*", "#<1...>m<47x33x24>;<; to the end\r>r<*>|");
    expect_tokens("[A \"\\\"q\\\"]\"][ B\t\"\" ] 1/2-1/2 [B \"\"]\n1. 1-6 [C \"\"] 0-0",
                  "t<[A \"\\\"q\\\"]\"]>t<[ B\t\"\" ]>r<1/2-1/2>|t<[B \"\"]>#<1.>m<1-6>|"
                  "t<[C \"\"]>r<0-0>|");
    expect_tokens("[A \"a\\\" ] b\"] *", "t<[A \"a\\\" ] b\"]>r<*>|");
    expect_tokens("1. 32_28 e4 * 1. 32- 100-1 1-0",
                  "#<1.>?<32_28>?<e4>r<*>|#<1.>?<32->?<100-1>r<1-0>|");
    expect_tokens("{ open\n\n[Event \"next\"]\n*", "?<{ open\n\n>|t<[Event \"next\"]>r<*>|");
    expect_tokens("[Event \"open]\n[Site]\n*", "?<[Event \"open]>?<[Site]>r<*>|");
    expect_tokens("", "");
    expect_tokens(" \n\t", "");
}

/* Fails if comments, or a lone star, before or between games count as games. */
Test(pdn, comments_between_games_are_no_games)
{
    expect_tokens("{a} ;b\n%c\n * [Event \"d\"] {e} [Site \"f\"] *",
                  "c<{a}>;<;b>;<%c>r<*>t<[Event \"d\"]>c<{e}>t<[Site \"f\"]>r<*>|");
    expect_tokens("[A \"\"] * {b} * [A \"\"] 1. 1-6 * {c} * ;d",
                  "t<[A \"\"]>r<*>|c<{b}>r<*>t<[A \"\"]>#<1.>m<1-6>r<*>c<{c}>r<*>;<;d>|");
    expect_tokens("{a} 1. 1-6 *", "c<{a}>#<1.>m<1-6>r<*>|");
    expect_tokens("{a}", "");
    struct pdn_reader reader;
    struct pdn_game game;
    char site[8];
    read_game("{a}\n%b\n[Event \"c\"]\n{d} [Site \"e\"]\n*", &reader, &game);
    cr_assert(game.number == 1 && game.line == 3, "game %d in line %d", game.number, game.line);
    cr_assert(pdn_tag(&game, "Site", site, sizeof site) && strcmp(site, "e") == 0);
    pdn_free(&game);
}

/* Fails if a tag without quotes makes its game unreadable. */
Test(pdn, values_of_tags_may_lack_their_quotes)
{
    struct pdn_reader reader;
    struct pdn_game game;
    char value[16];
    expect_tokens("[Round 17][Site][] [ 3 ] *", "t<[Round 17]>?<[Site]>?<[]>t<[ 3 ]>r<*>|");
    read_game("[Round  17 ][Event \"a\"] *", &reader, &game);
    cr_assert(pdn_tag(&game, "Round", value, sizeof value));
    cr_assert_str_eq(value, "17");
    cr_assert(pdn_tag(&game, "Event", value, sizeof value));
    cr_assert_str_eq(value, "a");
    pdn_free(&game);
}

/* Fails if padded columns, broken lines or other characters change or split a move. */
Test(pdn, moves_as_they_are_written)
{
    expect_tokens("1. 6- 11 6 -11 6 - 11 28 x 19\nx 10 32-\n28",
                  "#<1.>m<6- 11>m<6 -11>m<6 - 11>m<28 x 19\nx 10>m<32-\n28>|");
    expect_tokens("1. c3-d4 b8c7 C3xE5xG7 c3e5g7 3228 0611 061728 a1 : c3",
                  "#<1.>m<c3-d4>m<b8c7>m<C3xE5xG7>m<c3e5g7>m<3228>m<0611>m<061728>m<a1 : c3>|");
    expect_tokens("1. ed4 gh4 e:g5 axc3 CD4 e4 ed44x edd",
                  "#<1.>m<ed4>m<gh4>m<e:g5>m<axc3>m<CD4>?<e4>?<ed44x>?<edd>|");
    expect_tokens("33X22 33*22 33\xc3\x97"
                  "22 32\xe2\x80\x93"
                  "28 32 \xe2\x80\x94 28 32\x96"
                  "28 "
                  "32\xe2\x88\x92"
                  "28 32\xc2\xa0-\xc2\xa0"
                  "28",
                  "m<33X22>m<33*22>m<33\xc3\x97"
                  "22>m<32\xe2\x80\x93"
                  "28>m<32 \xe2\x80\x94 28>"
                  "m<32\x96"
                  "28>m<32\xe2\x88\x92"
                  "28>m<32\xc2\xa0-\xc2\xa0"
                  "28>|");
    /* A bare capture before a number or another move is not one with a square after it. */
    expect_tokens("1. 32-28 x 2. x 3. 28x19 x 4. X x 5.x *",
                  "#<1.>m<32-28>m<x>#<2.>m<x>#<3.>m<28x19>m<x>#<4.>m<X>m<x>#<5.>m<x>r<*>|");
    expect_tokens("1. xx 1x 28x19x x32 32-28k *", "#<1.>?<xx>?<1x>?<28x19x>?<x32>?<32-28k>r<*>|");
    expect_tokens("-- - - \xe2\x80\x93 \xe2\x80\x93 - 1-6",
                  "0<-->0<- ->0<\xe2\x80\x93 \xe2\x80\x93>"
                  "?<->m<1-6>|");
}

/* Fails if a move number is split from its ellipsis, or marks from their move. */
Test(pdn, numbers_and_marks)
{
    expect_tokens("1. ... 7-12 2 . 3-8 3.\xe2\x80\xa6 3-8 4... ... 1-6",
                  "#<1. ...>m<7-12>#<2 .>m<3-8>#<3.\xe2\x80\xa6>m<3-8>#<4... ...>m<1-6>|");
    expect_tokens("1. 32-28 ... 2. 1-6", "#<1.>m<32-28>0<...>#<2.>m<1-6>|");
    expect_tokens("3-8(?) 32-28(!) 1-6 (!?) (1-7) 28x19* 19x28!! 1-6+ 2-7 ? $4$5",
                  "m<3-8>!<(?)>m<32-28>!<(!)>m<1-6>!<(!?)>(<(>m<1-7>)<)>m<28x19>!<*>m<19x28>!<!!>"
                  "m<1-6>!<+>m<2-7>!<?>$<$4>$<$5>|");
    expect_tokens("32-28 = 1-6 +- 2-7N 3-8 N! 4-9+- 5-10\xc2\xb1 6-11 -+ 1-0",
                  "m<32-28>!<=>m<1-6>!<+->m<2-7>!<N>m<3-8>!<N>!<!>m<4-9>!<+->m<5-10>!<\xc2\xb1>"
                  "m<6-11>!<-+>r<1-0>|");
    expect_tokens("N 1-6 NN 2-7 -- 3-8Nx = 1-6 (=) *",
                  "?<N>m<1-6>?<NN>m<2-7>0<-->?<3-8Nx>?<=>m<1-6>(<(>?<=>)<)>r<*>|");
    expect_tokens("% 10x10\n1. 32-28 50% 19-23\n%\n  % *",
                  ";<% 10x10>#<1.>m<32-28>?<50%>m<19-23>;<%>?<%>r<*>|");
}

/* Fails if a result is read as a move or split, so that the next game is merged into this one. */
Test(pdn, results)
{
    static const char *const results[] = {"1-0",
                                          "0-1",
                                          "1/2-1/2",
                                          "2-0",
                                          "0-2",
                                          "1-1",
                                          "0-0",
                                          "*",
                                          "1 - 0",
                                          "1/2 - 1/2",
                                          "1:0",
                                          "2:0",
                                          "1 1/2 - 1/2",
                                          "1+ - 1-",
                                          "1- - 1+",
                                          "0.98-1.02",
                                          "1.05 - 0.95",
                                          "0,98-1,02",
                                          "\xc2\xbd-\xc2\xbd",
                                          "1\xc2\xbd - \xc2\xbd",
                                          "\xbd-\xbd",
                                          "\xc2\xbd",
                                          "1/2",
                                          "20-0",
                                          "0 \xe2\x80\x93 2"};
    char text[100];
    char expected[120];
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        snprintf(text, sizeof text, "1. 1-6 %s\n1. 2-7 *", results[i]);
        snprintf(expected, sizeof expected, "#<1.>m<1-6>r<%s>|#<1.>m<2-7>r<*>|", results[i]);
        expect_tokens(text, expected);
    }
    /* Texts that look like one and are not; and one that is, because of its tag. */
    expect_tokens("1.32-28 2.37-32 1-6 1 . 1-10", "#<1.>m<32-28>#<2.>m<37-32>m<1-6>#<1 .>m<1-10>|");
    expect_tokens("[Result \"12-8\"] 1. 12-8 3-7 12-8\n[A \"\"]",
                  "t<[Result \"12-8\"]>#<1.>m<12-8>m<3-7>r<12-8>|t<[A \"\"]>|");
}

Test(pdn, a_set_up_is_one_token)
{
    expect_tokens("1. 1-6 /FEN \"W:W33,K46:B6/\" 3/4 /FEN\n\"W:W33:B6\"/ 2. 33-28",
                  "#<1.>m<1-6>/</FEN \"W:W33,K46:B6/>?<\">r<3/4>|/</FEN\n\"W:W33:B6\"/>#<2.>"
                  "m<33-28>|");
    expect_tokens("/FEN \"W:W28", "?</FEN>?<\"W:W28>|");
}

/* Fails if a byte order mark hides the first tag. */
Test(pdn, a_byte_order_mark_is_skipped)
{
    expect_tokens("\xef\xbb\xbf[A \"\"]*", "t<[A \"\"]>r<*>|");
}

/* Fails if a game without an end fills the memory, or if the next game is read into it. */
Test(pdn, overlong_games_are_copied_unchanged)
{
    enum { N = 2 * PDN_MAX_TOKENS };
    char *text = malloc(N + 100);
    struct pdn_reader reader;
    struct pdn_game game;
    struct annotation annotation = {.n = 0};
    einspul_error error = {0};
    char event[8];
    cr_assert_not_null(text);
    for (size_t i = 0; i < N; i += 2)
        memcpy(text + i, "x ", 2);
    snprintf(text + N, 100, "x\n1. 32-28 *\n[Event \"b\"]\n1. 31-27 *\n");
    read_game(text, &reader, &game);
    cr_assert(game.too_long);
    const struct rules rules = rules_named("frisian");
    cr_assert_neq(annotate_game(NULL, &rules, &game, &annotation, &error), EINSPUL_OK);
    cr_assert_not_null(strstr(error.text, "line 1, game 1: longer than"), "%s", error.text);
    cr_assert(game.text == text && game.n_bytes == (size_t)(strchr(text, '[') - text));
    cr_assert_eq(pdn_next(&reader, &game), PDN_GAME);
    cr_assert(pdn_tag(&game, "Event", event, sizeof event) && game.number == 2 && game.line == 3);
    cr_assert_eq(pdn_next(&reader, &game), PDN_END);
    cr_assert(game.text + game.n_bytes == text + strlen(text));
    pdn_free(&game);
    free(text);
}

/* Fails if reading time is not linear: a text of one repeated character must not keep a server
 * busy. */
Test(pdn, time_is_linear, .timeout = 300)
{
    static const char *const words[] = {"{",  "(",   "[",  "]",    "1-",    "/",         "1 ",
                                        "\"", "1.",  " ",  "\n",   "%",     "[a \"b\"]", "1-0 ",
                                        "- ", "x",   "(!", "$",    "/FEN ", "{}",        "{\n\n",
                                        "1/", "1+ ", "a1", "1 - ", "\\",    "[\"",       ";"};
    enum { LONG = 320 * 1024 };
    char *text = malloc(LONG + 1);
    cr_assert_not_null(text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct pdn_reader reader;
        struct pdn_game game = {.line = 0};
        const size_t length = strlen(words[i]);
        size_t n_read = 0;
        for (size_t j = 0; j < LONG; j++)
            text[j] = words[i][j % length];
        pdn_begin(&reader, text, strlen(text));
        while (pdn_next(&reader, &game) == PDN_GAME)
            n_read += game.n_bytes;
        cr_assert_eq(n_read + game.n_bytes, LONG, "%s", words[i]);
        pdn_free(&game);
    }
    free(text);
}
