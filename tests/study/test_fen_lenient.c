/* The lenient FEN reader: accepted texts and their notes, refused texts, and that the strict reader
 * refuses all lenient ones. */
#include "study/fen_lenient.h"
#include "tests/support/moves_text.h"

struct row {
    const char *rules;
    const char *text;
    const char *means; /* as the strict reader accepts it */
    const char *note;
};

#define OF_SITE "lidraughts.org plays by 'frisian-lidraughts', but the rule set is 'frisian'"

static const struct row rows[] = {
    /* Clocks of lidraughts for material without one in the tables. */
    {"frisian", "W:W28,K46:BK43:H2:F50", "W:W28,K46:BK43",
     "H2 ignored: no clock for this material"},
    {"frisian", "W:W28,K46:BK43:H100:F1:+0+0", "W:W28,K46:BK43",
     "H100 ignored: no clock for this material"},
    {"frisian", "W:WK28:BK43:H3:F1:+0+0", "W:WK28:BK43",
     "H3 ignored: no clock for one king against one"},
    {"frisian-no18", "W:WK2,K46:BK20:H5", "W:WK2,K46:BK20",
     "H5 ignored: no clock for this material"},
    {"international", "W:WK2,K46:BK20:H12:F80", "W:WK2,K46:BK20",
     "H12 ignored: no clock for this material"},
    {"international", "W:WK28:BK43:H3:F9", "W:WK28:BK43", "H3 ignored: no clock for this material"},
    /* For material with a clock it is read. */
    {"frisian", "W:WK2,K46:BK20:H5:F80", "W:WK2,K46:BK20:H5:F1:+0+0", ""},
    {"frisian", "W:WK2,K46:BK20:H999", "W:WK2,K46:BK20:H255:F1:+0+0", ""},
    {"frisian", "W:W28,K46:BK43:H0:F31:+0+246", "W:W28,K46:BK43:H0:F1:+0+246", ""},
    {"frisian", "W:WK46:BK34:LW6", "W:WK46:BK34:H0:F1:+0+0:LW6", ""},
    {"frisian", "B:WK2,K5:B:H0:F1:+0+0:LW15", "B:WK2,K5:B:H0:F1:+0+0:LW15", ""}, /* too late */
    /* Limits of another rule set, or outdated ones. */
    {"international", "W:WK46:BK34:H0:F1:LW6", "W:WK46:BK34",
     "LW6 ignored: 'international' has no such limit"},
    {"frisian", "W:W28,K46:BK43:H0:F1:+0+246:LB13", "W:W28,K46:BK43:H0:F1:+0+246",
     "LB13 ignored: only applies to one king against one"},
    /* Runs of kings that were captured, of sides without a man, under rules without runs. */
    {"frisian", "W:W28,K46:BK43:H0:F1:+0+247", "W:W28,K46:BK43",
     "White's run +247 ignored: no king of White is there"},
    {"frisian", "W:W28,K46:BK43:+0+328", "W:W28,K46:BK43",
     "White's run +328 ignored: no king of White is there"},
    {"frisian", "W:W28,K46:BK43:+343+0", "W:W28,K46:BK43",
     "Black's run +343 ignored: Black has no man"},
    {"frisian", "W:W28:B9,K3:+103+146", "W:W28:B9,K3:H0:F1:+103+0",
     "White's run +146 ignored: no king of White is there"},
    {"frisian-free", "W:W28,K46:BK43:H0:F1:+0+246", "W:W28,K46:BK43",
     "White's run +246 ignored: 'frisian-free' has no king runs"},
    /* Runs without squares. */
    {"frisian", "W:W28,K46:B9,K3:+2+1", "W:W28,K46:B9,K3:H0:F1:+203+146",
     "Black's run +2 assigned to the king on 3; White's run +1 assigned to the king on 46"},
    {"frisian", "W:W28,K46,K47:BK43:H0:F1:+1+3", "W:W28,K46,K47:BK43",
     "Black's run +1 ignored: Black has no man; "
     "White's run +3 ignored: it does not say which of 2 kings"},
    {"frisian", "W:W28:BK43:+0+1.", "W:W28:BK43",
     "White's run +1 ignored: it does not say which of 0 kings"},
    /* The side to move has lost its last pieces. */
    {"frisian", "B:WK5:B:H0:F61", "B:WK5:B", ""},
    {"frisian", "B:WK5:B:H1:F61", "B:WK5:B", "H1 ignored: no clock for this material"},
    {"frisian", "[FEN \"B:WK5:B\"]", "B:WK5:B", ""},
    {"frisian", "https://lidraughts.org/analysis/frisian/W:W:BK5:H0:F61", "W:W:BK5", OF_SITE},
    {"frisian", "B:W28,K46:B:H0:F61:+203+246", "B:W28,K46:B:H0:F1:+0+246",
     "Black's run +203 ignored: Black has no man"},
    /* Ghosts. */
    {"frisian", "W:W28,G19,P20,K46:BK43,G5:H0:F1", "W:W28,K46:BK43",
     "ghosts ignored: 3, captured in an unfinished move"},
    {"international", "W:WK46:BK41:LW13", "W:WK46:BK41",
     "LW13 ignored: 'international' has no such limit"},
    {"frisian-no18", "B:WK46:BK41:H0:F1:+0+0:LB3.", "B:WK46:BK41",
     "LB3 ignored: 'frisian-no18' has no such limit"},
    /* A side to move that is missing, or given twice. */
    {"frisian", "?:W28,K46:BK43", "W:W28,K46:BK43", "no side to move given; assuming White"},
    {"frisian", "W:W:W28,K46:BK43", "W:W28,K46:BK43", "the side to move is given twice"},
    {"frisian", "B:B:WK46:B3", "B:WK46:B3", "the side to move is given twice"},
    /* Text around the FEN. */
    {"frisian", "\"W:W28,K46:BK43\"", "W:W28,K46:BK43", ""},
    {"frisian", "\"W:W28,K46:BK43\",\"a\",3", "W:W28,K46:BK43", ""},
    {"frisian", " 'W:W28,K46:BK43';x\ty", "W:W28,K46:BK43", ""},
    {"frisian-lidraughts", "https://lidraughts.org/analysis/frisian/W:W28,K46:BK43",
     "W:W28,K46:BK43", ""},
    {"frisian", "[FEN W:W28,K46:BK43]", "W:W28,K46:BK43", ""},
    {"frisian", "FEN: W:W28,K46:BK43", "W:W28,K46:BK43", ""},
    {"frisian", " fen \"W:W28,K46:BK43.\" ", "W:W28,K46:BK43", ""},
    {"frisian", "/FEN \"W:W28,K46:BK43\"/", "W:W28,K46:BK43", ""},
    {"frisian", "\xef\xbb\xbf\xe2\x80\x9eW:W28,\xc2\xa0K46:BK43\xe2\x80\x9c", "W:W28,K46:BK43", ""},
    {"frisian",
     "'W:WK31\xe2\x80\x93"
     "33:BK43'",
     "W:WK31-33:BK43", ""},
    {"frisian", "[SetUp \"1\"][FEN \"W:W28,K46:BK43\"]", "W:W28,K46:BK43", ""},
    {"frisian", "[GameType \"20\"]\n[FEN \"W:W28,K46:BK43\"]", "W:W28,K46:BK43",
     "the tag has GameType 20, but the rule set is 'frisian'"},
    /* Tags. */
    {"frisian", "[FEN \"W:W28,K46:BK43\"]", "W:W28,K46:BK43", ""},
    {"frisian", " [ Fen\t\" W:W28,K46:BK43:+0+246. \" ] ", "W:W28,K46:BK43:H0:F1:+0+246", ""},
    /* Links. */
    {"frisian", "https://lidraughts.org/analysis/frisian/W:W28,K46:BK43:H0:F1:+0+246",
     "W:W28,K46:BK43:H0:F1:+0+246", OF_SITE},
    {"frisian", "HTTP://lidraughts.org/analysis/frysk/W%3aW28%2CK46%3ABK43%3AH0%3AF1%3A%2B0%2B246",
     "W:W28,K46:BK43:H0:F1:+0+246", OF_SITE},
    {"frisian", " lidraughts.org/editor/frisian/W:W28,_K46:%20BK43/?color=black#7 ",
     "W:W28,K46:BK43", OF_SITE},
    {"frisian",
     "https://lidraughts.org/analysis/frisian?x=fen=1&fen=W:W28,K46:BK43:%2B0+246&y#fen=",
     "W:W28,K46:BK43:H0:F1:+0+246", OF_SITE},
    {"frisian", "https://example.org/W:W28,K46:BK43", "W:W28,K46:BK43", ""},
    {"international", "https://lidraughts.org/analysis/W:W28,K46:BK43", "W:W28,K46:BK43", ""},
    {"international", "https://lidraughts.org/analysis/standard/W:W28,K46:BK43:H7:F60",
     "W:W28,K46:BK43", "H7 ignored: no clock for this material"},
    {"frisian", "https://lidraughts.org/editor?variant=frisian&fen=W:W28,K46:BK43",
     "W:W28,K46:BK43", OF_SITE},
    {"frisian", "https://lidraughts.org/editor?fen=W:W28,K46:BK43&variant=breakthrough",
     "W:W28,K46:BK43", OF_SITE "; the link is for 'breakthrough', but the rule set is 'frisian'"},
    {"frisian", "https://lidraughts.org/analysis/puzzle/frisian/W:W28,K46:BK43", "W:W28,K46:BK43",
     OF_SITE},
    {"frisian", "https://lidraughts.org/analysis/puzzle/russian/W:W28,K46:BK43", "W:W28,K46:BK43",
     OF_SITE "; the link is for 'russian', but the rule set is 'frisian'"},
    {"frisian", "https://lidraughts.org/editor/W:W%32%38,K4%36:BK%343", "W:W28,K46:BK43",
     OF_SITE "; the link is for 'standard', but the rule set is 'frisian'"},
    {"international", "https://lidraughts.org/analysis/puzzle/W:W28,K46:BK43", "W:W28,K46:BK43",
     ""},
    {"international", "https://lidraughts.org/editor?variant=fromPosition&fen=W:W28,K46:BK43",
     "W:W28,K46:BK43", ""},
    {"frisian", "https://lidraughts.org/analysis/W:W28,K46:BK43", "W:W28,K46:BK43",
     OF_SITE "; the link is for 'standard', but the rule set is 'frisian'"},
    {"international", "https://lidraughts.org/analysis/antidraughts/W:W28,K46:BK43",
     "W:W28,K46:BK43", "the link is for 'antidraughts', but the rule set is 'international'"},
};

/* Fails if an ignored part is not noted, or any other part is ignored. */
Test(fen_lenient, is_read_with_a_note)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rules rules = rules_named(rows[i].rules);
        const struct state expected = state_named(&rules, rows[i].means);
        struct state state;
        einspul_error error = {0};
        char note[FEN_NOTE_SIZE];
        cr_assert_eq(fen_read_lenient(&rules, rows[i].text, &state, note, NULL, NULL, &error),
                     EINSPUL_OK, "%s: %s", rows[i].text, error.text);
        cr_assert(state_equal(&state, &expected), "%s is not %s", rows[i].text, rows[i].means);
        cr_assert_str_eq(note, rows[i].note, "%s: '%s'", rows[i].text, note);
    }
}

/* Fails if FENs written by the program are changed. */
Test(fen_lenient, strict_fen_is_unchanged)
{
    static const char *const texts[] = {"B:WK2,K5:B:H0:F1:+0+0:LW15", "W:WK46:BK34:H0:F1:+0+0:LB6",
                                        "W:W:BK5", "W:W28,K46:B9,K3:H0:F1:+203+146",
                                        "W:WK2,K46:BK20:H13:F1:+0+0"};
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct state expected = state_named(&rules, texts[i]);
        struct state state;
        char note[FEN_NOTE_SIZE];
        cr_assert_eq(fen_read_lenient(&rules, texts[i], &state, note, NULL, NULL, NULL),
                     EINSPUL_OK);
        cr_assert(state_equal(&state, &expected), "%s", texts[i]);
        cr_assert_str_eq(note, "", "%s: %s", texts[i], note);
    }
}

/* Fails if a king run is lost in the query string of a link, where a plus means a space. */
Test(fen_lenient, spaces_become_pluses)
{
    const struct rules rules = rules_named("frisian");
    const struct state expected = state_named(&rules, "W:W28,K46:BK43:H0:F1:+0+246");
    struct state state;
    char note[FEN_NOTE_SIZE];
    cr_assert_eq(
        fen_read_lenient(&rules, "W:W28,K46:BK43:H0:F1: 0 246", &state, note, NULL, NULL, NULL),
        EINSPUL_OK);
    cr_assert(state_equal(&state, &expected));
    cr_assert_str_eq(note, "");
    cr_assert_eq(fen_read_lenient(&rules, "W: 17:BK5", &state, note, NULL, NULL, NULL),
                 EINSPUL_BAD_FEN);
}

/* Fails if the strict reader accepts a lenient text. */
Test(fen_lenient, the_strict_reader_refuses_it)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rules rules = rules_named(rows[i].rules);
        struct state state;
        const bool plain = rows[i].text[0] == 'W' || rows[i].text[0] == 'B';
        const einspul_status status = fen_read(&rules, rows[i].text, &state, NULL, NULL);
        if (plain && rows[i].note[0] == '\0')
            cr_assert_eq(status, EINSPUL_OK, "%s", rows[i].text);
        else
            cr_assert_neq(status, EINSPUL_OK, "%s", rows[i].text);
    }
}

/* Fails if a mistake that could mean another position is accepted, or its column is not that of the
 * input. */
Test(fen_lenient, mistakes)
{
    static const struct {
        const char *text;
        einspul_status status;
        const char *says;
    } mistakes[] = {
        {"W:W28,K46:BK43:H101", EINSPUL_BAD_POSITION, "a clock is given"},
        {"W:W28,K46:BK43:+0+446", EINSPUL_BAD_POSITION, "is 4 (at most 3)"},
        {"W:W28,K46:BK43:+0+4", EINSPUL_BAD_FEN, "two digits"},
        {"W:W28,K46:BK43:+0+24", EINSPUL_BAD_FEN, "two digits"},
        {"W:W28,K46:BK43:+0+251", EINSPUL_BAD_FEN, "square 51"},
        {"W:W28,K46:BK43:+2", EINSPUL_BAD_FEN, "two digits"},
        {"W:W28,28:BK43", EINSPUL_BAD_FEN, "square 28"},
        {"W:W28,G28:BK43", EINSPUL_BAD_FEN, "square 28 has both a piece and a ghost"},
        {"W:W28,G29:BK29", EINSPUL_BAD_FEN, "square 29"},
        {"W:WG29:BK9", EINSPUL_BAD_POSITION, "White has no pieces"},
        {"B:WG29:BK9", EINSPUL_BAD_FEN, "White has no pieces"},
        {"B:W:BK9", EINSPUL_BAD_FEN, "White has no pieces"},
        {"W:W:BG9", EINSPUL_BAD_FEN, "Black has no pieces"},
        {"W:WG51:BK9", EINSPUL_BAD_FEN, "square 51"},
        {"W:W5:B20", EINSPUL_BAD_FEN, "white man cannot stand on 5"},
        {"W:W28:B3:G4", EINSPUL_BAD_FEN, "found 'G'"},
        {"[FEN]", EINSPUL_BAD_FEN, "expected a tag such as [FEN \"W:W28:B3\"], at column 1"},
        {"[Event \"W:W28:B3\"]", EINSPUL_BAD_FEN, "a tag named FEN, at column 1"},
        {"\"W:W28:B3\" x", EINSPUL_BAD_FEN, "column 1, found"},
        {"[FEN \"W:W28:B3]", EINSPUL_BAD_FEN,
         "expected a tag such as [FEN \"W:W28:B3\"], at column 1"},
        {"[FEN \"W:W28:B3\"", EINSPUL_BAD_FEN,
         "expected a tag such as [FEN \"W:W28:B3\"], at column 1"},
        {"[FEN \"W:W28:B3\"] x", EINSPUL_BAD_FEN,
         "expected a tag such as [FEN \"W:W28:B3\"], at column 18"},
        {"[FEN \"W:W28:B99\"]", EINSPUL_BAD_FEN, "square 99 at column 14"},
        {"[FEN \"W:W28:W99\"]", EINSPUL_BAD_FEN, "White is listed twice, at column 13"},
        {"[FEN \"\"]", EINSPUL_BAD_FEN, "the FEN is empty"},
        {"https://lidraughts.org/", EINSPUL_BAD_FEN, "games are not downloaded"},
        {"https://lidraughts.org", EINSPUL_BAD_FEN, "games are not downloaded"},
        {"https://lidraughts.org/abcdefgh/black#40", EINSPUL_BAD_FEN, "games are not downloaded"},
        {"https://lidraughts.org/analysis/frisian/W:W28%2", EINSPUL_BAD_FEN, "at column 46"},
        {"https://lidraughts.org/analysis/frisian/W:W28%zz:B3", EINSPUL_BAD_FEN, "at column 46"},
        {"https://lidraughts.org/analysis/frisian/W:W28%00:B3", EINSPUL_BAD_FEN, "at column 46"},
        {"https://lidraughts.org/analysis/frisian/W:W28%3AB99", EINSPUL_BAD_FEN,
         "square 99 at column 50"},
        {"https://lidraughts.org/analysis/frisian/W:W28:B3 x", EINSPUL_BAD_FEN,
         "unexpected text after the link, at column 50"},
        {"xhttps://lidraughts.org/analysis/frisian/W:W28:B3", EINSPUL_BAD_FEN,
         "column 1, found 'x'"},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct state state;
        einspul_error error = {0};
        char note[FEN_NOTE_SIZE];
        const einspul_status status =
            fen_read_lenient(&rules, mistakes[i].text, &state, note, NULL, NULL, &error);
        cr_assert_eq(status, mistakes[i].status, "'%s': %s (%s)", mistakes[i].text,
                     einspul_status_name(status), error.text);
        cr_assert_not_null(strstr(error.text, mistakes[i].says), "'%s': '%s' does not say '%s'",
                           mistakes[i].text, error.text, mistakes[i].says);
    }
}

/* Either may be NULL. */
static void expect_text(const char *text, const char *expected, const char *fen)
{
    cr_assert_str_eq(text != NULL ? text : "-", expected != NULL ? expected : "-", "'%s'", fen);
}

/* Fails if an error has the wrong code for translation. */
Test(fen_lenient, mistakes_have_a_code_for_other_languages)
{
    static const struct {
        const char *text;
        struct fen_fault fault;
    } mistakes[] = {
        {"W:W51:B3", {"NO_SUCH_SQUARE", NULL, 2, {51, 4}}},
        {"W:W0:B3", {"NO_SUCH_SQUARE", NULL, 2, {0, 4}}},
        {"[FEN \"W:W28:B99\"]", {"NO_SUCH_SQUARE", NULL, 2, {99, 14}}},
        {"W:W28,28:BK3", {"SQUARE_TWICE", NULL, 2, {28, 7}}},
        {"W:W40-30:BK3", {"RANGE_BACKWARDS", NULL, 2, {40, 30}}},
        {"W:W5:B20", {"MAN_PROMOTED", "white", 2, {5, 4}}},
        {"W:W28:W3", {"SIDE_TWICE", "White", 1, {7}}},
        {"B:W:BK9", {"NO_PIECES", "White", 0, {0}}},
        {"W:W28,K46:BK43:+0+299", {"NO_RUN_SQUARE", NULL, 2, {99, 50}}},
        {"W:W28:BK43=", {"UNEXPECTED", NULL, 1, {11}}},
        {"W:W28", {"TEXT_ENDS", NULL, 0, {0}}},
        {"W:W28,K46:BK43:+0+446", {NULL, NULL, 0, {0}}},
        {"[Event \"x\"]", {NULL, NULL, 0, {0}}},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct state state;
        char note[FEN_NOTE_SIZE];
        struct fen_said said = {.fault = {.code = "none"}};
        const struct fen_fault *fault = &said.fault;
        const struct fen_fault *expected = &mistakes[i].fault;
        cr_assert_neq(fen_read_lenient(&rules, mistakes[i].text, &state, note, NULL, &said, NULL),
                      EINSPUL_OK);
        cr_assert_str_eq(note, "", "'%s': '%s'", mistakes[i].text, note);
        expect_text(fault->code, expected->code, mistakes[i].text);
        expect_text(fault->side, expected->side, mistakes[i].text);
        cr_assert_eq(fault->n_numbers, expected->n_numbers, "'%s'", mistakes[i].text);
        for (int n = 0; n < fault->n_numbers; n++)
            cr_assert_eq(fault->number[n], expected->number[n], "'%s': %d", mistakes[i].text,
                         fault->number[n]);
    }
}

/* Fails if a remark has no code, or the wrong one, by which the page says it in another language. */
Test(fen_lenient, notes_have_codes)
{
    static const struct {
        const char *text;
        struct fen_fault notes[3];
    } given[] = {
        {"?:W28,K46:BK43", {{.code = "SIDE_ASSUMED"}}},
        {"W:W:W28,K46:BK43", {{.code = "SIDE_REPEATED"}}},
        {"W:WK46:BK5:H9", {{"CLOCK_IGNORED", NULL, 1, {9}}}},
        {"W:WK46:BK5:H9:F1:+0+246",
         {{"CLOCK_IGNORED", NULL, 1, {9}}, {"RUN_IGNORED", "White", 0, {0}}}},
        {"W:W28,K46:BK43:H0:F1:+0+2", {{"RUN_ASSIGNED", "White", 1, {46}}}},
        {"W:W28,K46:BK43:LW7", {{.code = "LIMIT_IGNORED"}}},
        {"W:W28,K46,G3:BK43", {{"GHOSTS_IGNORED", NULL, 1, {1}}}},
        {"https://lidraughts.org/analysis/standard/W:W28,K46:BK43",
         {{.code = "SITE_RULES"}, {.code = "OTHER_RULES"}}},
        {"[GameType \"20\"] [FEN \"W:W28,K46:BK43\"]", {{.code = "OTHER_RULES"}}},
        {"W:W28,K46:BK43", {{.code = NULL}}},
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        struct state state;
        char note[FEN_NOTE_SIZE];
        struct fen_said said;
        einspul_error error;
        int n = 0;
        cr_assert_eq(fen_read_lenient(&rules, given[i].text, &state, note, NULL, &said, &error),
                     EINSPUL_OK, "%s: %s", given[i].text, error.text);
        for (; given[i].notes[n].code != NULL && n < said.n_notes; n++) {
            expect_text(said.notes[n].code, given[i].notes[n].code, given[i].text);
            expect_text(said.notes[n].side, given[i].notes[n].side, given[i].text);
            cr_assert_eq(said.notes[n].number[0], given[i].notes[n].number[0], "%s", given[i].text);
        }
        cr_assert(n == said.n_notes && given[i].notes[n].code == NULL, "%s: %d notes",
                  given[i].text, said.n_notes);
    }
}

/* Fails if a long text is truncated. */
Test(fen_lenient, long_text_is_not_truncated)
{
    enum { LONG = 20000 };
    static char text[LONG + 100];
    const struct rules rules = rules_named("frisian");
    char note[FEN_NOTE_SIZE];
    struct state state;
    einspul_error error;
    snprintf(text, sizeof text, "[FEN \"W:W28,K46%*s:BK43\"]", LONG, "");
    cr_assert_eq(fen_read_lenient(&rules, text, &state, note, NULL, NULL, &error), EINSPUL_OK);
    cr_assert_eq(bits_count(state.at.kings[BLACK]), 1);
    text[LONG + 16] = 'x';
    cr_assert_eq(fen_read_lenient(&rules, text, &state, note, NULL, NULL, &error), EINSPUL_BAD_FEN);
}

/* Fails if squares in letters are read as others. */
Test(fen_lenient, squares_in_letters_are_those_of_the_board)
{
    const struct rules rules = rules_named("brazilian");
    static const char *const texts[] = {
        "W:Wa3,c3,Ke3:Bb8,h8", "W:WA3,C3,KE3:BB8,H8.", "w : w a3 , c3,k e3 : b b8,h8",
        "https://lidraughts.org/analysis/brazilian/W:Wa3%2Cc3,Ke3:Bb8,_h8",
        "[GameType \"26,W,8,8,A0,0\"][FEN \"W:Bb8,h8:WKe3,c3,a3\"]"};
    const struct state expected = state_named(&rules, "W:W21,22,K23:B1,4");
    struct state state;
    struct state again;
    char note[FEN_NOTE_SIZE];
    char written[FEN_SIZE];
    char letters[2 * FEN_SIZE];
    einspul_error error = {0};
    enum notation notation = NOTATION_AS_GIVEN;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert_eq(fen_read_lenient(&rules, texts[i], &state, note, &notation, NULL, &error),
                     EINSPUL_OK, "%s: %s", texts[i], error.text);
        cr_assert(state_equal(&state, &expected), "%s", texts[i]);
        cr_assert_eq(notation, NOTATION_LETTERS);
        cr_assert_str_eq(note, "");
    }
    /* Each square, both ways; the corners as in the rules of the game. */
    for (int square = 0; square < 32; square++) {
        memset(&state, 0, sizeof state);
        state.at.kings[WHITE] = square_bit(square);
        state.at.kings[BLACK] = square_bit((square + 1) % 32);
        fen_write(&rules, &state, written);
        notation_write(&rules.board, NOTATION_LETTERS, written, letters, sizeof letters);
        cr_assert_eq(fen_read_lenient(&rules, letters, &again, note, NULL, NULL, &error),
                     EINSPUL_OK, "%s: %s", letters, error.text);
        cr_assert(state_equal(&state, &again), "%s", letters);
    }
    notation_write(&rules.board, NOTATION_LETTERS, "29-25", letters, sizeof letters);
    cr_assert_str_eq(letters, "a1-b2");
    notation_write(&rules.board, NOTATION_LETTERS, "4x15", letters, sizeof letters);
    cr_assert_str_eq(letters, "h8xe5");
    /* A ghost on g3 and one on square 3 cannot be told apart once there are letters. */
    cr_assert_eq(fen_read_lenient(&rules, "W:WG3,a3:Bb8", &state, note, NULL, NULL, &error),
                 EINSPUL_BAD_FEN);
}
