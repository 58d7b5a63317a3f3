#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cli/print.h"
#include "cli/tables.h"

/* Outcome and distance, or the outcome alone where there are no distances. */
static enum status probe_position(einspul *handle, const struct state *state, enum outcome *outcome,
                                  int *plies, struct error *error)
{
    value_t value = VALUE_NONE;
    enum status status = probe_state(handle, state, METRIC_DTW, 0, &value, error);
    const bool distances = status != STATUS_NO_METRIC;
    if (!distances)
        status = probe_state(handle, state, METRIC_WDL, 0, &value, error);
    if (status != STATUS_OK)
        return status;
    *outcome = value_outcome(value);
    *plies = distances ? value_plies(value) : -1;
    return STATUS_OK;
}

/* Prints the line of one position; false when it was a bad one. */
static bool answer(const struct options *options, einspul *handle, const char *text)
{
    struct state state;
    struct error error;
    struct row row;
    char fen[FEN_SIZE];
    enum outcome outcome = OUTCOME_DRAW;
    int plies = -1;

    enum status status = fen_read(&options->rules, text, &state, &error);
    if (status == STATUS_OK)
        status = probe_position(handle, &state, &outcome, &plies, &error);
    row_begin(&row, options->json);
    if (status != STATUS_OK) {
        row_text(&row, "fen", text);
        row_error(&row, error.text);
    } else {
        fen_write(&options->rules, &state, fen);
        row_text(&row, "fen", fen);
        row_text(&row, "outcome", outcome_text(outcome));
        row_plies(&row, "plies", plies);
    }
    row_end(&row);
    return status == STATUS_OK;
}

static int answer_stream(const struct options *options, einspul *handle, FILE *stream)
{
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_DONE;

    for (ssize_t length; (length = getline(&line, &size, stream)) != -1;) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        if (strspn(line, " \t") == (size_t)length)
            continue;
        for (char *zero; (zero = memchr(line, '\0', (size_t)length)) != NULL;)
            *zero = '?';
        if (!answer(options, handle, line))
            status = EXIT_WRONG;
        if (ferror(stdout))
            break;
    }
    if (ferror(stream))
        status = complain(options, "standard input: %s", strerror(errno));
    free(line);
    return status;
}

static int run(const struct options *options)
{
    int status = EXIT_DONE;
    einspul *handle = tables_open(options, LARGE_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;
    if (options->n_arguments == 0)
        status = answer_stream(options, handle, stdin);
    for (int i = 0; i < options->n_arguments; i++) {
        const char *text = options->arguments[i];
        if (strcmp(text, "-") == 0) {
            if (answer_stream(options, handle, stdin) != EXIT_DONE)
                status = EXIT_WRONG;
        } else if (!answer(options, handle, text)) {
            status = EXIT_WRONG;
        }
    }
    einspul_close(handle);
    return status;
}

const struct command command_probe = {
    .name = "probe",
    .title = "einspul probe",
    .summary = "outcome and distance of positions",
    .synopsis = "[FEN… | -] [OPTION…]",
    .help =
        "Prints a line a position: FEN, win, draw or loss for the side to move, and the plies to\n"
        "the end of the game (- for a draw, or where there are no distances). Without FEN, or\n"
        "with -, reads positions from standard input, one a line; empty lines are skipped. A\n"
        "bad position gets the line 'FEN, error: …', the run goes on, and the exit status is 2.",
    .takes = " json ",
    .most_arguments = -1,
    .run = run,
};
