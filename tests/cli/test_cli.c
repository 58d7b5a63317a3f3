/* The program as its users see it: what it prints, what it refuses, and with which exit status. */
#include "tests/support/files.h"
#include "tests/support/program.h"
#include "tests/support/table_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints the commands that `help` lists. */
#define COMMANDS "$E --help | sed -n '/^Common options:/q;s/^  \\([a-z]*\\)  .*/\\1/p'"

/* Fails if a command is not listed, or lacks a usage line or an example in its help, or if a terminal
 * of 80 columns wraps a line. */
Test(cli, every_command_has_help, .init = make_folder, .fini = drop_folder)
{
    expect_script("ls " EINSPUL_SOURCE_DIR "/cli | sed -n 's/^cmd_\\(.*\\)[.]c$/\\1/p' |"
                  " grep -v -e serve -e site | sort > $T/all; " COMMANDS
                  " | grep -v -e serve -e site | sort | comm -3 - $T/all",
                  0, "");
    expect_script(
        "for c in $(" COMMANDS "); do $E $c --help > $T/help || echo failed;"
        " grep -q \"^Usage: einspul $c [^ ]\" $T/help && grep -q '^  -h, --help ' $T/help &&"
        " grep -q '^  einspul ' $T/help || echo $c; done",
        0, "");
    expect_script("for c in '' $(" COMMANDS "); do $E $c --help; done |"
                  " LC_ALL=C.UTF-8 grep -c '.\\{81\\}'",
                  1, "0\n");
    expect_script("$E help find > $T/a; $E find -h | cmp - $T/a; $E find --help | cmp - $T/a;"
                  " $E -h > $T/b; $E help | cmp - $T/b; $E -V > $T/c; $E --version | cmp - $T/c",
                  0, "");
    expect_text("--version", 0, "einspul 0.");
}

Test(cli, perft_prints_a_line_a_depth)
{
    expect("perft --depth 4", 0, "1\t9\n2\t81\n3\t658\n4\t3874\n");
    expect("perft --fen W:WK46,28:BK43 --depth 3", 0, "1\t5\n2\t37\n3\t224\n");
    expect("perft --rules international --depth 4 | tail -n 1", 0, "4\t4265\n");
    expect("perft --depth 2 --json", 0,
           "{\"depth\": 1, \"moves\": 9}\n{\"depth\": 2, \"moves\": 81}\n");
}

/* Fails if a message does not name the error, or goes to standard output. */
Test(cli, wrong_calls_are_refused_by_name)
{
    static const struct {
        const char *arguments;
        const char *text;
    } calls[] = {
        {"", "no command given"},
        {"prove", "unknown command 'prove'"},
        {"perft", "missing required option --depth N"},
        {"perft --depth", "--depth requires a value"},
        {"perft --depth 3x", "--depth 3x"},
        {"perft --depth -1", "--depth -1"},
        {"perft --depth 99999999999999999999999", "--depth 99999999999999999999999"},
        {"perft --depth 2 more", "unexpected argument 'more'"},
        {"perft --deep 2", "--deep"},
        {"perft --depth 2 --rules chess", "unknown rule set 'chess'"},
        {"find KvK --threads 0", "--threads 0"},
        {"perft --depth 2 --threads 2", "unknown option '--threads'"},
        {"perft --depth 2 --tables .", "unknown option '--tables'"},
        {"perft --depth 2 --fen W:W51:B1", "square 51"},
        {"perft --depth 2 --fen W:W28,28:B1", "square 28"},
        {"perft --depth 2 --fen W:W1:B20", "white man cannot stand on 1"},
        {"perft --depth 2 --fen W:W28:B", "Black has no pieces"},
        {"perft --strict --depth 2 --fen W:W28,K46:BK43:H0:F1:+0+247", "47"},
        {"perft --depth 2 --fen nonsense", "--fen nonsense"},
        {"generate", "--pieces N or --material NAME"},
        {"generate --pieces 1", "--pieces 1"},
        {"plan --pieces 3 --tables a --tables b", "--tables b: this command uses only one folder"},
        {"compress --tables a --tables b", "--tables b: this command uses only one folder"},
        {"generate --pieces 3 --material KvK", "cannot be used together"},
        {"generate --pieces 3 --metric dtm", "--metric dtm"},
        {"generate --pieces 3 --memory much", "--memory much"},
        {"generate --pieces 2 --memory 0 --tables $T", "--memory 0"},
        {"generate --pieces 2 --memory 0.0000000001 --tables $T", "--memory 0.0000000001"},
        {"generate --pieces 2 --memory inf --tables $T", "--memory inf"},
        {"generate --pieces 2 --memory 1e3 --tables $T", "--memory 1e3"},
        {"generate --pieces 2 --memory 1.2.3 --tables $T", "--memory 1.2.3"},
        {"generate --pieces 2 --memory +4 --tables $T", "--memory +4"},
        {"generate --pieces 2 --memory '' --tables $T", "--memory"},
        {"generate --pieces 2 --tables ''", "--tables"},
        {"list --tables ''", "--tables: expected a folder"},
        {"perft --depth ''", "--depth : expected a whole number"},
        {"perft --depth +3", "--depth +3"},
        {"perft --depth ' 3'", "--depth  3"},
        {"perft --depth 3e1", "--depth 3e1"},
        {"perft --depth 0x3", "--depth 0x3"},
        {"perft --depth nan", "--depth nan"},
        {"perft --depth 18446744073709551617", "--depth 18446744073709551617"},
        {"verify --seed 18446744073709551616", "--seed 18446744073709551616"},
        {"verify --samples -1", "--samples -1"},
        {"perft --json=yes --depth 2", "--json does not take a value"},
        {"perft --depth 2 -j", "unknown option '-j'"},
        {"--version 2", "unexpected argument '2'"},
        {"--help perft stats", "unexpected argument 'stats'"},
        {"help prove", "unknown command 'prove'"},
        {"generate --pieces 3 --level 99", "--level 99"},
        {"generate --material KKMK", "material 'KKMK'"},
        {"generate --material KKvQ", "'Q'"},
        {"generate --material vK", "one side has no pieces"},
        {"generate --material KKKKKKKKvK", "at most 8 pieces"},
        {"verify --level deep", "--level deep"},
        {"verify --whole", "--whole"},
        {"generate --pieces 2 --whole", "--whole"},
        {"annotate", "missing FILE.pdn"},
        {"annotate /nowhere/at/all.pdn", "/nowhere/at/all.pdn: No such file"},
        {"map W:WK46:BK41", "missing required option --piece SQUARE"},
        {"map W:WK46:BK41 --piece", "--piece requires a value"},
        {"find", "missing MATERIAL"},
        {"find KvM --tables /nowhere/at/all", "/nowhere/at/all"},
        {"find KvM --distance 5-3", "--distance 5-3"},
        {"find KvM --distance -", "--distance -"},
        {"find KvM --distance 3x", "--distance 3x"},
        {"find KvM --moves 99999999999999999999", "--moves 99999999999999999999"},
        {"find KvM --instead-of win", "--instead-of requires --differs-from"},
        {"find KvM --differs-from frisian", "already the rule set of the search"},
        {"find KvM --on 28", "--on 28"},
        {"find KvM --on W28,B28", "--on W28,B28"},
        {"find KvM --on W3", "--on W3"},
        {"find KvM --on W51", "--on W51"},
        {"find KvM --on W28,", "--on W28,"},
        {"find KvM --zugzwang no", "expected full, half or any"},
        {"probe --tables /nowhere/at/all W:WK1:BK5", "/nowhere/at/all"},
        {"list --tables /nowhere/at/all", "/nowhere/at/all"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char quiet[COMMAND_SIZE];
        expect_text(calls[i].arguments, 2, calls[i].text);
        snprintf(quiet, sizeof quiet, "%s 2>/dev/null", calls[i].arguments);
        expect(quiet, 2, "");
    }
}

/* Fails if a proof with a changed word is accepted. */
Test(cli, solve_writes_proofs_that_verify_checks, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 3 --metric wdl --tables $T/t", 0, "done");
    expect_text("solve W:WK35,K21:BK9,16 nonsense --proof $T/p --tables $T/t", 2, "\twin\t");
    expect_text("verify --proof $T/p --tables $T/t", 0, "W:WK21,K35:BK9,16\twin\t");
    shell("sed 's/\t2$/\t99/' '%s/p' > '%s/rank'; sed '/^proof\t/{n;d}' '%s/p' > '%s/short'; "
          "sed 's/frisian/english/' '%s/p' > '%s/rules'",
          folder, folder, folder, folder, folder, folder);
    expect_text("verify --proof $T/rank --tables $T/t", 3, "rank does not decrease");
    expect_text("verify --proof $T/short --tables $T/t", 3, "number of positions does not match");
    expect_text("verify --proof $T/rules --tables $T/t", 2, "rule set 'english'");
    /* A table with that name would be overwritten. */
    expect("solve W:WK35,K21:BK9,16 --proof $T/t/frisian/KvK.wdl --tables $T/t > $T/said 2>&1; "
           "echo $?; "
           "grep -c 'not overwritten' $T/said; $E verify KvK --level checksums --tables $T/t | "
           "tail -n +2 | wc -l; "
           "$E solve W:WK35,K21:BK9,16 --proof $T/p --tables $T/t | cut -f 2",
           0, "2\n1\n1\nwin\n");
    expect_text("solve --seconds 1 --tables $T/t - < /dev/null", 0, "");
    expect_text("moves W:WK35,K21:BK9,16 --solve 60 --tables $T/t", 0, "\twin\t-\n");
    expect_script("printf '[GameType \"40\"][FEN \"B:WK42,K21:BK6,19\"]\n1. ... 19-24 *' |"
                  " $E annotate - --solve 60 --tables $T/t",
                  0,
                  "[GameType \"40\"][FEN \"B:WK42,K21:BK6,19\"]\n"
                  "{ Tables: White wins } 1. ... 19-24 *");
}

/* Fails if tables with other values than those published, or with none published, pass a user's last
 * check before sharing them. */
Test(cli, value_hashes_are_compared_with_published_ones, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 2 --tables $T/t", 0, "done");
    shell("cd '%s'; grep '^frisian.KvK' '%s/data/hashes.tsv' > some; "
          "sed 's/\\(KvK.dtw.\\).*/\\1e1354dc4ac80e76c/' some > other",
          folder, EINSPUL_SOURCE_DIR);
    expect_text("verify --level checksums --hashes " EINSPUL_SOURCE_DIR
                "/data/hashes.tsv --tables $T/t",
                0, "MvM\tdtw\t0\t0");
    expect_text("verify KvM --level header --hashes $T/some --tables $T/t", 3,
                "no published value hash");
    expect_text("verify KvK --level header --hashes $T/other --tables $T/t", 3,
                "published e1354dc4ac80e76c");
    expect_text("verify KvK --hashes $T/none --tables $T/t", 1, "none: No such file");
}

/* Fails if a proof file that was cut passes as whole, if a killed run or a link loses one, or if a
 * checker with fewer tables does not say so. */
Test(cli, proof_files_are_whole_or_refused, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 3 --metric wdl --tables $T/t", 0, "done");
    expect_text("solve W:WK35,K21:BK9,16 --proof $T/p --tables $T/t", 0, "\twin\t");
    shell("head -n -1 '%s/p' > '%s/cut'; head -n 1 '%s/p' > '%s/header'; "
          "sed '1s/\t3\t/\t5\t/' '%s/p' > '%s/more'; ln -s p '%s/link'; cp '%s/p' '%s/copy'",
          folder, folder, folder, folder, folder, folder, folder, folder, folder);
    expect_text("moves W:WK35,K21:BK9,16 --proof $T/p --tables $T/t", 0, "\twin\t-\n");
    expect_text("moves W:WK35,K21:BK9,16 --proof $T/cut --tables $T/t", 2, "the file was cut");
    expect_text("verify --proof $T/cut --tables $T/t", 3, "the file was cut");
    expect_text("verify --proof $T/header --tables $T/t", 3, "the file was cut");
    expect_text("verify --proof $T/more --tables $T/t", 0, "written with all tables of 5 pieces");
    expect_text("solve W:WK35,K21:BK9,16 --proof $T/link --tables $T/t", 1, "link");
    expect_script("$E solve W:W46,47,48,49,50:B1,2,3,4,5 --seconds 0 --proof $T/p --tables $T/t & "
                  "sleep 1; kill -9 $!; wait 2> /dev/null; cmp $T/p $T/copy && echo same",
                  0, "same\n");
}

/* Fails if a line beyond the tables does not follow the proof to the end of the game, or if one from a
 * forged, cut or foreign file is shown. */
Test(cli, a_line_follows_a_proof, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 3 --tables $T/t", 0, "done");
    expect_text("solve W:WK35,K21:BK9,16 --proof $T/p --tables $T/t", 0, "\twin\t");
    expect_script("$E line W:WK35,K21:BK9,16 --proof $T/p --tables $T/t > $T/out; echo $?;"
                  " cut -f 4 $T/out | uniq -c | sort -u; tail -n 1 $T/out | cut -f 4,5;"
                  " test $(grep -c '\t-$' $T/out) -gt 0 && echo beyond",
                  0, "0\n      1 loss\n      1 win\nloss\t0\nbeyond\n");
    shell("sed 's/\t2$/\t99/' '%s/p' > '%s/rank'; head -n -1 '%s/p' > '%s/cut'; "
          "sed '1s/\t3\t/\t5\t/' '%s/p' > '%s/more'",
          folder, folder, folder, folder, folder, folder);
    expect("line W:WK35,K21:BK9,16 --proof $T/rank --tables $T/t 2>/dev/null", 2, "");
    expect_text("line W:WK35,K21:BK9,16 --proof $T/rank --tables $T/t", 2, "does not decrease");
    expect_text("line W:WK35,K21:BK9,16 --proof $T/cut --tables $T/t", 2, "the file was cut");
    expect_text("line W:WK35,K21:BK9,16 --proof $T/more --tables $T/t", 0,
                "written with all tables of 5 pieces");
    expect_text("line W:WK46,K47:B4,5 --proof $T/p --tables $T/t", 2, "nor the proofs");
    expect_text("line W:WK35,K21:BK9,16 --proof $T/none --tables $T/t", 1, "No such file");
}

/* Fails if a stop loses the rest of a list without a word, if a limit of positions does not give the
 * same run again, or if a search does not continue from its file. A shell starts a process in the
 * background with SIGINT ignored; the process catches it once it runs. */
Test(cli, solve_stops_repeats_and_continues, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 3 --metric wdl --tables $T/t", 0, "done");
    expect_script("printf 'W:W46,47,48,49,50:B1,2,3,4,5\nW:WK35,K21:BK9,16\n' > $T/in; "
                  "$E solve - --seconds 0 --tables $T/t < $T/in > $T/out 2> $T/said & "
                  "until grep -q '^SigCgt.*[2367abef]$' /proc/$!/status; do sleep 0.1; done; "
                  "sleep 1; kill -INT $!; wait $!; echo $?; cut -f 2 $T/out; "
                  "grep -c 'after 1 positions; those that follow were not' $T/said",
                  0, "1\nopen\n1\n");
    expect_text("solve W:W46,47,48:B3,4 --nodes 2000 --tables $T/t", 0,
                "not decided; generating MMMvMM and the tables it needs takes about ");
    expect_text("solve W:WK35,K21:BK9,16 --memory 0.00001 --tables $T/t", 2, "0.001 GiB");
    expect_script("$E solve W:WK35,K21:BK9,16 --json --tables $T/t |"
                  " grep -c '\"outcome\": \"win\", .*\"proof\": [1-9][0-9]*}'",
                  0, "1\n");
    expect_script(
        "for i in 1 2; do $E solve W:W46,47,48:B3,4 --nodes 20000 --tables $T/t "
        "2> /dev/null | cut -f 1-3 > $T/run$i; done; cmp $T/run1 $T/run2 && cut -f 2 $T/run1",
        0, "open\n");
    expect_script("until $E solve W:WK35,K21:BK9,16,17 --nodes 20000 --keep $T/kept --tables $T/t "
                  "2> /dev/null | grep -q win; do :; done; "
                  "$E solve W:WK35,K21:BK9,16,17 --nodes 1 --keep $T/kept --tables $T/t | cut -f 2",
                  0, "win\n");
    expect_script(
        "printf x >> $T/kept; $E solve W:WK35,K21:BK9,16 --keep $T/kept --tables $T/t 2>&1 | "
        "grep -c 'kept: damaged'; "
        "$E solve W:WK35,K21:BK9,16 --keep $T/t/frisian/KvK.wdl --tables $T/t 2>&1 | "
        "grep -c 'not a kept search'",
        0, "1\n1\n");
}

/* Fails if a misspelled name, or an argument for another command, is not reported. */
Test(cli, unknown_names_are_refused)
{
    expect("help verfy", 2, "einspul: unknown command 'verfy'; see 'einspul --help'\n");
    expect("answer", 2, "einspul: unknown command 'answer'; see 'einspul --help'\n");
    expect_text("verify --whole", 2, "unknown option '--whole'; see 'einspul verify --help'");
    expect_text("generate --me wdl", 2, "option '--me' is ambiguous: --metric, --memory");
}

/* Fails if `--level` does not take a word in verify and a number in generate. */
Test(cli, level_option_differs_by_command)
{
    expect_text("verify --help", 0, "--level header|checksums|values");
    expect_text("generate --help", 0, "--level LEVEL ");
    expect_script("for c in compress hub plan serve stats verify; do $E $c --help; done |"
                  " grep -c 'in $PATH; may be'",
                  0, "4\n");
    expect_text("verify --hashes", 2, "--hashes");
    expect_text("verify --level 3", 2, "expected header, checksums or values");
    expect_text("generate --pieces 2 --level values", 2, "expected a whole number from 1 to 22");
}

/* Fails if --count prints more than a number, or if `cut` and `probe` cannot read a list. */
Test(cli, find_prints_a_number_or_a_list, .init = make_tables, .fini = drop_folder)
{
    expect_text("generate --pieces 2 --rules frisian-free --tables $T/both", 0, "done");
    expect("find KvK --count --tables $T/both", 0, "4900\n");
    expect("find KvK --count --json --tables $T/both", 0, "{\"count\": 4900}\n");
    expect("find KvM --count --differs-from frisian-free --tables $T/both", 0, "0\n");
    expect("find KvK --outcome loss --tables $T/both", 0,
           "W:WK5:BK46\tloss\t2\nW:WK46:BK5\tloss\t2\nB:WK5:BK46\tloss\t2\n"
           "B:WK46:BK5\tloss\t2\n");
    expect("find KvK --distance 1 --side white --on WK46,BK41 --json --tables $T/both", 0,
           "{\"fen\": \"W:WK46:BK41\", \"outcome\": \"win\", \"plies\": 1}\n");
    expect("find MvM --distance 18- --side white --limit 1 --tables $T/both 2>/dev/null", 0,
           "W:W36:B1\twin\t19\n");
    expect_text("find MvM --distance 18- --side white --limit 1 --tables $T/both", 0,
                "showing 1 of 23 positions; use --limit 0 for all");
    expect_text("find KvK --count --differs-from frisian-no18 --tables $T/both", 2,
                "no tables for 'frisian-no18'");
    expect_text("find KMvK --count --tables $T/both", 2, "no table for KMvK");
    expect("find KvK MvM --depends-on clock --count --tables $T/both", 0,
           "einspul find: none of these materials has a clock: only two kings against one do\n"
           "0\n");
    expect("find KvK MvM --depends-on run --tables $T/both", 0,
           "einspul find: none of these materials can depend on a king run: it needs a side with a "
           "man and a king\n");
    expect("find KvK --depends-on run --rules frisian-free --tables $T/both", 0,
           "einspul find: none of these materials can depend on a king run: the rule set "
           "has no king runs\n");
    expect_text("find KvM --distance 1 --tables $T/wdl", 2,
                "distances are needed, but its tables have none");
}

/* Fails if games of several rule sets cannot be in one file, or if an error lacks file and line. */
Test(cli, annotate_reads_files_and_pipes, .init = make_tables, .fini = drop_folder)
{
    expect_script(
        "printf '[GameType \"40\"][FEN \"W:WK46:BK5\"]\\n1. 46-10 5x14 *' |"
        " $E annotate - --tables $T/both",
        0,
        "[GameType \"40\"][FEN \"W:WK46:BK5\"]\n{ Tables: Black wins in 2 plies } 1. 46-10 5x14 *");
    expect_script("printf '[GameType \"20\"]\\n1. 32-28 *\\n[A \"\"]\\n1. 32-27 zz *' >$T/g;"
                  " $E annotate $T/g --tables $T/both 2>/dev/null",
                  2, "[GameType \"20\"]\n1. 32-28 *\n[A \"\"]\n1. 32-27 zz *");
    expect_text("annotate $T/g --tables $T/both", 2,
                "/g: line 4, game 2, move 1 of Black, 'zz', under frisian: not a move");
    expect_text("annotate $T/g --tables $T/both", 2, "/g: no GameType: judged by frisian\n");
    expect_text("annotate $T/g --tables $T/both", 2, "no tables for 'international'");
}

/* Fails if output does not use the notation of the input, or of --notation if that is given. */
Test(cli, answers_are_in_the_notation_of_the_question, .init = make_tables, .fini = drop_folder)
{
    expect("probe W:Wka1:Bkj10 --tables $T/both", 0, "W:Wka1:Bkj10\tloss\t2\n");
    expect("probe W:Wka1:Bkj10 --notation numbers --tables $T/both", 0, "W:WK46:BK5\tloss\t2\n");
    expect("probe W:WK46:BK5 --notation letters --tables $T/both", 0, "W:WKa1:BKj10\tloss\t2\n");
    expect_text("moves W:WKa1:BKj10 --tables $T/both", 0, "a1-h8\tloss\t2\n");
    expect_text("moves W:WKa1:BKj10 --notation numbers --tables $T/both", 0, "46-14\tloss\t2\n");
    expect_text("line W:WK46:BK5 --notation letters --tables $T/both", 0,
                "1\ta1-i9\tB:WKi9:BKj10\twin\t1\n");
    expect_text("map W:Wka1:Bkj10 --piece j10 --tables $T/both", 0, "b10\tdraw\t-\tW:WKa1:BKb10\n");
    expect_text("map W:WK46:BK5 --piece a11 --tables $T/both", 2, "--piece a11: expected a square");
    expect_text("map W:Wka1:Bkj10 --piece 5 --tables $T/both", 0, "b10\tdraw\t-\tW:WKa1:BKb10\n");
    expect_script("printf '[GameType \"40\"][FEN \"W:WKa1:BKj10\"] 1. a1-b2 *' |"
                  " $E annotate - --tables $T/both --notation numbers",
                  0,
                  "[GameType \"40\"][FEN \"W:WKa1:BKj10\"] { Tables: Black wins in 2 plies } "
                  "1. a1-b2 *");
}

/* Fails if EINSPUL_TABLES does not name the default folders, or means "/" if it is empty. */
Test(cli, environment_variable_names_default_tables, .init = make_tables, .fini = drop_folder)
{
    expect_script("EINSPUL_TABLES=$T/both $E probe W:WK46:BK41", 0, "W:WK46:BK41\twin\t1\n");
    expect_script("EINSPUL_TABLES=$T/both $E probe --tables $T/wdl W:WK26:B10", 0,
                  "W:WK26:B10\twin\t-\n");
    expect_script("mkdir -p $T/empty/data; cd $T/empty; ln -s $T/wdl data/tables;"
                  " unset EINSPUL_TABLES; $E probe W:WK26:B10; EINSPUL_TABLES= $E probe W:WK26:B10",
                  2,
                  "W:WK26:B10\twin\t-\n"
                  "einspul probe: EINSPUL_TABLES: expected a folder, got an empty string\n");
    expect_script(
        "EINSPUL_TABLES= $E probe --tables $T/wdl W:WK26:B10; $E probe --tables '' W:WK26:B10", 2,
        "W:WK26:B10\twin\t-\n"
        "einspul probe: --tables: expected a folder, got an empty string\n");
    expect_script(
        "for c in generate moves list hub compress serve; do EINSPUL_TABLES= $E $c; done 2>&1 |"
        " grep -c 'EINSPUL_TABLES: expected a folder'; EINSPUL_TABLES= $E help generate | head -c "
        "5",
        0, "6\nUsage");
    expect_script("EINSPUL_TABLES=/nowhere/at/all $E list", 2,
                  "einspul list: /nowhere/at/all: No such file or directory\n");
}

Test(cli, generate_refuses_too_little_memory_or_a_bad_folder, .init = make_folder,
     .fini = drop_folder)
{
    expect_text("generate --pieces 4 --memory 0.0001 --tables $T/small", 1, "memory");
    expect("--version > /dev/null; ls $T", 0, "");
    expect_text("generate --pieces 2 --tables /dev/null/here", 1, "/dev/null");
}

Test(cli, plan_touches_nothing, .init = make_folder, .fini = drop_folder)
{
    expect_text("plan --pieces 2 --tables $T/plan", 0, "MvM\t");
    expect_text("plan --pieces 3 --json", 0, "\"needs\": \"KvK,KvM,MvM,KKvM,KMvK\"");
    expect("plan --material MMvK --material KKvK | cut -f 1", 0,
           "material\nKvK\nKvM\nKKvK\nKMvK\nMMvK\n");
    expect_text("plan --pieces 3 --metric wdl --rules english", 0, "\tenglish\twdl\n");
    expect_text("plan --pieces 3 --memory 0.01 --tables $T/plan", 3, "\tmemory\n");
    expect("--version > /dev/null; ls $T", 0, "");
}

/* Fails if a plan for a folder lists complete materials, or if a plan without one depends on a
 * folder. */
Test(cli, a_plan_for_a_folder_omits_complete_materials, .init = make_tables, .fini = drop_folder)
{
    expect("plan --pieces 3 --tables $T/both 2> /dev/null | cut -f 1,10 | head -3", 0,
           "material\tcannot\nKKvK\t-\nKKvM\t-\n");
    expect("plan --material KKvM --material KMvK --tables $T/both 2> /dev/null | cut -f 1,10", 0,
           "material\tcannot\nKKvK\t-\nKKvM\t-\nKMvK\t-\n");
    expect("plan --pieces 2 --format make --tables $T/t > $T/m; make -s -f $T/m RUN=echo KvK | "
           "grep -c 'generate --rules frisian'; ls $T/t 2> /dev/null",
           2, "1\n");
    expect("plan --pieces 2 | cut -f 1,9", 0,
           "material\tmetric\nKvK\tboth\nKvM\tboth\nMvM\tboth\n");
    expect("--version > /dev/null; EINSPUL_TABLES=$T/both $E plan --pieces 2 | wc -l", 0, "4\n");
}

/* Fails if tables are written to a folder that was not named. */
Test(cli, tables_are_written_to_the_named_folder, .init = make_folder, .fini = drop_folder)
{
    expect_text("generate --pieces 2 --tables $T/run:10", 2, "only one folder");
    expect("--version > /dev/null; ls $T", 0, "");
    expect("--version > /dev/null; mkdir $T/run:10; $E generate --pieces 2 --metric wdl --tables "
           "$T/run:10 2> /dev/null; ls $T/run:10/frisian; ls $T",
           0, "KvK.wdl\nKvM.wdl\nMvM.wdl\nrun:10\n");
    expect("list --tables $T/run:10 | wc -l", 0, "4\n");
}

/* Fails if one bad line costs the answers of others, or the exit status does not show it. */
Test(cli, probe_answers_line_by_line, .init = make_tables, .fini = drop_folder)
{
    expect("probe --tables $T/both 'B:BK5:WK32.' W:WK46:BK41", 0,
           "B:BK5:WK32.\twin\t1\nW:WK46:BK41\twin\t1\n");
    expect("probe --tables $T/both < /dev/null", 0, "");
    expect("probe --strict --tables $T/both B:WK5:B W:W:BK5", 0,
           "B:WK5:B\tloss\t0\nW:W:BK5\tloss\t0\n");
    expect("moves --tables $T/both B:WK5:B", 0, "");
    expect("line --tables $T/both B:WK5:B", 0, "");
    expect_text("list --tables $T/both > /dev/null; printf 'W:WK46:BK41\\n\\nW:WK99:BK5\\r\\n"
                "W:WK46:BK41' | $E probe - --tables $T/both",
                2, "W:WK46:BK41\twin\t1\nW:WK99:BK5\terror: square 99");
    expect("probe --tables $T/both W:WK99:BK5 2>&1 | cut -f 1", 0, "W:WK99:BK5\n");
    expect_text("probe --tables $T/both W:WK1,K2:BK41", 2, "KKvK");
    expect("probe --tables $T/wdl W:WK26:B10", 0, "W:WK26:B10\twin\t-\n");
    expect("probe --json --tables $T/wdl W:WK26:B10", 0,
           "{\"fen\": \"W:WK26:B10\", \"outcome\": \"win\", \"plies\": null}\n");
    expect_text("probe --rules frisian-no17 --tables $T/both W:WK46:BK41", 2, "frisian-no17");
}

/* Fails if a position is not printed as it was given, or if ignored parts are not noted once, on
 * standard error. */
Test(cli, probe_reads_leniently_and_notes_once, .init = make_tables, .fini = drop_folder)
{
    static const char note[] =
        "einspul %s: %sW:WK46:BK41:H2:F50: H2 ignored: no clock for one king "
        "against one\n%s";
    static const struct {
        const char *command, *options, *answer;
    } calls[] = {
        {"probe", "", "W:WK46:BK41:H2:F50\twin\t1\n"},
        {"moves", " | head -n 1", "46x5\twin\t1\n"},
        {"line", " --plies 1", "1\t46x5\tB:WK5:B\tloss\t0\n"},
        {"perft", " --depth 1", "1\t8\n"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char arguments[COMMAND_SIZE];
        char expected[COMMAND_SIZE];
        snprintf(arguments, sizeof arguments, "%s %s W:WK46:BK41:H2:F50%s", calls[i].command,
                 strcmp(calls[i].command, "perft") == 0 ? "--fen" : "--tables $T/both",
                 calls[i].options);
        snprintf(expected, sizeof expected, note, calls[i].command,
                 strcmp(calls[i].command, "perft") == 0 ? "--fen " : "", calls[i].answer);
        expect(arguments, 0, expected);
        snprintf(arguments, sizeof arguments, "%s --strict %s W:WK46:BK41:H2", calls[i].command,
                 strcmp(calls[i].command, "perft") == 0 ? "--depth 1 --fen" : "--tables $T/both");
        expect_text(arguments, 2, "a clock is given, but this material has no move limit");
    }
    expect("probe --tables $T/both --json W:WK46:BK41:H2 2> /dev/null", 0,
           "{\"fen\": \"W:WK46:BK41:H2\", \"outcome\": \"win\", \"plies\": 1, \"note\": "
           "\"H2 ignored: no clock for one king against one\"}\n");
    expect_script("printf '%s\\n' ' B:BK5:WK32. ' '[FEN \"W:WK46:BK41\"]' "
                  "https://example.org/analysis/frisian/W:WK46%3ABK41:H0:F1:+0+0 | "
                  "$E probe - --tables $T/both",
                  0,
                  " B:BK5:WK32. \twin\t1\n[FEN \"W:WK46:BK41\"]\twin\t1\n"
                  "https://example.org/analysis/frisian/W:WK46%3ABK41:H0:F1:+0+0\twin\t1\n");
}

/* Fails if notes on every position of a list bury the answers. */
Test(cli, notes_are_counted, .init = make_tables, .fini = drop_folder)
{
    expect_script(
        "yes W:WK46:BK41:H2 2>/dev/null | head -n 1000 | $E probe - --tables $T/both "
        "2>&1 > /dev/null |"
        " sed -n '$p;$='",
        0,
        "einspul probe: 980 more notes not shown; use --json to get the note of every position\n"
        "21\n");
    expect_script("yes W:WK46:BK41:H2 2>/dev/null | head -n 20 | $E probe - --tables $T/both 2>&1 "
                  "> /dev/null |"
                  " wc -l",
                  0, "20\n");
}

Test(cli, moves_and_lines, .init = make_tables, .fini = drop_folder)
{
    expect_text("moves --tables $T/both W:WK46:BK41", 0, "46x");
    expect_text("moves --tables $T/both W:W1:BK41", 2, "W:W1:BK41");
    expect("moves --tables $T/both W:W7:B44 | tail -n 1 | cut -f 2", 0, "draw\n");
    expect_text("line --tables $T/both W:WK46:BK41", 0, "\tloss\t0\n");
    expect_text("line --tables $T/wdl W:WK26:B10", 2, "'line' needs distances");
    expect_text("line --tables $T/both", 2, "missing FEN");
}

/* Fails if a line has another length than its distance, or does not end with a lost side. */
Test(cli, a_line_is_as_long_as_its_distance, .init = make_tables, .fini = drop_folder)
{
    static struct result result;
    int n_moves = 0;
    int plies = 19;

    expect("stats --tables $T/both MvM | awk -F '\\t' 'NR == 2 { print $7 }'", 0, "19\n");
    run(&result, "line --tables $T/both "
                 "$($E stats --tables $T/both MvM | awk -F '\\t' 'NR == 2 { print $9 }')");
    cr_assert_eq(result.status, 0, "%s", result.output);
    for (char *line = strtok(result.output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *last = strrchr(line, '\t');
        cr_assert_not_null(last, "%s", line);
        cr_assert_eq(atoi(last + 1), --plies, "%s", line);
        cr_assert_eq(atoi(line), ++n_moves, "%s", line);
    }
    cr_assert_eq(n_moves, 19);
    expect("line --plies 4 --tables $T/both W:WK1:BK50 | wc -l | tr -d ' '", 0, "4\n");
}

Test(cli, stats_use_the_requested_side_order, .init = make_tables, .fini = drop_folder)
{
    expect_text("stats --tables $T/both", 0, "material\tside\tstates\t");
    expect_text("stats --tables $T/both KvM", 0, "KvM\tblack\tfresh\t230\t383\t1592\t");
    expect_text("stats --tables $T/both MvK", 0, "MvK\twhite\tfresh\t230\t383\t1592\t");
    expect_text("stats --tables $T/wdl MvM", 0, "MvM\tblack\tall\t856\t654\t475\t-\t-\t-\n");
    expect_text("stats --tables $T/both KvM", 0, "KvM\twhite\tfresh\t2055\t150\t0\t");
    /* The histogram adds up to the counts, and the list of longest wins begins with the longest. */
    expect_script("$E stats --tables $T/both MvM --histogram | awk -F '\t' '$2 == \"white\" &&"
                  " $3 == \"fresh\" { n[$4] += $6; if ($4 == \"win\") last = $5 }"
                  " END { print n[\"win\"], n[\"draw\"], n[\"loss\"], last }'",
                  0, "856 654 475 19\n");
    expect("stats --tables $T/both MvM --top 1 | awk -F '\t' 'NR == 2 { print $1, $2, $3 }'", 0,
           "MvM white 19\n");
    expect_script("$E stats --tables $T/both MvM | awk -F '\t' 'NR == 2 { print $9 }' > $T/a; "
                  "$E stats --tables $T/both MvM --top 1 | awk -F '\t' 'NR == 2 { print $4 }' "
                  "| cmp - $T/a",
                  0, "");
    expect_text("stats --tables $T/both MvM --top 1 --histogram", 2, "cannot be used together");
    expect_text("stats --tables $T/both KKvM", 2, "KKvM");
    expect_text("stats --tables $T/both KvX", 2, "'X'");
}

Test(cli, verify_and_list_agree, .init = make_tables, .fini = drop_folder)
{
    expect("verify --tables $T/both | cut -f 1,2,4- | tail -n +2 | sort", 0,
           "KvK\tdtw\t0\t-\t-\t-\nKvK\twdl\t0\t-\t-\t-\nKvM\tdtw\t0\t-\t-\t-\n"
           "KvM\twdl\t0\t-\t-\t-\nMvM\tdtw\t0\t-\t-\t-\nMvM\twdl\t0\t-\t-\t-\n");
    expect_text("verify KvK --level checksums --tables $T/wdl", 0, "KvK\twdl\t0\t0\t");
    expect("list --tables $T/both | cut -f 1,2", 0, "material\tpieces\nKvK\t2\nKvM\t2\nMvM\t2\n");
    expect("list --tables $T/wdl | cut -f 1,4", 0, "material\tdtw\nKvK\t-\nKvM\t-\nMvM\t-\n");
    expect("list --files --tables $T/both | cut -f 1,2,4-", 0,
           "material\tmetric\tvalues\tleft-out\tcheckable\n"
           "KvK\twdl\t45e7a2f00ce80e15\t-\tyes\nKvK\tdtw\t45e7a2f00ce80e15\t-\tyes\n"
           "KvM\twdl\t6965da6013f50fc9\t-\tyes\nKvM\tdtw\te1354dc4ac80e76c\t-\tyes\n"
           "MvM\twdl\tc0f280a5774b2d45\t-\tyes\nMvM\tdtw\tde54ab94ebb40b6e\t-\tyes\n");
}

/* Fails if a level of verify misses its faults: truncated files, changed bytes, or wrong values. */
Test(cli, verify_levels, .init = make_tables, .fini = drop_folder)
{
    expect_text("verify KvM --level header --tables $T/both", 0, "KvM\tdtw\t0\t0\t");
    expect("--version > /dev/null; printf x | dd of=$T/both/frisian/KvM.dtw bs=1 "
           "seek=$(($(wc -c < $T/both/frisian/KvM.dtw) - 100)) conv=notrunc 2> /dev/null",
           0, "");
    expect_text("verify KvM --level header --tables $T/both", 0, "KvM\tdtw\t0\t0\t");
    expect_text("verify KvM --level checksums --tables $T/both", 3, "KvM\tdtw\terror: ");
    expect("--version > /dev/null; printf x | dd of=$T/both/frisian/KvM.dtw bs=1 seek=200 "
           "conv=notrunc 2> /dev/null",
           0, "");
    expect_text("verify KvM --level header --tables $T/both", 3, "KvM\tdtw\terror: ");
    expect_text("list --files --tables $T/both", 1, "KvM\tdtw\terror: ");
}

/* Fails if a pack is not accepted wherever a folder is. */
Test(cli, a_pack_is_read_as_a_folder, .init = make_tables, .fini = drop_folder)
{
    expect("--version > /dev/null; cd $T && $E pack set.pack --tables both", 0,
           "pack\ttables\tbytes\nset.pack\t6\t3993\n");
    expect("probe W:W33:B22 --tables $T/set.pack", 0, "W:W33:B22\tdraw\t-\n");
    expect("list --tables $T/both > $T/apart; $E list --tables $T/set.pack | diff - $T/apart", 0,
           "");
    expect_text("verify KvK --tables $T/set.pack", 0, "KvK\tdtw\t1802\t0\t");
    expect("pack $T/wdl.pack --tables $T/set.pack --metric wdl > /dev/null; "
           "$E list --tables $T/wdl.pack | cut -f 1,4",
           0, "material\tdtw\nKvK\t-\nKvM\t-\nMvM\t-\n");
    /* A pack replaces a pack; any other file, a table above all, would be lost. */
    expect("pack $T/set.pack --tables $T/set.pack --metric wdl | cut -f 2", 0, "tables\n3\n");
    expect("pack $T/both/frisian/KvM.wdl --tables $T/both 2> $T/said; echo $?; "
           "grep -c 'not a pack' $T/said; $E list --tables $T/both | diff - $T/apart",
           0, "2\n1\n");
    expect_text("--version > /dev/null; : > $T/empty; $E pack $T/empty --tables $T/both", 2,
                "not a pack");
    /* Fails if one of two simultaneous writers removes the other's file as a leftover. */
    expect("--version > /dev/null; for j in 1 2 3 4; do (for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "
           "$E pack $T/two.pack --tables $T/both > /dev/null || echo failed; done) & done; wait; "
           "$E list --tables $T/two.pack | diff - $T/apart",
           0, "");
    expect_text("pack $T/no/such/folder --tables $T/both", 1, "no/such/folder: ");
    expect_text("pack $T/dtw.pack --metric dtw --tables $T/wdl", 2, "no tables match");
    expect_text("pack --tables $T/both", 2, "missing the name of the file to write");
    expect_text("probe W:W33:B22 --tables $T/apart", 1, "/apart: not a folder or pack");
    expect_text("generate --pieces 2 --tables $T/set.pack", 1, "not a directory");
    expect("compress --tables $T/set.pack 2>&1 | sed s,$T,T,", 0,
           "einspul compress: T/set.pack: not a directory\n");
    /* A colon in the name of a pack. */
    expect("pack $T/p:q.pack --tables $T/both > /dev/null; "
           "$E list --tables $T/p:q.pack | diff - $T/apart; "
           "$E probe W:W33:B22 --tables $T/p:q.pack",
           0, "W:W33:B22\tdraw\t-\n");
    expect(
        "pack $T/set.pack --tables $T/nothing 2> /dev/null; $E list --tables $T/set.pack | wc -l",
        0, "4\n");
}

/* Fails if --tables T/frisian gets no hint, or if T/frisian/frisian is created. */
Test(cli, a_folder_too_deep_gets_a_hint, .init = make_tables, .fini = drop_folder)
{
    expect_text("probe W:W33:B22 --tables $T/both/frisian", 2, "use its parent: --tables ");
    expect_text("stats --tables $T/both/frisian/", 2, "use its parent: --tables ");
    expect("--version > /dev/null; cd $T/both && $E list --tables frisian 2>&1 | grep -c -e "
           "'--tables [.]$'",
           0, "1\n");
    expect_text("generate --pieces 2 --tables $T/both/frisian", 2, "use its parent");
    expect_text("generate --pieces 2 --tables $T/new/english/", 2, "use its parent");
    expect("--version > /dev/null; ls -d $T/both/frisian/frisian $T/new 2> /dev/null", 2, "");
    /* A folder may have such a name. */
    expect("--version > /dev/null; mkdir $T/frisian; cp -r $T/both/frisian $T/frisian", 0, "");
    expect("probe W:W33:B22 --tables $T/frisian", 0, "W:W33:B22\tdraw\t-\n");
    expect("generate --pieces 2 --tables $T/frisian > /dev/null 2>&1; ls $T/frisian", 0,
           "frisian\n");
}

/* Fails if --tables refuses a list of folders. */
Test(cli, tables_option_takes_a_list, .init = make_tables, .fini = drop_folder)
{
    static const char answer[] = "W:W33:B22\tdraw\t-\n";
    expect(
        "--version > /dev/null; mkdir -p $T/one/frisian; mv $T/both/frisian/KvK.wdl $T/one/frisian",
        0, "");
    expect("probe W:W33:B22 --tables $T/one:$T/both", 0, answer);
    expect("probe W:W33:B22 --tables $T/one --tables :$T/both:", 0, answer);
    expect("--version > /dev/null; EINSPUL_TABLES=$T/one:$T/both $E probe W:W33:B22", 0, answer);
    expect("--version > /dev/null; EINSPUL_TABLES=$T/nothing:$T/none $E probe W:W33:B22 --tables "
           "$T/both:$T/one",
           0, answer);
    expect_text("--version > /dev/null; EINSPUL_TABLES=:: $E probe W:W33:B22", 2, "EINSPUL_TABLES");
    expect_text("probe W:W33:B22 --tables ::", 2, "expected a folder");
    expect_text("compress --tables $T/one:$T/both", 2, "only one folder");
    expect("--version > /dev/null; printf 'pos fen=W:WK1:BK6\\ngo\\npos fen=W:WK1:B6\\ngo\\n' | $E "
           "hub --tables "
           "$T/one:$T/both | grep -c score=",
           0, "2\n");
    /* The first folder of several provides the table. */
    expect("--version > /dev/null; cp $T/both/frisian/KvM.wdl $T/one/frisian; "
           "printf x | dd of=$T/both/frisian/KvM.wdl bs=1 seek=200 conv=notrunc 2> /dev/null; "
           "$E verify KvM --level checksums --tables $T/one:$T/both > /dev/null; echo "
           "$?; "
           "$E verify KvM --level checksums --tables $T/both:$T/one > /dev/null; echo $?",
           0, "0\n3\n");
}

/* Fails if a count is doubled, or a long list of materials gets no answer. */
Test(cli, a_material_named_twice_counts_once, .init = make_tables, .fini = drop_folder)
{
    expect("--version > /dev/null; $E find KvM --count --tables $T/both > $T/once; "
           "$E find KvM KvM MvK --count --tables $T/both | diff - $T/once",
           0, "");
    expect("--version > /dev/null; $E stats KvM MvM --tables $T/both > $T/once; $E stats KvM "
           "$(yes MvM 2>/dev/null | head -n 3000) --tables $T/both | diff - $T/once",
           0, "");
    expect("list --tables $T/both > /dev/null; $E probe $(yes W:W33:B22 2>/dev/null | head -n "
           "3000) --tables "
           "$T/both | uniq -c",
           0, "   3000 W:W33:B22\tdraw\t-\n");
}

/* Fails if a command needs a larger stack than the program requires, or does not ask for that. */
Test(cli, every_command_works_in_a_small_stack, .init = make_tables, .fini = drop_folder)
{
    static const char *const commands[] = {"probe W:W33:B22",
                                           "moves W:W33:B22",
                                           "line W:W33:B22",
                                           "find KvM --study",
                                           "map W:W33:B22 --piece 33",
                                           "stats",
                                           "stats KvM --top 2",
                                           "verify",
                                           "list --files",
                                           "pack $T/set.pack",
                                           "perft --depth 3",
                                           "generate --pieces 2",
                                           "plan --pieces 4",
                                           "compress",
                                           "hub < /dev/null"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[256];
        const bool has_tables =
            strncmp(commands[i], "perft", 5) != 0 && strncmp(commands[i], "help", 4) != 0;
        snprintf(line, sizeof line,
                 "--version > /dev/null; ulimit -s 1024; $E %s%s > $T/said 2>&1 || cat $T/said",
                 commands[i], has_tables ? " --tables $T/both" : "");
        expect(line, 0, "");
    }
    expect("--version > /dev/null; ulimit -s 1024; printf '[GameType \"40\"]\n[FEN "
           "\"W:W33:B22\"]\n\n1. 33-28 *\n' | "
           "$E annotate - --tables $T/both > /dev/null 2>&1",
           0, "");
    /* An illegal game, which is also tried under other rules. */
    expect("--version > /dev/null; ulimit -s 1024; printf '1. 33-28 18-23 2. 39-33 12-18 3. 44-39 "
           "7-12 4. 31-27 20-24 5. 37-31\n' | $E annotate - --tables $T/both 2>&1 | "
           "grep -c 'use --rules international'",
           0, "1\n");
    expect("--version > /dev/null; ulimit -S -s 128; $E stats KvK --tables $T/both | wc -l", 0,
           "5\n");
    expect_text("--version > /dev/null; ulimit -s 128; $E --version", 1,
                "the limit on the stack (ulimit -s) must be at least 1024 KiB");
}

/* Fails if verify passes a damaged table, or does not name it. */
Test(cli, verify_reports_a_damaged_table, .init = make_tables, .fini = drop_folder)
{
    expect("--version > /dev/null; printf xx | dd of=$T/both/frisian/KvM.dtw bs=1 seek=40 "
           "conv=notrunc 2> /dev/null",
           0, "");
    expect_text("verify --tables $T/both", 3, "KvM\tdtw\terror: ");
}

/* The dictionary mode of a table of distances (2: a model), and whether it omits a side to move. */
static void expect_held(const char *tables, const char *material, const char *held)
{
    char arguments[COMMAND_SIZE];
    snprintf(arguments, sizeof arguments,
             "--version > /dev/null; od -An -v -tu1 -w1 $T/%s/frisian/%s.dtw | awk "
             "'NR == 50 { printf \"%%d \", $1 } NR == 79 { print ($1 > 0 ? \"one\" : \"both\") }'",
             tables, material);
    expect(arguments, 0, held);
}

static void make_distances(void)
{
    static struct result result;
    make_folder();
    run(&result, "generate --material KKvM --tables $T/made --threads 2");
    cr_assert_eq(result.status, 0, "%s", result.output);
}

/* Fails if --whole omits a side to move, or if answers change without it. */
Test(cli, compress_leaves_a_side_out_unless_whole, .init = make_distances, .fini = drop_folder)
{
    expect("--version > /dev/null; cp -r $T/made $T/whole; cp -r $T/made $T/left", 0, "");
    expect_text("compress --whole --tables $T/whole", 0, "KKvM\tdtw\t");
    expect_text("compress --tables $T/left", 0, "KKvM\tdtw\t");
    expect_held("made", "KKvM", "1 both\n");
    expect_held("whole", "KKvM", "2 both\n");
    expect_held("left", "KKvM", "2 one\n");
    expect_held("left", "KKvK", "2 both\n");
    expect("--version > /dev/null; for t in made whole left; do "
           "{ $E stats --tables $T/$t && $E moves B:WK28,K31:B6 --tables $T/$t && "
           "$E verify --tables $T/$t > /dev/null; } > $T/$t.txt || exit 3; "
           "cmp $T/made.txt $T/$t.txt; done",
           0, "");
    expect("list --tables $T/left | cut -f 1 | tr '\\n' ' '", 0, "material KvK KvM KKvK KKvM ");
    expect_text("list --files --tables $T/left", 0, " to move\tno\n");
    expect("list --files --json --tables $T/left | grep -v '\"left-out\": null, \"checkable\": "
           "true}$' | "
           "sed 's/.*\"left-out/\"left-out/' | uniq",
           0, "\"left-out\": \"black to move\", \"checkable\": false}\n");

    /* Another run rewrites nothing, with or without --whole; one without --whole continues. */
    expect("compress --whole --tables $T/left | awk '$3 != $4' | tail -n +2", 0, "");
    expect_held("left", "KKvM", "2 one\n");
    expect_text("compress KKvM --metric dtw --tables $T/whole", 0, "KKvM\tdtw\t");
    expect("--version > /dev/null; cmp $T/whole/frisian/KKvM.dtw $T/left/frisian/KKvM.dtw", 0, "");
}

/* Fails if tables wait for each other, or if files or rows differ when several are compressed at
 * once. With one thread the first row is of the slow KKvK; the machine may be busy, so others may
 * need several attempts to overtake it. */
Test(cli, compress_works_on_several_tables_at_once, .init = make_distances, .fini = drop_folder)
{
    expect_script(
        "cp -r $T/made $T/one; $E compress --threads 1 --tables $T/one | sort > $T/1.txt; "
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
        "rm -rf $T/more; cp -r $T/made $T/more; "
        "$E compress KKvK KvK KvM KKvM --threads 3 --tables $T/more > $T/3.txt || exit 4; "
        "sort $T/3.txt | cmp - $T/1.txt && diff -r $T/one $T/more || exit 5; "
        "sed -n 2p $T/3.txt | grep -q KKvK || exit 0; done; exit 6",
        0, "");
}

/* Fails if one compressed form cannot be converted to another, or if answers change. */
Test(cli, compress_changes_what_is_omitted, .init = make_distances, .fini = drop_folder)
{
    expect("--version > /dev/null; cp -r $T/made $T/plain; cp -r $T/made $T/small", 0, "");
    expect_text("compress --tables $T/plain", 0, "KKvM\twdl\t");
    expect_text("compress --smallest --tables $T/small", 0, "KKvM\twdl\t");
    expect("list --files --json --tables $T/small | grep -c 'wdl.*\"black to move\"'", 0, "2\n");
    expect("list --files --json --tables $T/plain | grep -c 'wdl.*\"black to move\"'", 1, "0\n");
    expect("--version > /dev/null; for t in made small; do "
           "{ $E stats --tables $T/$t && $E moves B:WK28,K31:B6 --tables $T/$t && "
           "$E verify --tables $T/$t > /dev/null; } > $T/$t.txt || exit 3; "
           "cmp $T/made.txt $T/$t.txt; done",
           0, "");

    /* A table that would need omitted values is refused by name, and stays unchanged until it is
     * generated again. */
    expect("--version > /dev/null; cp -r $T/plain $T/plain-too; cp -r $T/small $T/small-too", 0,
           "");
    expect_text("compress --smallest --tables $T/plain-too", 0, "KKvM\twdl\t");
    for (int i = 0; i < 2; i++) {
        expect_text("compress --tables $T/small-too", 2, "KKvM.wdl");
        expect_text("compress --tables $T/small-too", 2, "'einspul generate'");
    }
    expect("--version > /dev/null; for f in $T/small/frisian/*.???; do for t in plain small; do "
           "cmp $f $T/$t-too/frisian/${f##*/}; done; done",
           0, "");
    expect("--version > /dev/null; rm $T/small-too/frisian/K*vM.wdl; "
           "$E generate --material KKvM --metric wdl --tables $T/small-too 2> /dev/null; "
           "$E compress --tables $T/small-too > /dev/null; for f in $T/plain/frisian/*.???; do "
           "cmp $f $T/small-too/frisian/${f##*/}; done",
           0, "");
    expect_text("compress --smallest --whole --tables $T/small", 2, "cannot be used together");

    /* With king runs, distances also omit the last runs of the side that stays. */
    expect("--version > /dev/null; { $E generate --material KMvM --metric dtw --tables $T/runs && "
           "$E compress --tables $T/runs; } > $T/said 2>&1 || exit 3; "
           "$E list --files --tables $T/runs | grep KMv | cut -f 1,5",
           0, "KMvK\twhite to move\nKMvM\tblack to move, last runs\n");

    /* Without its inputs a table cannot be solved again, so it stays unchanged. */
    expect("--version > /dev/null; rm $T/small/frisian/KvK.wdl $T/small/frisian/KvK.dtw", 0, "");
    expect("compress --tables $T/small | awk 'NR > 1 && $3 != $4'", 0, "");
}

/* Fails if a move of a position without a table is not listed, or if a known win is not first and a
 * known loss not last. */
Test(cli, moves_of_a_position_without_a_table, .init = make_distances, .fini = drop_folder)
{
    expect("moves --tables $T/made W:WK15,6:BK22 2> $T/said | cut -f 1,2 | sed -n '1p;$s/.*\t//p'; "
           "cat $T/said",
           0,
           "6-1\twin\nunknown\neinspul moves: W:WK15,6:BK22: no table for KMvK (frisian); use "
           "--solve SECONDS to prove "
           "the moves\n");
    expect("moves --tables $T/made W:WK18,8:BK2 2> /dev/null | cut -f 2 | uniq | tail -n 2", 0,
           "unknown\nloss\n");
    expect("moves --tables $T/made W:W31-50:B1-20 2> /dev/null | cut -f 2,3 | uniq -c", 0,
           "      9 unknown\t-\n");
    /* A side that cannot move has lost, with or without tables. */
    expect("moves --tables $T/made B:W6:B1,12,13 2> /dev/null | cut -f 2,3 | head -n 4 | uniq -c",
           0, "      4 win\t1\n");
    expect("moves --json --tables $T/made W:W33:B22 2> /dev/null | head -n 1", 0,
           "{\"move\": \"33-29\", \"outcome\": \"unknown\", \"plies\": null}\n");
    expect_text("moves --tables $T/made W:WK1,K2,K3:W4", 2, "W4");
}

/* Fails if a damaged file passes because a sound one of the same material answers. */
Test(cli, a_damaged_file_is_not_hidden_by_the_other, .init = make_tables, .fini = drop_folder)
{
    expect("--version > /dev/null; printf xx | dd of=$T/both/frisian/KvM.wdl bs=1 seek=120 "
           "conv=notrunc 2> "
           "/dev/null; for c in 'verify KvM' 'verify KvM --level header' 'list --files' "
           "'compress KvM' 'pack $T/x.pack'; do eval $E $c --tables $T/both > $T/said 2>&1; echo "
           "$? $(grep -c "
           "'KvM.wdl: ' $T/said); done",
           0, "3 1\n3 1\n1 1\n1 1\n1 1\n");
    expect("probe W:WK1:B6 --tables $T/both | cut -f 2", 0, "win\n");
}

/* Fails if a table with altered values but valid checksums is used to generate others, or if a
 * right table is replaced by one generated so. */
Test(cli, generate_rejects_inputs_with_wrong_value_hash, .init = make_distances,
     .fini = drop_folder)
{
    enum { VALUE_HASH = 136 };
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path_of("made/frisian/KvM.wdl"), &n_bytes);
    bytes[VALUE_HASH] ^= 1;
    seal_header(bytes);
    write_whole(path_of("made/frisian/KvM.wdl"), bytes, n_bytes);
    free(bytes);
    expect("--version > /dev/null; mv $T/made/frisian/KKvM.wdl $T/KKvM.wdl; cp "
           "$T/made/frisian/KvM.wdl $T",
           0, "");
    for (int i = 0; i < 2; i++) {
        expect_text("generate --material KKvM --metric wdl --tables $T/made", 1,
                    "KvM.wdl: value hash mismatch");
        expect("--version > /dev/null; ls $T/made/frisian/KKvM.wdl 2> /dev/null", 2, "");
    }
    expect("--version > /dev/null; cp $T/KKvM.wdl $T/made/frisian", 0, "");
    for (int i = 0; i < 2; i++) {
        expect_text("compress KvM --metric wdl --tables $T/made", 1, "value hash mismatch");
        expect("--version > /dev/null; cmp $T/KvM.wdl $T/made/frisian/KvM.wdl; cmp $T/KKvM.wdl "
               "$T/made/frisian/KKvM.wdl",
               0, "");
    }
}

/* Fails if a header with a wrong omitted-last-runs flag is accepted, so that values are read from
 * wrong places. */
Test(cli, runs_are_omitted_only_where_they_may_be, .init = make_distances, .fini = drop_folder)
{
    enum { RUNS_OMITTED = 79 };
    static const struct {
        const char *name, *form;
    } cases[] = {{"KMvM", NULL}, {"KKvM", NULL}, {"KKvM", "--whole"}, {"KvM", "--whole"}};
    expect("generate --material KMvM --metric wdl --tables $T/made 2> /dev/null", 0, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[200], path[64];
        size_t n_bytes = 0;
        snprintf(line, sizeof line,
                 "--version > /dev/null; rm -rf $T/one && cp -r $T/made $T/one && rm -f "
                 "$T/one/frisian/*.dtw%s%s%s",
                 cases[i].form != NULL ? " && $E compress --tables $T/one " : "",
                 cases[i].form != NULL ? cases[i].form : "",
                 cases[i].form != NULL ? " > /dev/null" : "");
        expect(line, 0, "");
        snprintf(path, sizeof path, "one/frisian/%s.wdl", cases[i].name);
        uint8_t *bytes = read_whole(path_of(path), &n_bytes);
        cr_assert_eq(bytes[RUNS_OMITTED], 0);
        bytes[RUNS_OMITTED] = 1;
        seal_header(bytes);
        write_whole(path_of(path), bytes, n_bytes);
        free(bytes);
        snprintf(line, sizeof line, "verify %s --level header --tables $T/one", cases[i].name);
        expect_text(line, 3, "inconsistent header");
    }
}

/* Fails if a side is omitted although a table from which it is recomputed is missing or damaged. */
Test(cli, compress_keeps_a_side_that_cannot_be_recomputed, .init = make_distances,
     .fini = drop_folder)
{
    static const struct {
        const char *harm, *held;
    } cases[] = {
        {"rm KKvK.*", "2 both\n"},               /* after a promotion */
        {"rm KvM.dtw", "2 both\n"},              /* after a capture */
        {"rm KvK.*", "2 both\n"},                /* after both */
        {"truncate -s -1 KKvK.dtw", "2 both\n"}, /* damaged, even if another file answers */
        {"rm KKvK.dtw", "2 one\n"},              /* its .wdl stores distances */
        {"rm KKvM.wdl KvM.wdl", "2 one\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[COMMAND_SIZE];
        snprintf(arguments, sizeof arguments,
                 "--version > /dev/null; rm -rf $T/part; cp -r $T/made $T/part; "
                 "cd $T/part/frisian; %s",
                 cases[i].harm);
        expect(arguments, 0, "");
        expect_text("compress KKvM --tables $T/part", 0, "KKvM\tdtw\t");
        expect_held("part", "KKvM", cases[i].held);
    }
}

/* Fails if an intact table of a later version counts as damaged or missing when others are written.
 * */
Test(cli, compress_stops_at_a_table_of_a_later_version, .init = make_distances, .fini = drop_folder)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path_of("made/frisian/KKvK.dtw"), &n_bytes);
    bytes[8] = 99; /* the read version */
    bytes[10] = 99;
    seal_header(bytes);
    write_whole(path_of("made/frisian/KKvK.dtw"), bytes, n_bytes);
    free(bytes);
    expect_text("compress KKvM --tables $T/made", 1, "KKvK.dtw");
    expect_held("made", "KKvM", "1 both\n");
}

/* Fails if --only generates other tables, generates without its inputs, or disturbs a run that has
 * locked the folder. */
Test(cli, only_generates_one_material_from_existing_inputs)
{
    make_tables();
    expect_text("generate --only --material KMvK --tables $T/both", 2,
                "KKvK.dtw not found; generate it first");
    expect_text("generate --only --material KKvK --metric dtw --tables $T/both", 0, "done");
    expect_text("generate --only --material KKvK --metric dtw --tables $T/both --memory 0.001", 0,
                "1 complete, 0 to generate");
    expect_text("generate --only --material KKvM --metric dtw --tables $T/both --memory 0.001", 1,
                "(--memory)");
    expect_text("generate --only --material KKvM --tables /dev/null/x", 1, "/dev/null");
    expect_text("generate --only --pieces 2 --tables $T/both", 2, "--only requires --material");
    /* Tables of another folder are linked. */
    expect_script("mkdir -p $T/other/frisian; ln -s $T/both/frisian/* $T/other/frisian;"
                  " $E generate --only --material KKvM --metric dtw --tables $T/other 2>&1"
                  " | grep -c '^done'; ls $T/other/frisian/KKvM.dtw | wc -l; ls $T/both/frisian | "
                  "grep -c KKvM",
                  1, "1\n1\n0\n");
    expect_text("compress --tables $T/other --tables $T/both", 2, "only one folder");
    expect_script(
        "flock -x $T/both/frisian/.lock $E generate --only --material KKvM --tables $T/both "
        "2>&1 | grep -c 'another process is writing here'",
        0, "1\n");
    expect_script("flock -s $T/both/frisian/.lock $E generate --only --material KKvM --metric dtw "
                  "--tables $T/both 2>/dev/null",
                  0, "");
    expect_script(
        "printf x | dd of=$T/both/frisian/KvM.dtw bs=1 seek=200 conv=notrunc 2>/dev/null; "
        "$E generate --only --material KMvK --metric dtw --tables $T/both 2>&1 | grep -c 'KvM.dtw'",
        0, "1\n");
}

/* Fails if an interrupted run loses its work, or reports success. */
Test(cli, interrupted_run_resumes, .timeout = 300)
{
    make_tables();
    expect_script(
        "mkdir $T/a; $E generate --pieces 5 --threads 1 --tables $T/a 2>$T/said & "
        "while ! [ -e $T/a/frisian/KvK.dtw ]; do sleep 0.05; done; "
        "kill -TERM $!; wait $!; echo $?; grep -c 'stopped; run the same command again' $T/said",
        0, "1\n1\n");
}

/* Fails if a site lacks a file that its page asks for, or if its checksums are wrong. The module is not
 * used here; the part `site` runs it. */
Test(cli, site_writes_files_and_checksums, .init = make_tables, .fini = drop_folder)
{
    expect_script(
        "printf module > $T/module;"
        " $E site $T/site --tables $T/both --rules frisian --module $T/module | cut -f 2;"
        " cd $T/site; sha256sum --check --quiet SHA256SUMS; cmp einspul.wasm.gz $T/module;"
        " head -c 14 app.js; echo; grep -c data-site index.html; ls tables v1/frisian;"
        " grep -c '\"source\":\"tables\"' v1/frisian/material/KvK.json",
        0,
        "rule-sets\n1\nconst site = {\n2\ntables:\nfrisian.heads\nfrisian.pack\n\n"
        "v1/frisian:\nlists.json\nmaterial\ntables.json\n1\n");
    expect_text("site $T/site --tables $T/both --module $T/none", 2,
                "/none: no such file; scripts/site builds the module");
    expect_text("site", 2, "missing the name of the folder to write");
    expect_text("site $T/none/site --tables $T/both --module $T/module", 1, "No such file");
}
