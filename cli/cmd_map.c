/* The square map of a piece. */
#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"

static struct {
    int piece; /* square */
} own;

static const struct option_row own_options[] = {
    {"piece", "SQUARE", "square of the piece", .needed = true, INT(&own.piece, 1, MAX_SQUARES)},
    {0},
};

static void print_squares(const struct options *options, enum notation notation,
                          const struct square_map *map)
{
    for (int square = 0; square < options->rules.board.n_squares; square++) {
        const struct map_square *there = &map->square[square];
        char fen[FEN_SIZE];
        char written[2 * FEN_SIZE];
        if (!there->possible)
            continue;
        snprintf(fen, sizeof fen, "%d", square + 1);
        notation_write(&options->rules.board, notation, fen, written, sizeof written);
        if (notation == NOTATION_LETTERS)
            row_text("square", written);
        else
            row_count("square", (uint64_t)square + 1);
        row_text("outcome", map_verdict_text(&there->verdict));
        row_plies("plies", there->verdict.plies);
        fen_write(&options->rules, &there->state, fen);
        notation_write(&options->rules.board, notation, fen, written, sizeof written);
        row_text("fen", written);
        row_end();
    }
}

static int run(const struct options *options, einspul *handle)
{
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    struct square_map map;
    einspul_error error;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_WRONG;
    const einspul_status status = map_piece(handle, &state, own.piece - 1, &map, &error);
    if (status != EINSPUL_OK)
        return complain_of(options, options->arguments[0], &error);
    if (board_is_wanted(options))
        board_show_map(&options->rules, &state, own.piece - 1, &map);
    else
        print_squares(options, notation, &map);
    return EXIT_DONE;
}

const struct command command_map = {
    .name = "map",
    .summary = "the outcome with a piece on every square",
    .synopsis = "FEN --piece SQUARE [OPTION…]",
    .help =
        "Puts the piece on that square on every square where it may stand, its own and the\n"
        "empty ones, and leaves everything else as it is. Prints a line for each: square, win,\n"
        "draw or loss for the side to move, plies to the end (- for a draw, or without\n"
        "distances), FEN. A king keeps its run. On a terminal it shows a board with W, D and L\n"
        "instead.",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .own = own_options,
    .no_arguments = "a FEN is expected",
    .most_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
