#include "tests/support/program.h"

void run_script(struct result *result, const char *script)
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

void run(struct result *result, const char *arguments)
{
    char script[COMMAND_SIZE];
    cr_assert_lt(snprintf(script, sizeof script, "$E %s", arguments), COMMAND_SIZE);
    run_script(result, script);
}

static void expect_result(const struct result *result, const char *what, int status,
                          const char *output)
{
    cr_assert_str_eq(result->output, output, "%s: '%s'", what, result->output);
    cr_assert_eq(result->status, status, "%s: exit status %d", what, result->status);
}

void expect(const char *arguments, int status, const char *output)
{
    static struct result result;
    run(&result, arguments);
    expect_result(&result, arguments, status, output);
}

void expect_script(const char *script, int status, const char *output)
{
    static struct result result;
    run_script(&result, script);
    expect_result(&result, script, status, output);
}

void expect_text(const char *arguments, int status, const char *text)
{
    static struct result result;
    run(&result, arguments);
    cr_assert_not_null(strstr(result.output, text), "%s: '%s' is not in '%s'", arguments, text,
                       result.output);
    cr_assert_eq(result.status, status, "%s: exit status %d", arguments, result.status);
}

void make_tables(void)
{
    static struct result result;
    make_folder();
    run(&result, "generate --pieces 2 --tables $T/both --threads 2");
    cr_assert_eq(result.status, 0, "%s", result.output);
    run(&result, "generate --pieces 2 --metric wdl --tables $T/wdl --threads 2");
    cr_assert_eq(result.status, 0, "%s", result.output);
}
