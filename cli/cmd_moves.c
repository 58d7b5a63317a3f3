/* `einspul moves`: every legal move with what it is worth. */
#include <stdlib.h>

#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/move_text.h"

/* The position, its outcome, and the moves in a list. */
static void show(const struct options *options, const struct state *state, enum notation notation,
                 const struct probed_move *moves, size_t n_moves)
{
    char text[MOVE_TEXT_SIZE];
    board_show(&options->rules, state);
    board_show_verdict(state->at.side, n_moves > 0 ? moves[0].outcome : EINSPUL_LOSS,
                       n_moves > 0 ? moves[0].plies : 0);
    for (size_t i = 0; i < n_moves; i++) {
        notation_write(&options->rules.board, notation, moves[i].text, text, sizeof text);
        board_show_move(0, text, moves[i].outcome, moves[i].plies);
    }
}

static void print_move(const struct options *options, enum notation notation,
                       const struct probed_move *move)
{
    char text[MOVE_TEXT_SIZE];
    notation_write(&options->rules.board, notation, move->text, text, sizeof text);
    row_text("move", text);
    row_text("outcome", outcome_text(move->outcome));
    row_plies("plies", move->plies);
    row_end();
}

static int run(const struct options *options, einspul *handle)
{
    einspul_position position;
    einspul_error error;
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    struct probe_replies *replies = NULL;
    size_t n_moves = 0;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_WRONG;
    probe_position_from_state(&state, &position);
    struct probed_move *moves = map_moves(handle, &position, &replies, &n_moves, &error);
    if (moves == NULL)
        complain(options, "%.400s: %s", options->arguments[0], error.text);
    else if (board_is_wanted(options))
        show(options, &state, notation, moves, n_moves);
    else
        for (size_t i = 0; i < n_moves; i++)
            print_move(options, notation, &moves[i]);
    const int status = moves != NULL ? EXIT_DONE : EXIT_WRONG;
    free(moves);
    free(replies);
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
    .takes = {TAKES_TABLES, TAKES(JSON), TAKES(TSV), TAKES(NOTATION), TAKES(STRICT)},
    .no_arguments = "a FEN is expected",
    .most_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
