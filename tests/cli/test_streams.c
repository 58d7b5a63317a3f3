/* Hostile standard streams: lines of any size and content, failing input, unread output.
 * Interactive cases are in stream_check.py. */
#include "tests/support/program.h"

/* Less memory than the inputs below would fill. Address sanitizers need more memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITED ""
#else
#define LIMITED "ulimit -v 2000000; export OMP_WAIT_POLICY=passive;"
#endif

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fails if a bad line, however long, affects other lines. */
Test(streams, a_long_line_costs_itself_only, .init = make_tables, .fini = drop_folder)
{
    /* The longest line that is accepted, then one a byte longer; bytes 1-64 of it are shown. */
    expect_script("{ printf 'W:WK46:BK41%65525s\\nW:WK46:BK40%65526s\\nW:WK46:BK41' '' ''; } |"
                  " $E probe - --tables $T/both | sed 's/  *//; s/ bytes$//'",
                  0,
                  "W:WK46:BK41\twin\t1\n"
                  "W:WK46:BK40\terror: line longer than 65536 bytes; only its beginning is shown\n"
                  "W:WK46:BK41\twin\t1\n");
    /* Larger than the memory limit. */
    expect_script(
        LIMITED " { echo W:WK46:BK41; head -c 3000000000 /dev/zero; echo; echo W:WK46:BK41; } |"
                " $E probe - --tables $T/both | cut -f 2; $E probe - --tables $T/both < /dev/null",
        0, "win\nerror: line longer than 65536 bytes; only its beginning is shown\nwin\n");
    expect_script("head -c 70000 /dev/zero | $E probe - --tables $T/both > /dev/null", 2, "");
    expect_script("head -c 70000 /dev/zero | tr '\\0' ' ' | $E probe - --tables $T/both | wc -l", 0,
                  "1\n");
}

/* Fails if NUL bytes are not reported once each, or take quadratic time. */
Test(streams, zero_bytes, .init = make_tables, .fini = drop_folder)
{
    expect_script("printf 'W:WK46\\0:BK41\\nW:WK46:BK41\\0\\n\\0' | $E probe - --tables $T/both", 2,
                  "W:WK46\\x00:BK41\terror: the FEN contains a NUL byte at column 7\n"
                  "W:WK46:BK41\\x00\terror: the FEN contains a NUL byte at column 12\n"
                  "\\x00\terror: the FEN contains a NUL byte at column 1\n");
    expect_script("head -c 400000000 /dev/zero | timeout 300 $E probe - --tables $T/both | wc -l",
                  0, "1\n");
}

/* Fails if echoed input breaks columns, controls the terminal or is invalid JSON. */
Test(streams, echoed_input_is_escaped, .init = make_tables, .fini = drop_folder)
{
    static const char input[] = "printf 'W:W28\\t\\033[31m\\nW:\\302\\233\\377\\\\\"\\303\\251\\n'";
    char script[COMMAND_SIZE];
    snprintf(script, sizeof script, "%s | $E probe - --tables $T/both | cut -f 1", input);
    expect_script(script, 0, "W:W28\\t\\x1b[31m\nW:\\xc2\\x9b\\xff\\\\\"\303\251\n");
    snprintf(script, sizeof script, "%s | $E probe - --json --tables $T/both | cut -d , -f 1",
             input);
    expect_script(script, 0,
                  "{\"fen\": \"W:W28\\t\\u001B[31m\"\n"
                  "{\"fen\": \"W:\\u009B\\uFFFD\\\\\\\"\\u00E9\"\n");
    /* Characters that reverse or end the line. */
    expect_script("$E probe --tables $T/both \"$(printf 'W:\\342\\200\\256W\\342\\200\\250')\" |"
                  " cut -f 1",
                  0, "W:\\xe2\\x80\\xaeW\\xe2\\x80\\xa8\n");
    /* Messages, too, are shown on a terminal. */
    expect_script(
        "x=$(printf '\\033]0;x\\007'); $E \"$x\" 2>&1; $E perft --\"$x\" 2>&1;"
        " $E perft --depth \"$x\" 2>&1; $E moves \"$x\" --tables $T/both 2>&1;"
        " $E list --rules \"$x\" 2>&1 | sed 's/known: .*/known: …/'; $E list --tables \"$x\" 2>&1;"
        " $E stats \"$x\" --tables $T/both 2>&1; $E perft --depth 2 \"$x\"",
        2, /* control characters are shown differently: \x1b by the program, ? by the core */
        "einspul: unknown command '\\x1b]0;x\\x07'; see 'einspul --help'\n"
        "einspul perft: unknown option '--\\x1b]0;x\\x07';"
        " see 'einspul perft --help'\n"
        "einspul perft: --depth \\x1b]0;x\\x07: expected a whole number from 1 to 60\n"
        "einspul moves: \\x1b]0;x\\x07: expected W or B at column 1, found byte 0x1b\n"
        "einspul list: unknown rule set '?]0;x?'; known: …\n"
        "einspul list: ?]0;x?: No such file or directory\n"
        "einspul stats: material '?]0;x?': expected K and M for each side and 'v' "
        "in between, at most 8 pieces, e.g. KKMvKM\n"
        "einspul perft: unexpected argument '\\x1b]0;x\\x07'; see 'einspul perft --help'\n");
}

/* Fails if the Hub engine crashes on, or echoes, arbitrary input. */
Test(streams, hub_takes_anything, .init = make_tables, .fini = drop_folder)
{
    expect_script("printf '\\033[2J\\177\\n\\000\\n\\357\\273\\277ping\\r\\n' | $E hub", 0,
                  "error message=\"the line contains a NUL byte; read as a space\"\npong\n");
    expect_script(
        "printf 'set-param name=variant value=\"\\033[2J\\177\\302\\233\\377\\n' | $E hub", 0,
        "error message=\"unknown variant \\x1b[2J\\x7f\\xc2\\x9b\\xff\"\n");
    expect_script("for n in '' 0 -1 +5 1x 65537 99999999999999999999 0x10 5; do"
                  " echo \"set-param name=cache value=$n\"; done | $E hub | uniq -c | tr -s ' ';"
                  " printf 'set-param name=cache value=65536\\nhub\\n' | $E hub | grep name=cache",
                  0,
                  " 8 error message=\"parameter 'cache' must be a number of MiB from 1 to 65536\"\n"
                  "param name=cache value=65536 type=int min=1 max=65536\n");
}

/* Fails if a byte order mark, CRLF or a missing last line end changes answers. */
Test(streams, files_of_other_systems, .init = make_tables, .fini = drop_folder)
{
    expect_script("printf '\\357\\273\\277W:WK46:BK41\\r\\n\\r\\n \\t\\r\\nB:WK32:BK5' |"
                  " $E probe - --tables $T/both",
                  0, "W:WK46:BK41\twin\t1\nB:WK32:BK5\twin\t1\n");
    expect_script("printf '\\357\\273\\277' | $E probe - --tables $T/both", 0, "");
}

/* Fails if a read error is not reported, so that half of the input passes for all of it. */
Test(streams, read_error_is_reported, .init = make_tables, .fini = drop_folder)
{
    expect_script("$E probe - --tables $T/both < $T", 1,
                  "einspul probe: cannot read standard input: Is a directory\n");
    expect_script("$E probe - --tables $T/both <&-", 1,
                  "einspul probe: cannot read standard input: Bad file descriptor\n");
    expect_script("$E hub < $T", 1, "einspul hub: cannot read standard input: Is a directory\n");
}

static const char *const commands[] = {
    "--help",
    "help stats",
    "hub < $T/hub",
    "serve --port 0 --tables $T/both",
    "--version",
    "probe --help",
    "probe --tables $T/both W:WK46:BK41",
    "probe --tables $T/both - < $T/positions",
    "moves --tables $T/both W:WK46:BK41",
    "line --tables $T/both W:WK46:BK41",
    "stats --tables $T/both KvM",
    "verify --tables $T/both",
    "verify --level header --tables $T/both",
    "list --tables $T/both",
    "list --files --tables $T/both",
    "compress --tables $T/wdl",
    "perft --depth 3",
};

/* `output` is the target: each command must exit with 1 and a message with the reason. */
static void expect_unwritten(const char *output, const char *why)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char script[COMMAND_SIZE];
        char expected[256];
        snprintf(script, sizeof script,
                 "yes W:WK46:BK41 2>/dev/null | head -n 9999 > $T/positions; yes hub 2>/dev/null | "
                 "head -n 9999 > $T/hub;"
                 " timeout 300 $E %s %s",
                 commands[i], output);
        snprintf(expected, sizeof expected, "einspul: cannot write to standard output: %s\n", why);
        expect_script(script, 1, expected);
    }
}

/* Fails if a script that trusts the exit status loses lines: on a full disk, with a closed output, at a
 * limit on the size of files. */
Test(streams, unwritable_output_is_an_error, .init = make_tables, .fini = drop_folder)
{
    if (access("/dev/full", W_OK) == 0)
        expect_unwritten("> /dev/full", "No space left on device");
    expect_unwritten(">&-", "Bad file descriptor");
    /* 2 KiB: some OpenMP libraries write a file of 1 KiB before the program starts. */
    expect_script("(ulimit -f 4; $E find KvM --limit 0 --tables $T/both > $T/limited)", 1,
                  "einspul: cannot write to standard output: File too large\n");
}

/* Fails if `| head` makes a command that did its work a failed one, or leaves it running. */
Test(streams, closed_pipe_is_no_error, .init = make_tables, .fini = drop_folder)
{
    expect_script("{ timeout 300 $E perft --depth 60 2>&1; echo $? > $T/status; } | head -n 1; "
                  "sleep 1; cat $T/status",
                  0, "1\t9\n0\n");
    expect_script("{ $E find KvM --limit 0 --tables $T/both; echo $? >&2; } 2>&1 > $T/all;"
                  " mkfifo $T/pipe; $E list --tables $T/both 5<>$T/pipe 6>$T/pipe 5<&- >&6",
                  0, "0\n");
}

/* Fails if a command continues after its output has failed. */
Test(streams, stops_when_output_fails, .init = make_tables, .fini = drop_folder)
{
    if (access("/dev/full", W_OK) != 0)
        return;
    expect_script("timeout 300 $E perft --depth 60 > /dev/full 2> /dev/null", 1, "");
    expect_script(
        "yes W:WK46:BK41 2>/dev/null | timeout 300 $E probe - --tables $T/both > /dev/full 2>&1", 1,
        "");
}
