/* Runs the program in a shell, in a folder of the test, and compares what it printed. */
#ifndef EINSPUL_TESTS_SUPPORT_PROGRAM_H
#define EINSPUL_TESTS_SUPPORT_PROGRAM_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 65536, COMMAND_SIZE = 2048 };

struct result {
    int status;
    char output[OUTPUT_SIZE];
};

static char folder[] = "/tmp/einspul-cli-XXXXXX";

/* `script` is a shell's, with $E for the program and $T for the folder. Standard error is mixed in
 * unless the script sends it elsewhere. */
static inline void run_script(struct result *result, const char *script)
{
    char command[COMMAND_SIZE];
    size_t length = 0;

    const int n = snprintf(command, sizeof command, "E='%s/einspul'; T='%s'; { %s; } 2>&1",
                           EINSPUL_BINARY_DIR, folder, script);
    cr_assert_lt(n, COMMAND_SIZE, "%s", script);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    length = fread(result->output, 1, OUTPUT_SIZE - 1, pipe);
    result->output[length] = '\0';
    const int status = pclose(pipe);
    cr_assert(WIFEXITED(status), "%s", script);
    result->status = WEXITSTATUS(status);
}

/* The same for arguments of the program, and what may follow them in a shell. */
static inline void run(struct result *result, const char *arguments)
{
    char script[COMMAND_SIZE];
    cr_assert_lt(snprintf(script, sizeof script, "$E %s", arguments), COMMAND_SIZE);
    run_script(result, script);
}

static inline void expect_result(const struct result *result, const char *what, int status,
                                 const char *output)
{
    cr_assert_str_eq(result->output, output, "%s: '%s'", what, result->output);
    cr_assert_eq(result->status, status, "%s: exit status %d", what, result->status);
}

static inline void expect(const char *arguments, int status, const char *output)
{
    static struct result result;
    run(&result, arguments);
    expect_result(&result, arguments, status, output);
}

static inline void expect_script(const char *script, int status, const char *output)
{
    static struct result result;
    run_script(&result, script);
    expect_result(&result, script, status, output);
}

/* The output holds a text somewhere. */
static inline void expect_text(const char *arguments, int status, const char *text)
{
    static struct result result;
    run(&result, arguments);
    cr_assert_not_null(strstr(result.output, text), "%s: '%s' is not in '%s'", arguments, text,
                       result.output);
    cr_assert_eq(result.status, status, "%s: exit status %d", arguments, result.status);
}

static inline void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

/* Tables of two pieces: $T/both, and without distances $T/wdl. */
static inline void make_tables(void)
{
    static struct result result;
    make_folder();
    run(&result, "generate --pieces 2 --tables $T/both --threads 2");
    cr_assert_eq(result.status, 0, "%s", result.output);
    run(&result, "generate --pieces 2 --metric wdl --tables $T/wdl --threads 2");
    cr_assert_eq(result.status, 0, "%s", result.output);
}

static inline void remove_folder(void)
{
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

#endif
