/* Runs the program in a shell, in the test's folder, and checks its output. */
#ifndef EINSPUL_TESTS_SUPPORT_PROGRAM_H
#define EINSPUL_TESTS_SUPPORT_PROGRAM_H

#include "tests/support/folder.h"

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

/* `script` is a shell script; $E is the program, $T the folder. Standard error is merged into the
 * output unless the script redirects it. */
void run_script(struct result *result, const char *script);

/* Like run, for arguments of the program and any shell text after them. */
void run(struct result *result, const char *arguments);

/* Expects exactly this output and exit status. */
void expect(const char *arguments, int status, const char *output);
void expect_script(const char *script, int status, const char *output);

/* Expects a text anywhere in the output. */
void expect_text(const char *arguments, int status, const char *text);

/* The folder, with tables of two pieces: $T/both, and without distances $T/wdl. */
void make_tables(void);

#endif
