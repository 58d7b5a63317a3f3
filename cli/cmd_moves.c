#include <stdlib.h>

#include "cli/print.h"
#include "cli/tables.h"

static int run(const struct options *options)
{
    einspul_position position;
    einspul_error error;
    size_t n_moves = 0;
    int status = EXIT_WRONG;
    einspul_move *moves = NULL;
    einspul *handle = tables_open(options, SMALL_CACHE);

    if (handle == NULL)
        return EXIT_WRONG;
    if (!tables_position(options, &position))
        goto cleanup;
    moves = tables_moves(handle, &position, &n_moves, &error);
    if (moves == NULL) {
        complain(options, "%.400s: %s", options->arguments[0], error.text);
        goto cleanup;
    }
    for (size_t i = 0; i < n_moves; i++) {
        struct row row;
        row_begin(&row, options->json);
        row_text(&row, "move", moves[i].text);
        row_text(&row, "outcome", outcome_text((enum outcome)moves[i].outcome));
        row_plies(&row, "plies", moves[i].plies);
        row_end(&row);
    }
    status = EXIT_DONE;

cleanup:
    free(moves);
    einspul_close(handle);
    return status;
}

const struct command command_moves = {
    .name = "moves",
    .summary = "every legal move with its outcome",
    .synopsis = "FEN [OPTION…]",
    .help = "Prints every legal move, best first: move, win, draw or loss for the side that makes\n"
            "it, and the plies to the end of the game, the move included (- for a draw, or where\n"
            "there are no distances). Prints nothing when there is no legal move.",
    .takes = TAKES_TABLES | TAKES(JSON) | TAKES(STRICT),
    .most_arguments = 1,
    .run = run,
};
