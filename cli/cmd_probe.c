#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/lines.h"
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

/* Prints the line of a position that has no answer. */
static void refuse(const struct options *options, const char *text, size_t n_bytes, const char *why)
{
    struct row row;
    row_begin(&row, options->json);
    row_bytes(&row, "fen", text, n_bytes);
    row_error(&row, why);
    row_end(&row);
}

/* Prints the line of one position; false when it was a bad one. */
static bool answer(const struct options *options, einspul *handle, const char *text, size_t n_bytes)
{
    struct state state;
    struct error error;
    struct row row;
    char fen[FEN_SIZE];
    enum outcome outcome = OUTCOME_DRAW;
    int plies = -1;
    const size_t length = strlen(text);

    enum status status = length < n_bytes ? error_set(&error, STATUS_BAD_FEN,
                                                      "a zero byte at column %zu", length + 1)
                                          : fen_read(&options->rules, text, &state, &error);
    if (status == STATUS_OK)
        status = probe_position(handle, &state, &outcome, &plies, &error);
    if (status != STATUS_OK) {
        refuse(options, text, n_bytes, error.text);
        return false;
    }
    fen_write(&options->rules, &state, fen);
    row_begin(&row, options->json);
    row_text(&row, "fen", fen);
    row_text(&row, "outcome", outcome_text(outcome));
    row_plies(&row, "plies", plies);
    row_end(&row);
    return true;
}

static bool is_blank(const char *text, size_t n_bytes)
{
    return strspn(text, " \t") == n_bytes;
}

/* Answers are handed out before more input is waited for: who sends a position and waits for its
 * answer gets it, and nothing is lost when the program is stopped there. */
static int answer_stream(const struct options *options, einspul *handle)
{
    static struct lines lines; /* too large for some stacks */
    int status = EXIT_DONE;
    char *line = NULL;
    size_t n_bytes = 0;
    char why[64];

    lines_begin(&lines, STDIN_FILENO, output_flush);
    while (output_works()) {
        switch (lines_next(&lines, &line, &n_bytes)) {
        case LINE_READ:
            if (!is_blank(line, n_bytes) && !answer(options, handle, line, n_bytes))
                status = EXIT_WRONG;
            break;
        case LINE_TOO_LONG:
            snprintf(why, sizeof why, "the beginning of a line of more than %d bytes", LINE_MOST);
            refuse(options, line, n_bytes, why);
            status = EXIT_WRONG;
            break;
        case LINE_FAILED:
            return complain(options, "standard input: %s", strerror(errno));
        case LINE_NO_MORE:
            return status;
        }
    }
    return EXIT_WRONG;
}

static int run(const struct options *options)
{
    int status = EXIT_DONE;
    einspul *handle = tables_open(options, LARGE_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;
    if (options->n_arguments == 0)
        status = answer_stream(options, handle);
    for (int i = 0; i < options->n_arguments && output_works(); i++) {
        const char *text = options->arguments[i];
        if (strcmp(text, "-") == 0) {
            if (answer_stream(options, handle) != EXIT_DONE)
                status = EXIT_WRONG;
        } else if (!answer(options, handle, text, strlen(text))) {
            status = EXIT_WRONG;
        }
    }
    einspul_close(handle);
    return status;
}

const struct command command_probe = {
    .name = "probe",
    .summary = "outcome and distance of positions",
    .synopsis = "[FEN… | -] [OPTION…]",
    .help =
        "Prints a line a position: FEN, win, draw or loss for the side to move, and the plies to\n"
        "the end of the game (- for a draw, or where there are no distances). Without FEN, or\n"
        "with -, reads positions from standard input, one a line of at most 64 KiB; empty lines\n"
        "are skipped. A bad position, or the beginning of a longer line, gets the line\n"
        "'FEN, error: …', the run goes on, and the exit status is 2.",
    .takes = TAKES_TABLES | TAKES(JSON),
    .most_arguments = -1,
    .run = run,
};
