/* `einspul line`: a line of best moves. */
#include "cli/board.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "probe/list_moves.h"
#include "probe/program_handle.h"

static struct {
    int plies;
} own = {.plies = 20};

static const struct option_row own_options[] = {
    {"plies", "N", "length of a drawn line (default: 20)", INT(&own.plies, 1, 10000)},
    {0},
};

static void print_step(const struct options *options, enum notation notation, int ply,
                       enum side side, const struct probed_move *move, const char *fen)
{
    const einspul_outcome outcome = (einspul_outcome)(-move->outcome);
    const struct board *board = &options->rules.board;
    char text[2 * FEN_SIZE];
    notation_write(board, notation, move->text, text, sizeof text);
    if (board_is_wanted(options)) {
        board_show_line_move(ply, side, text);
        return;
    }
    row_count("ply", (uint64_t)ply);
    row_text("move", text);
    notation_write(board, notation, fen, text, sizeof text);
    row_text("fen", text);
    row_text("outcome", outcome_text(outcome));
    row_plies("plies", move->plies < 0 ? -1 : move->plies - 1);
    row_end();
}

/* Plays best moves until there is none, or a drawn line is long enough; `*n_plies` is its length. */
static einspul_status play(const struct options *options, enum notation notation, einspul *handle,
                           einspul_position *position, int *n_plies, einspul_error *error)
{
    const int max_plies = *n_plies;
    *n_plies = 0;
    for (int ply = 1; ply <= max_plies && output_ok(); ply++) {
        size_t n_moves = 0;
        struct probed_move best;
        char fen[FEN_SIZE];
        const einspul_status status = probe_moves(handle, position, &best, 1, &n_moves, error);
        if (status != EINSPUL_OK || n_moves == 0)
            return status;
        const enum side side = (enum side)position->side;
        *position = best.after;
        *n_plies = ply;
        if (einspul_fen_write(options->rules.name, position, fen, error) != EINSPUL_OK)
            return error->status; /* cannot happen: the library returns legal positions */
        print_step(options, notation, ply, side, &best, fen);
    }
    return EINSPUL_OK;
}

/* Prints the last position of a line, and why the line ends. */
static void show_end(const struct options *options, const einspul_position *position,
                     einspul_outcome outcome, int n_plies)
{
    const struct state state = state_of_position(position);
    puts("\n");
    board_show_squares(&options->rules, &state);
    if (outcome != EINSPUL_DRAW)
        printf("%s has no move and has lost.\n", side_name(state.at.side));
    else if (n_plies == own.plies)
        puts("Draw. For a longer line, use --plies N.");
}

static int run(const struct options *options, einspul *handle)
{
    einspul_position position;
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    einspul_error error;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_USAGE;
    probe_position_from_state(&state, &position);
    einspul_status status = einspul_probe(handle, &position, 0, &outcome, &plies, &error);
    if (status == EINSPUL_OK && board_is_wanted(options)) {
        board_show(&options->rules, &state);
        board_show_verdict(state.at.side, outcome, plies);
    }
    int n_plies = plies < 0 ? own.plies : plies;
    if (status == EINSPUL_OK)
        status = play(options, notation, handle, &position, &n_plies, &error);
    if (status == EINSPUL_OK && n_plies > 0 && board_is_wanted(options))
        show_end(options, &position, outcome, n_plies);
    if (status == EINSPUL_OK)
        return EXIT_OK;
    if (status == EINSPUL_NO_METRIC)
        return command_message(
            options, "%s; 'line' needs distances: generate them with --metric dtw", error.text);
    return command_error(options, options->arguments[0], &error);
}

const struct command command_line = {
    .name = "line",
    .group = COMMAND_LOOKS_UP,
    .summary = "show an optimal line to the end of the game",
    .synopsis = "FEN [OPTION…]",
    .about = "Print a line of best play, one move per line. A won or lost line runs to the end\n"
             "of the game, a drawn one for --plies plies. Needs tables with distances.",
    .details = "Output: one line per ply, with its number, the move, the FEN after the move, the\n"
               "outcome for the side to move in that position, and the plies left ('-' for a\n"
               "draw). On a terminal, the moves are numbered as in a game, between boards of\n"
               "the first and the last position.",
    .examples = "  einspul line W:WK3,27:BK48\n"
                "  einspul line --plies 6 W:WK46,28:BK43",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .own = own_options,
    .missing_argument = "missing FEN",
    .max_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
