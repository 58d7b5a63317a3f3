/* Games are read, replayed and judged, and compared with the library move by move. */
#include "probe/list_moves.h"
#include "probe/program_handle.h"
#include "study/annotate_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/program/game.h"
#include "core/program/random.h"
#include "tests/support/games.h"
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

enum { TEXT_SIZE = 65536 };

/* --- rule sets -------------------------------------------------------------------------------- */

static void expect_rules(const char *text, const char *usual, const char *expected)
{
    const struct rules named = rules_named(usual);
    struct pdn_reader reader;
    struct pdn_game game;
    einspul_error error = {0};
    bool said = false;
    read_game(text, &reader, &game);
    const enum rules_id rules = annotate_rules(&game, &named, &said, &error);
    cr_assert_str_eq(rules != 0 ? einspul_rules_list()[rules - 1] : error.text, expected);
    cr_assert_eq(said, strstr(text, "ype") != NULL && strstr(text, "99") == NULL);
    pdn_free(&game);
}

/* Fails if a game is judged under the rules of another game. */
Test(annotate, game_type_selects_rules)
{
    expect_rules("1. *", "frisian-no17", "frisian-no17");
    expect_rules("[GameType \"40\"] *", "international", "frisian");
    expect_rules("[GameType \"40\"] *", "frisian-free", "frisian-free");
    expect_rules("[GameType \"20,W,10,10,N2,0\"] *", "frisian", "international");
    expect_rules("[GameType \"21\"] *", "frisian", "english");
    expect_rules("[GameType \"26,W,8,8,A0,0\"] *", "frisian", "brazilian");
    expect_rules("[gametype \"26\"] *", "frisian", "brazilian");
    expect_rules("[GameType \"97\"] *", "international", "frisian");
    expect_rules("[GameType \"97\"] *", "frisian-no18", "frisian-no18");
    expect_rules("[GameType \"99\"] *", "frisian-no18", "frisian-no18");
    expect_rules("[GameType \"99,W,10,10,N2,0\"] *", "international", "international");
    expect_rules("\n[GameType \"98\"] *", "frisian",
                 "line 2, game 1: unknown GameType '98' (known: 40, 20, 21, 26)");
}

/* --- whole games ------------------------------------------------------------------------------ */

/* Removes inserted annotations. */
static void strip_notes(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        const char *end = strchr(at, '}');
        if (strncmp(at, " $2 { Tables:", 13) == 0 || strncmp(at, " $4 { Tables:", 13) == 0 ||
            strncmp(at, " { Tables:", 10) == 0)
            at = end + 1;
        else if (strncmp(at, "{ Tables:", 9) == 0)
            at = end + 2;
        else
            *to++ = *at++;
    }
    *to = '\0';
}

/* Annotates all games of a text; `messages` gets the errors, a line each. Frisian games are judged
 * by tables, others only replayed. The output must be the text plus notes. */
static void annotate_text(const char *text, char output[TEXT_SIZE], char messages[TEXT_SIZE])
{
    static char stripped[TEXT_SIZE];
    struct rules *rules = malloc(sizeof *rules);
    struct pdn_reader reader;
    struct pdn_game game = {.line = 0};
    struct annotation annotation = {.n = 0};
    enum pdn_result result = PDN_GAME;
    bool said = false;
    FILE *file = fmemopen(output, TEXT_SIZE, "w");
    cr_assert_not_null(file);
    cr_assert_not_null(rules);
    messages[0] = '\0';
    pdn_begin(&reader, text, strlen(text));
    while (result == PDN_GAME) {
        einspul_error error = {0};
        result = pdn_next(&reader, &game);
        const enum rules_id id = annotate_rules(&game, probe_rules(frisian), &said, &error);
        rules_by_id(rules, id, NULL);
        if (result == PDN_GAME && annotate_game(id == RULES_FRISIAN ? frisian : NULL, rules, &game,
                                                &annotation, &error) != EINSPUL_OK)
            snprintf(messages + strlen(messages), TEXT_SIZE - strlen(messages), "%s\n", error.text);
        annotation.n = result == PDN_GAME ? annotation.n : 0;
        annotate_write(file, &game, &annotation, NOTATION_AS_GIVEN);
    }
    fclose(file);
    strcpy(stripped, output);
    strip_notes(stripped);
    if (strstr(text, "Tables:") == NULL)
        cr_assert_str_eq(stripped, text, "what was written is lost or torn: %s", output);
    pdn_free(&game);
    annotate_free(&annotation);
    free(rules);
}

static const char mistake[] = "[Event \"Casual Frisian game\"]\n"
                              "[Site \"https://lidraughts.org/abcdefgh\"]\n"
                              "[Result \"1/2-1/2\"]\n"
                              "[GameType \"40\"]\n"
                              "[FEN \"W:WK3,27:BK48:H0:F1\"]\n\n"
                              "1. 3-8 { [%clock w0:05:00 b0:05:00] } 48-34 (1... 48-2) 1/2-1/2\n";

/* Fails if mistakes are not marked, or anything else in the game is changed. */
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
                     "{ Tables: White wins in 41 plies } 1. 3-8 $2 "
                     "{ Tables: a draw; better: 3-25, White wins in 41 plies } "
                     "{ [%clock w0:05:00 b0:05:00] } 48-34 (1... 48-2) 1/2-1/2\n",
                     "%s", once);
    annotate_text(once, twice, messages);
    cr_assert_str_eq(twice, once, "%s", twice); /* an annotated game can be annotated again */
}

/* Fails if too many captures are reported as out of memory, or without line, game and move. */
Test(annotate, too_many_captures_are_reported)
{
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("[FEN \"W:WK50:B2,4,7,8,9,10,11,13,16,19,21,22,24,25,27,30,31,32,34,36,38,41,42,"
                  "43,44\"]\n\n1. 50x3 *\n",
                  output, messages);
    cr_assert_not_null(strstr(messages, "line 3, game 1, move 1 of White, '50x3', under frisian: "
                                        "too many captures in this position"),
                       "%s", messages);
}

/* Fails if games of lidraughts.org are not recognised. */
Test(annotate, games_of_the_site_are_recognised)
{
    static const char *const sites[] = {"[Site \"https://lidraughts.org/abcdefgh\"]\n*\n",
                                        "[Site \"Franeker\"]\n*\n", "1. *\n"};
    for (int i = 0; i < 3; i++) {
        struct pdn_reader reader;
        struct pdn_game game;
        read_game(sites[i], &reader, &game);
        cr_assert_eq(annotate_is_from_site(&game), i == 0, "%s", sites[i]);
        pdn_free(&game);
    }
}

/* Fails if one bad game in a file is not reported, or stops the others. */
Test(annotate, continues_after_a_bad_game)
{
    static char text[TEXT_SIZE];
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    snprintf(text, sizeof text,
             "[A \"\"]\n1. 32-28 19-23 2. 28x19 14x23\n3. 50-1 *\n[B \"\"]\n1. 32-28 zz *\n"
             "[FEN \"W:W51:B3\"]\n*\n[FEN \"B:WK46:B6\"]\n1... 6-12 *\n%s",
             mistake);
    annotate_text(text, output, messages);
    cr_assert_str_eq(
        messages,
        "line 3, game 1, move 3 of White, '50-1', under frisian: no legal move; legal: "
        "31-26 31-27 33-28 33-29 34-29 34-30 35-30 37-32 38-32\n"
        "line 5, game 2, move 1 of Black, 'zz', under frisian: not a move\n"
        "line 6, game 3, under frisian: FEN: square 51 at column 4 is not on the board "
        "(1..50)\n"
        "line 9, game 4, move 1 of Black, '6-12', under frisian: no legal move; legal: "
        "6-11\n",
        "%s", messages);
    cr_assert_not_null(strstr(output, "3. 50-1 *"));
    cr_assert_not_null(strstr(output, "1. 3-8 $2"));
}

/* Fails if games of lidraughts are not read: Frysk! reaches the tables soonest, and a bare `x` is
 * the only capture. */
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

/* Fails if the reason for refusing a move is wrong, or legal moves are not listed. */
Test(annotate, a_wrong_move_is_reported_with_its_reason)
{
    static const struct {
        const char *game;
        const char *says;
    } rows[] = {
        {"[FEN \"W:W28:B3\"]\n1. x *",
         "line 2, game 1, move 1 of White, 'x', under frisian: no capture is possible; legal: "
         "28-22 28-23\n"},
        {"[White \"A\"][Black \"B\"][FEN \"W:W33,K43:B3,28\"]\n1. 43-38 *",
         "line 2, game 1 (A - B), move 1 of White, '43-38', under frisian: a capture is "
         "compulsory; "
         "legal: 33x22\n"},
        {"[FEN \"W:W33:B3,28\"]\n1. 33-29 *", "a capture is compulsory; legal: 33x22\n"},
        {"[GameType \"20\"][FEN \"W:W31,44:B17,27,40\"]\n1. 44x35 *",
         "another capture takes more and is compulsory"},
        {"[FEN \"W:WK6:B9,11,41\"]\n1. 6x46 *",
         "ambiguous: matches two captures: 6x28x46 and 6x10x46\n"},
        {"[FEN \"W:WK6:B9,11,41\"]\n1. x *",
         "ambiguous: matches several captures: 6x4 6x28x46 6x10x46\n"},
        {"[FEN \"W:W33:B28\"]\n1. x 1-6 *",
         "move 1 of Black, '1-6', under frisian: the game is over: no legal moves\n"},
        {"[FEN \"W:WK1,K2,K3,K4,K49,K50:B45\"]\n1. 1-2 *", "no legal move; legal: "},
        {"[FEN \"W:W28:B3\"]\n1. 27-22 *", "no piece stands on 27; legal: 28-22 28-23\n"},
        {"1. ... 18-23", "the piece on 18 is Black's, and White is to move; legal: 31-26"},
        {"1. 31-27 27-22", "the piece on 27 is White's, and Black is to move; legal: "},
        {"1. 31-51 *", "a square is not on this board (1 to 50); legal: "},
        /* The fourth move in a row of a king whose side has a man. */
        {"[FEN \"W:WK50,35:B6\"] 1. 50-45 6-11 2. 45-50 11-16 3. 50-45 16-21 4. 45-50",
         "move 4 of White, '45-50', under frisian: the king on 45 has already moved three times "
         "in a row; legal: 35-30\n"},
        {"[FEN \"W:WK50,35:B6:H0:F1:+0+350\"] 1. 50-45",
         "the king on 50 has already moved three times in a row; legal: 35-30\n"},
        {"1. 32-28 -- 2. 31-27",
         "move 1 of Black, '--', under frisian: null moves are not allowed"},
        {"1. 32-28 - - 2. 31-27", "'- -', under frisian: null moves are not allowed"},
        {"1. 32-28 ... 2. 31-27", "'...', under frisian: null moves are not allowed"},
        {"1. 32-28 {open\n19-23", "'{open?19-23', under frisian: unterminated comment\n"},
        {"1. 32-28 (31-27 19-23", "'(', under frisian: unterminated variation\n"},
        {"1. 32-28 ) 19-23", "')', under frisian: ')' without '('\n"},
        {"1. 32-28 /FEN \"W:W51:B3\"/ 1-6", "under frisian: FEN: square 51 at column 10 is not on"},
        {"[GameType \"26\"][FEN \"W:Wa3:Bb8\"] 1. a3-c5 *",
         "move 1 of White, 'a3-c5', under brazilian: no legal move; legal: a3-b4\n"},
        {"[GameType \"26\"] 1. bc5 *",
         "move 1 of White, 'bc5', under brazilian: no legal move; legal: "},
        {"[GameType \"26\"][FEN \"W:Wc3,Kc5:Bh8\"] 1. cd4 *",
         "move 1 of White, 'cd4', under brazilian: ambiguous: matches two moves: c3-d4 and "
         "c5-d4\n"},
        {"[GameType \"20,B\"] 1. 18-23 32-33 *", "move 1 of White, '32-33', under international"},
        {"[GameType \"26\"] 1. a3-b4 h6-i5 *",
         "'h6-i5', under brazilian: a square is not on this board (1 to 32); legal: "},
        {"[GameType \"20\"][FEN \"W:WK1:B12,13,19,20\"] 1. 1x25 *",
         "ambiguous: matches two captures: 1x18x9x25 and 1x23x14x25\n"},
    };
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        annotate_text(rows[i].game, output, messages);
        cr_assert_not_null(strstr(messages, rows[i].says), "%s: %s", rows[i].game, messages);
    }
}

/* --- moves that were meant -------------------------------------------------------------------- */

/* Checks the moves that a game is read as, in numbers with spaces between. */
static void expect_played(const char *text, const char *expected)
{
    char played[1000] = "";
    struct pdn_reader reader;
    struct pdn_game game;
    struct annotation annotation = {.n = 0};
    einspul_error error = {0};
    struct rules *rules = malloc(sizeof *rules);
    bool said = false;
    cr_assert_not_null(rules);
    read_game(text, &reader, &game);
    rules_by_id(rules, annotate_rules(&game, probe_rules(frisian), &said, NULL), NULL);
    cr_assert_eq(annotate_game(NULL, rules, &game, &annotation, &error), EINSPUL_OK, "%s: %s", text,
                 error.text);
    for (size_t i = 1; i < annotation.n; i++)
        snprintf(played + strlen(played), sizeof played - strlen(played), "%s%s", i == 1 ? "" : " ",
                 annotation.steps[i].moved ? annotation.steps[i].move.text : "/");
    cr_assert_str_eq(played, expected, "%s: %s", text, played);
    annotate_free(&annotation);
    pdn_free(&game);
    free(rules);
}

/* Fails if games as people write them are not replayed to their end. */
Test(annotate, lenient_moves_are_played)
{
#define TWO "[GameType \"20\"][FEN \"W:WK1:B12,13,19,20\"] "
    expect_played("1. ... \n", "");
    expect_played("1. 32- 28 19 -23 2. 28 x 19 14X23 3. 37\xe2\x80\x93"
                  "32 1014 4. 41-37 ...",
                  "32-28 19-23 28x19 14x23 37-32 10-14 41-37");
    expect_played("[FEN \"B:W33:B6\"] 1. ... 6-11 2. 33-28(?!) 11-17*", "6-11 33-28 11-17");
    /* The squares between may be landing squares, captured squares, or some of them. */
    expect_played(TWO "1. 1x9x25", "1x18x9x25");
    expect_played(TWO "1. 1x14x25", "1x23x14x25");
    expect_played(TWO "1. 1x13x25 *", "1x18x9x25");
    expect_played(TWO "1. 1x12x18x13x9x20x25 *", "1x18x9x25");
    expect_played(TWO "1. 1-18-25 *", "1x18x9x25");
    /* Or the next move decides. */
    expect_played(TWO "1. 1x25 19-24 *", "1x18x9x25 19-24");
    expect_played(TWO "1. 1x25 { a } (1. 1x2) 13-18 *", "1x23x14x25 13-18");
    /* Another path of the listed capture. */
    expect_played("[FEN \"W:W33,K43:B28\"]\n1. x *", "33x22");
    /* Letters. */
    expect_played("[GameType \"26,W,8,8,A0,0\"] 1. c3-d4 b6c5 2. D4xB6 A7:C5 *",
                  "22-18 9-14 18x9 5x14");
    expect_played("[GameType \"26\"][FEN \"W:Wa3,c3,Ke3:Bb8,h8\"] 1. c3-d4 b8-c7 2. e3-f2 *",
                  "22-18 1-6 23-27");
    expect_played("[GameType \"26\"] 1. cd4 b6-c5 2. d:b6 a:c5 *", "22-18 9-14 18x9 5x14");
    /* The side that begins, if the first move is legal for it. */
    expect_played("[GameType \"20,B\"] 1. 18-23 32-28 *", "18-23 32-28");
    expect_played("[GameType \"20,B\"][FEN \"\"] 1. 18-23 32-28 *", "18-23 32-28");
    expect_played("[GameType \"20,B\"] 1. 32-28 18-23 *", "32-28 18-23");
    expect_played("[GameType \"21,W,8,8,N1,0\"] 1. 11-15 23-19 *", "11-15 23-19");
    expect_played("[GameType \"21\"] 1. 11-15 23-19 2. 8-11 22-17 *", "11-15 23-19 8-11 22-17");
    expect_played("[GameType \"97\"]\n1. 46-41 1-7 *", "46-41 1-7");
    /* A set-up: the game continues from there, with the moves of its side. */
    expect_played("1. 32-28 /W:W33,K46:B6/ 1. 46-41 6-11 *", "32-28 / 46-41 6-11");
    expect_played("1. 32-28 /FEN \"W:W33,K46:B6\"/ 1. 46-41 6-11 *", "32-28 / 46-41 6-11");
}
#undef TWO

/* Fails if moves or values do not continue from a set-up. */
Test(annotate, a_set_up_is_judged_from_there)
{
    static char output[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("1. 32-28\n/FEN \"W:WK3,27:BK48\"/ 1. 3-8 48-34 *\n", output, messages);
    cr_assert_str_eq(messages, "");
    cr_assert_str_eq(output,
                     "1. 32-28\n/FEN \"W:WK3,27:BK48\"/ { Tables: White wins in 41 plies } 1. 3-8 "
                     "$2 { Tables: a draw; better: 3-25, White wins in 41 plies } 48-34 "
                     "*\n",
                     "%s", output);
}

/* Fails if a note is inserted inside a token (a number with its dots, marks in brackets), or
 * unreadable parts are not copied unchanged. */
Test(annotate, notes_are_inserted_between_tokens)
{
    static char output[TEXT_SIZE];
    static char twice[TEXT_SIZE];
    static char messages[TEXT_SIZE];
    annotate_text("[FEN \"B:WK48:BK3,27\"]  % no comment\r\n\r\n1. ... 3 - 8(?!) $7 ;rest\r\n"
                  "% 10x10 $2\r\n2.48-34\t{x}  0.98-1.02\r\n \r\n",
                  output, messages);
    cr_assert_str_eq(messages, "line 1, game 1, move 1 of Black, '%', under frisian: not a move\n");
    annotate_text("[FEN \"B:WK3:BK48,24\"]\r\n\r\n1. ... 48-43(?!) $7 ;rest\r\n% 10x10 $2\r\n"
                  "2.3-17\t{x}  0.98-1.02\r\n \r\n",
                  output, messages);
    cr_assert_str_eq(messages, "");
    cr_assert_not_null(strstr(output, "\r\n\r\n{ Tables: "), "%s", output);
    cr_assert_not_null(strstr(output, "} 1. ... 48-43(?!) $7 $2 { Tables: "), "%s", output);
    cr_assert_not_null(strstr(output, "} ;rest\r\n% 10x10 $2\r\n2.3-17\t{x}  0.98-1.02\r\n \r\n"),
                       "%s", output);
    annotate_text(output, twice, messages);
    cr_assert_str_eq(twice, output, "%s", twice);
}

/* Fails if an international game mistaken for a Frisian one does not name the rule set under which
 * it is legal. */
Test(annotate, names_the_game_in_which_it_is_legal)
{
    static const struct {
        const char *game;
        const char *legal;
    } rows[] = {
        {"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 *", NULL},
        {"1. 33-28 18-23 2. 39-33 12-18 3. 44-39 7-12 4. 31-27 20-24 5. 37-31 *", "international"},
        {"1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 *", "english"},
        {"1. c3-d4 b6-a5 2. b2-c3 *", "brazilian"},
        {"1. 99-98 *", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pdn_reader reader;
        struct pdn_game game;
        struct annotation annotation = {.n = 0};
        read_game(rows[i].game, &reader, &game);
        const bool legal =
            annotate_game(NULL, probe_rules(frisian), &game, &annotation, NULL) == EINSPUL_OK;
        char text_of[ASSUMED_SIZE];
        const char *other = annotate_assumed(&game, probe_rules(frisian), false, text_of);
        cr_assert(legal || rows[i].legal != NULL || i == 4, "%s", rows[i].game);
        if (rows[i].legal != NULL)
            cr_assert_str_eq(other == NULL ? "" : other, rows[i].legal, "%s", rows[i].game);
        annotate_free(&annotation);
        pdn_free(&game);
    }
}

/* A square as a number, sometimes with a leading zero, or in letters. */
static void write_square(const struct rules *rules, int square, bool letters, uint64_t *seed,
                         char *text, size_t size)
{
    char number[8];
    snprintf(number, sizeof number, "%d", square + 1);
    if (letters)
        notation_write(&rules->board, NOTATION_LETTERS, number, text, size);
    else
        snprintf(text, size, random_below(seed, 4) == 0 ? "%02d" : "%d", square + 1);
}

/* Appends a move in one of the usual spellings. */
static void write_mixed(const struct rules *rules, const struct move_list *list,
                        const struct move *move, bool letters, uint64_t *seed, char *text,
                        size_t size)
{
    static const char *const quiet[] = {"-", " - ", "- ", " -", "\xe2\x80\x93", "\x96", ":", "x"};
    static const char *const capture[] = {"x", "X", " x ", "x ", ":", "*", "\xc3\x97", "-"};
    static const char *const behind[] = {" ",      "! ",     "(?) ", "\n",
                                         " {so} ", "?! $3 ", "* ",   " ;x\n"};
    const char *separator = (move->captured != 0 ? capture : quiet)[random_below(seed, 8)];
    int n_ends = 0;
    for (int i = 0; i < list->n_moves; i++)
        n_ends += list->moves[i].from == move->from && list->moves[i].to == move->to;
    const bool whole = n_ends > 1 || (move->captured != 0 && random_below(seed, 3) == 0);
    if (random_below(seed, 8) == 0)
        separator = ""; /* which needs two digits */
    for (int i = 0; i < move->n_path; i++) {
        char square[8];
        if (i > 0 && i + 1 < move->n_path && !whole)
            continue;
        write_square(rules, move->path[i], letters, seed, square, sizeof square);
        if (*separator == '\0' && !letters)
            snprintf(square, sizeof square, "%02d", move->path[i] + 1);
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i == 0 ? "" : separator, square);
    }
    strcat(text, behind[random_below(seed, 8)]);
}

/* Plays at random and writes the game in mixed notation; `played` receives its moves. */
static void write_random_game(const struct rules *rules, struct state state, uint64_t *seed,
                              char *text, size_t size, char *played, size_t played_size)
{
    const bool letters = random_below(seed, 2) == 0;
    struct move_list list;
    char fen[FEN_SIZE];
    char move_text[MOVE_TEXT_SIZE];
    fen_write(rules, &state, fen);
    snprintf(text, size, "[FEN \"%s\"]\n", fen);
    played[0] = '\0';
    move_list_init(&list);
    for (int ply = 0; ply < 60; ply++) {
        cr_assert_eq(moves_generate(rules, &state, &list), EINSPUL_OK);
        if (list.n_moves == 0)
            break;
        const struct move *move = &list.moves[random_below(seed, list.n_moves)];
        if (state.at.side == rules->first_to_move || ply == 0)
            snprintf(text + strlen(text), size - strlen(text), "%d.%s", ply / 2 + 1,
                     state.at.side == rules->first_to_move ? random_below(seed, 2) == 0 ? " " : ""
                                                           : " ... ");
        write_mixed(rules, &list, move, letters, seed, text, size);
        move_write(&list, move, move_text);
        snprintf(played + strlen(played), played_size - strlen(played), " %s", move_text);
        state = state_after(rules, &state, move);
    }
    move_list_free(&list);
    strcat(text, "1 1/2 - 1/2\n");
}

/* Fails if the notation changes the moves that are read. */
Test(annotate, notation_does_not_matter, .timeout = 300)
{
    static const char *const names[] = {"frisian", "international", "brazilian", "english"};
    static const char *const kings[] = {
        "W:WK46,K2,31,32:BK5,19,20,8", "W:WK1,K46,32:B12,13,19,20,K8",
        "W:WK29,K1,22,21:BK4,10,11,7", "B:WK29,K1,22,21:BK4,10,11,7"};
    static char text[TEXT_SIZE];
    static char played[TEXT_SIZE];
    static char read[TEXT_SIZE];
    uint64_t seed = 41;
    for (int number = 0; number < 400; number++) {
        const struct rules rules = rules_named(names[number % 4]);
        const struct state first =
            number % 8 < 4 ? state_start(&rules) : state_named(&rules, kings[number % 4]);
        struct pdn_reader reader;
        struct pdn_game game;
        struct annotation annotation = {.n = 0};
        einspul_error error = {0};
        write_random_game(&rules, first, &seed, text, sizeof text, played, sizeof played);
        read_game(text, &reader, &game);
        cr_assert_eq(annotate_game(NULL, &rules, &game, &annotation, &error), EINSPUL_OK, "%s: %s",
                     error.text, text);
        read[0] = '\0';
        for (size_t i = 1; i < annotation.n; i++)
            snprintf(read + strlen(read), sizeof read - strlen(read), " %s",
                     annotation.steps[i].move.text);
        cr_assert_str_eq(read, played, "%s", text);
        annotate_free(&annotation);
        pdn_free(&game);
    }
}

/* --- random games ----------------------------------------------------------------------------- */

/* A random legal move; false if none exists. */
static bool random_move(const einspul_position *position, uint64_t *seed, struct probed_move *move)
{
    struct probed_move moves[64];
    size_t n_moves = 0;
    cr_assert_eq(all_moves("frisian", position, moves, 64, &n_moves, NULL), EINSPUL_OK);
    if (n_moves == 0)
        return false;
    *move = moves[random_below(seed, (int)n_moves)];
    return true;
}

static int outcome_of(const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    cr_assert_eq(einspul_probe(frisian, position, 0, &outcome, NULL, NULL), EINSPUL_OK);
    return (int)outcome;
}

/* Plays a game at random; `nags` receives the expected NAG of each move. */
static int random_game(const char *fen, uint64_t *seed, int nags[40], char *text, size_t size)
{
    einspul_position position;
    struct probed_move move;
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

/* Fails if king runs and the clock do not count in annotations. */
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
        struct pdn_game game;
        struct annotation annotation = {.n = 0};
        einspul_error error = {0};
        const int n = random_game(fens[game_number % 5], &seed, nags, text, sizeof text);
        read_game(text, &reader, &game);
        cr_assert_eq(annotate_game(frisian, probe_rules(frisian), &game, &annotation, &error),
                     EINSPUL_OK, "%s: %s", error.text, text);
        cr_assert_eq(annotation.n, (size_t)n + 1);
        for (int move = 0; move < n; move++) {
            cr_assert_eq(annotation.steps[move + 1].nag, nags[move], "move %d of %s", move, text);
            n_of_nag[nags[move]]++;
        }
        annotate_free(&annotation);
        pdn_free(&game);
    }
    cr_assert(n_of_nag[0] > 1000 && n_of_nag[2] > 100 && n_of_nag[4] > 10, "%d %d %d", n_of_nag[0],
              n_of_nag[2], n_of_nag[4]);
}
