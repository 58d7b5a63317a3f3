/* `einspul moves`: every legal move with what it is worth. */
#include <stdlib.h>

#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"

/* The position, its outcome, and the moves in a list. */
static void show(const struct options *options, const einspul *handle,
                 const einspul_position *position, const einspul_move *moves, size_t n_moves)
{
    struct state state;
    if (state_from_position(probe_rules(handle), position, &state, NULL) != STATUS_OK)
        return; /* it was read from a FEN, so this cannot be */
    board_show(&options->rules, &state);
    board_show_verdict(state.at.side, n_moves > 0 ? (enum outcome)moves[0].outcome : OUTCOME_LOSS,
                       n_moves > 0 ? moves[0].plies : 0);
    for (size_t i = 0; i < n_moves; i++)
        board_show_move(0, moves[i].text, (enum outcome)moves[i].outcome, moves[i].plies);
}

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
    if (board_is_wanted(options))
        show(options, handle, &position, moves, n_moves);
    for (size_t i = 0; i < n_moves && !board_is_wanted(options); i++) {
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
    .help =
        "Prints every legal move, best first: move, win, draw or loss for the side that makes\n"
        "it, and the plies to the end of the game, the move included (- for a draw, or without\n"
        "distances). Prints nothing if there is no legal move.\n"
        "On a terminal it shows a board, the outcome, and the moves below.",
    .takes = TAKES_TABLES | TAKES(JSON) | TAKES(TSV) | TAKES(STRICT),
    .most_arguments = 1,
    .run = run,
    .threads = command_one_thread,
};
