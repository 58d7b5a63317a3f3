/* `einspul map`: the outcome for each square that a piece may stand on. */
#include <string.h>

#include "cli/board.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/text.h"
#include "study/notation.h"

static struct {
    const char *piece; /* square, a number or letters */
} own;

static const struct option_row own_options[] = {
    {"piece", "SQUARE", "square of the piece, a number or letters", .needed = true,
     TEXT(&own.piece)},
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
        row_text("outcome", verdict_text(&there->verdict));
        row_plies("plies", there->verdict.plies);
        fen_write(&options->rules, &there->state, fen);
        notation_write(&options->rules.board, notation, fen, written, sizeof written);
        row_text("fen", written);
        row_end();
    }
}

/* Reads the square of --piece; -1 after a message. */
static int read_square(const struct options *options)
{
    const struct board *board = &options->rules.board;
    const size_t n = strlen(own.piece);
    uint64_t number = 0;
    int square = -1;
    if (text_read_number(own.piece, 1, (uint64_t)board->n_squares, &number))
        return (int)number - 1;
    if (n > 0 && square_in_letters(board, own.piece, n, &square) == n)
        return square;
    command_message(options, "--piece %.200s: expected a square, 1 to %d or letters", own.piece,
                    board->n_squares);
    return -1;
}

static int run(const struct options *options, einspul *handle)
{
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    struct square_map map;
    einspul_error error;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_USAGE;
    const int square = read_square(options);
    if (square < 0)
        return EXIT_USAGE;
    const einspul_status status = square_map_of(handle, &state, square, &map, &error);
    if (status != EINSPUL_OK)
        return command_error(options, options->arguments[0], &error);
    if (board_is_wanted(options))
        board_show_map(&options->rules, &state, square, &map);
    else
        print_squares(options, notation, &map);
    return EXIT_OK;
}

const struct command command_map = {
    .name = "map",
    .group = COMMAND_LOOKS_UP,
    .summary = "show the outcome with one piece moved to each square",
    .synopsis = "FEN --piece SQUARE [OPTION…]",
    .about = "Move the piece on SQUARE to each square where it may stand (its own included),\n"
             "and print each outcome. If a moved king has a king run, the run moves with it.",
    .details = "Output: one line per square, with the square, the outcome for the side to move,\n"
               "the plies to the end of the game ('-' for a draw, or without distances), and the\n"
               "FEN. On a terminal, the command shows a board with W, D and L.",
    .examples = "  einspul map W:WK46,28:BK43 --piece 43\n"
                "  einspul map W:WKa1,f4:BKe1 --piece e1",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .own = own_options,
    .missing_argument = "missing FEN",
    .max_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
