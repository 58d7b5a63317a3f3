/* `einspul perft`: counts of lines, without tables. */
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/moves.h"
#include "core/program/game.h"

static struct {
    const char *fen;
    int depth;
} own;

static const struct option_row own_options[] = {
    {"fen", "FEN", "position to start from (default: the start of the game)", TEXT(&own.fen)},
    {"depth", "N", "maximum length of the sequences", .needed = true, INT(&own.depth, 1, 60)},
    {0},
};

static int run(const struct options *options)
{
    struct state state = state_start(&options->rules);

    if (own.fen != NULL && !fen_given(options, "--fen ", own.fen, &state, NULL))
        return EXIT_USAGE;
    for (int depth = 1; depth <= own.depth && output_ok(); depth++) {
        uint64_t n_lines = 0;
        const einspul_status status = moves_perft(&options->rules, &state, depth, &n_lines);
        if (status != EINSPUL_OK) {
            einspul_error error;
            moves_error(status, &error);
            return command_error(options, NULL, &error);
        }
        row_count("depth", (uint64_t)depth);
        row_count("moves", n_lines);
        row_end();
        output_flush();
    }
    return EXIT_OK;
}

const struct command command_perft = {
    .name = "perft",
    .group = COMMAND_TESTS,
    .summary = "count the move sequences of a given length",
    .synopsis = "--depth N [--fen FEN] [OPTION…]",
    .about = "Count the move sequences of length 1 to N from a position, to test the move\n"
             "generator. No tables are needed.",
    .details = "Output: one line per length, with the length and the number of sequences.",
    .examples = "  einspul perft --depth 6\n"
                "  einspul perft --depth 4 --fen W:WK46,28:BK43",
    .takes = TAKES_RULES | TAKES_JSON | TAKES_STRICT,
    .own = own_options,
    .run = run,
};
