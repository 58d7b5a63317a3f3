/* Runs the program in a shell, in the folder of the test, and compares what it printed. */
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

/* `script` is a shell's, with $E for the program and $T for the folder. Standard error is mixed in
 * unless the script sends it elsewhere. */
void run_script(struct result *result, const char *script);

/* The same for arguments of the program, and what may follow them in a shell. */
void run(struct result *result, const char *arguments);

/* Exactly this output and exit status. */
void expect(const char *arguments, int status, const char *output);
void expect_script(const char *script, int status, const char *output);

/* The output holds a text somewhere. */
void expect_text(const char *arguments, int status, const char *text);

/* The folder, with tables of two pieces: $T/both, and without distances $T/wdl. */
void make_tables(void);

#endif
