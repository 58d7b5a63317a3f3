/* The program under rule sets with draw limits, and under rule sets that share tables. */
#include "tests/support/program.h"

TestSuite(rule_sets, .init = make_folder, .fini = drop_folder);

/* All tables of two and three pieces in $T/t. */
static void make(const char *rules)
{
    static struct result result;
    char arguments[COMMAND_SIZE];
    snprintf(arguments, sizeof arguments,
             "generate --pieces 3 --rules %s --tables $T/t --threads 2", rules);
    run(&result, arguments);
    cr_assert_eq(result.status, 0, "%s", result.output);
}

/* Fails if a game is valued with a clock of another meaning, or if a difference from the site's
 * rules is not noted. */
Test(rule_sets, limits_of_real_games)
{
    make("frisian");
    expect("probe --tables $T/t W:WK1,K2:BK14:H12", 0, "W:WK1,K2:BK14:H12\tdraw\t-\n");
    make("frisian-lidraughts");
    expect("probe --tables $T/t --json W:WK1,K2:BK14:H12 2> /dev/null", 0,
           "{\"fen\": \"W:WK1,K2:BK14:H12\", \"outcome\": \"draw\", \"plies\": null, "
           "\"note\": \"a win under frisian-lidraughts\"}\n");
    expect_text("probe --tables $T/t W:WK1,K2:BK14:H12 2>&1 > /dev/null", 0,
                "W:WK1,K2:BK14:H12: a win under frisian-lidraughts");
    expect("probe --tables $T/t W:WK1,K2:BK14:H0", 0, "W:WK1,K2:BK14:H0\twin\t3\n");
    expect("probe --tables $T/t --rules frisian-lidraughts W:WK1,K2:BK14:H12", 0,
           "W:WK1,K2:BK14:H12\twin\t3\n");
    make("international");
    make("international-fmjd");
    expect("probe --tables $T/t --rules international-fmjd W:WK1,K2:BK45:H0 W:WK1,K2:BK45:H2 "
           "W:WK1,K2:BK45:H4 B:WK7,27:BK11:H2 W:W43:B12,K50:H49 B:W25,36:BK48:H49 | cut -f 2,3",
           0, "win\t7\nwin\t7\ndraw\t-\nwin\t9\nloss\t4\nundecided\t-\n");
}

/* Fails if a move is marked as a mistake after a limit has drawn the game. */
Test(rule_sets, nothing_is_a_mistake_after_a_limit)
{
    make("international");
    make("international-fmjd");
    expect_script("printf '[FEN \"W:WK46,K50:BK28:H10\"]\n\n1. 50x22 *\n' | "
                  "$E annotate - --rules international-fmjd --tables $T/t | tail -n 1",
                  0, "{ Tables: a draw (international-fmjd) } 1. 50x22 *\n");
}

/* Fails if tables shared with another rule set are not read, counted and listed, or if they are
 * rewritten or skipped silently. */
Test(rule_sets, shared_tables_are_read_but_not_rewritten)
{
    make("international");
    make("international-fmjd");
    expect("list --rules international-fmjd --tables $T/t | cut -f 1 | tr '\n' ' '", 0,
           "material KvK KvM MvM KKvK KKvM KMvK KMvM MMvK MMvM ");
    expect("verify --samples 2000 --rules international-fmjd --tables $T/t | cut -f 1,2,4", 0,
           "material\tmetric\tfaults\nKvK\twdl\t0\nKvK\tdtw\t0\nKKvK\twdl\t0\n"
           "KKvK\tdtw\t0\nKMvK\twdl\t0\nKMvK\tdtw\t0\n");
    expect_text("verify KKvM --rules international-fmjd --tables $T/t", 2,
                "KKvM is shared with the rule set 'international'");
    expect_script("cp -r $T/t $T/before; $E compress --rules international-fmjd --tables $T/t "
                  "| cut -f 1 | tail -n +2 | uniq | tr '\n' ' '; "
                  "diff -r $T/before/international $T/t/international",
                  0, "KvK KKvK KMvK ");
    expect_text("compress KKvM --rules international-fmjd --tables $T/t", 2, "'international'");
    expect_text("stats KKvM --rules international-fmjd --tables $T/t", 0, "KKvM\twhite\tfresh\t");
    expect("find KvK KKvK KMvK KKvM --depends-on clock --count --rules international-fmjd "
           "--tables $T/t",
           0, "6401\n"); /* 36 + 2930 + 3435 */
    expect_text("find KKvM --depends-on clock --rules international-fmjd --tables $T/t", 0,
                "the tables cannot tell");
    expect_text("solve W:WK1:BK50 --rules international-fmjd --tables $T/t", 2, "international");
    expect_text("generate --only --material MvM --tables $T/new --rules international-fmjd", 2,
                "shared with the rule set 'international'");
    expect("plan --rules international-fmjd --pieces 3 | cut -f 1", 0,
           "material\nKvK\nKKvK\nKMvK\n");
}
