/* `einspul line`: a line of best moves. */
#include "cli/board.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "probe/list_moves.h"
#include "probe/program_handle.h"
#include "table/table_open.h"

#include <stdlib.h>

static struct {
    int plies;
    const char *proof;
} own = {.plies = 20};

static const struct option_row own_options[] = {
    {"plies", "N", "length of a drawn line (default: 20)", INT(&own.plies, 1, 10000)},
    {"proof", "FILE",
     "beyond the tables, use the proofs in FILE, written by 'einspul solve --proof'",
     TEXT(&own.proof)},
    {0},
};

/* A line that is being played. */
struct played_line {
    const struct options *options;
    einspul *handle;
    enum notation notation;
    struct book book; /* empty without --proof */
    einspul_position position;
    struct known_wins known; /* of the position */
    int plies;               /* to the end of the game; -1: a draw, or not known */
    int n_played;
};

static enum side side_of(const struct played_line *line)
{
    return (enum side)line->position.side;
}

/* Looks up the position, in the proofs if the tables lack it. */
static einspul_status look_up(struct played_line *line, struct book_answer *answer,
                              einspul_error *error)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    const struct state state = state_of_position(&line->position);
    *answer = (struct book_answer){.has_move = false};
    line->plies = -1;
    einspul_status status =
        einspul_probe(line->handle, &line->position, 0, &outcome, &line->plies, error);
    answer->known = known_of_outcome(outcome, side_of(line));
    if (status_is_missing(status) && status != EINSPUL_NO_METRIC && own.proof != NULL) {
        answer->known = (struct known_wins){.decided = {false}};
        status = book_ask(line->book.sets, line->book.n, line->handle, &state, answer, error);
        if (status == EINSPUL_OK && !answer->known.decided[WHITE] && !answer->known.decided[BLACK])
            status = error_set(error, EINSPUL_NO_TABLE,
                               "neither the tables nor the proofs have the position");
    }
    line->known = answer->known;
    return status;
}

/* Finds the move to play; `*n_moves` is 0 if there is none. */
static einspul_status find_move(struct played_line *line, const struct book_answer *answer,
                                struct probed_move *best, size_t *n_moves, einspul_error *error)
{
    struct move_values list;
    if (answer->n_positions == 0)
        return probe_moves(line->handle, &line->position, best, 1, n_moves, error);
    const einspul_status status =
        list_moves(line->handle, line->options->rules.name, &line->position, &list, error);
    *n_moves = list.n;
    if (status == EINSPUL_OK && list.n > 0)
        *best = list.moves[book_move(line->book.sets, line->book.n, answer, &list)];
    free(list.moves);
    return status;
}

/* Prints a move by `side`; the line is at the position after it. */
static void print_step(const struct played_line *line, enum side side,
                       const struct probed_move *move, const char *fen)
{
    const struct board *board = &line->options->rules.board;
    char text[2 * FEN_SIZE];
    notation_write(board, line->notation, move->text, text, sizeof text);
    if (board_is_wanted(line->options)) {
        board_show_line_move(line->n_played, side, text);
        return;
    }
    row_count("ply", (uint64_t)line->n_played);
    row_text("move", text);
    notation_write(board, line->notation, fen, text, sizeof text);
    row_text("fen", text);
    row_text("outcome", known_text(&line->known, side_of(line)));
    row_plies("plies", move->plies < 0 ? -1 : move->plies - 1);
    row_end();
}

/* Prints the first position. */
static void show_start(const struct played_line *line)
{
    const struct state state = state_of_position(&line->position);
    board_show(&line->options->rules, &state);
    if (line->plies < 0)
        board_show_known(state.at.side, &line->known);
    else
        board_show_verdict(state.at.side,
                           line->known.wins[state.at.side] ? EINSPUL_WIN : EINSPUL_LOSS,
                           line->plies);
}

/* Plays best moves until there is none, or a line that nobody wins is long enough. */
static einspul_status play(struct played_line *line, einspul_error *error)
{
    struct book_answer answer;
    einspul_status status = look_up(line, &answer, error);
    if (status == EINSPUL_OK && board_is_wanted(line->options))
        show_start(line);
    while (status == EINSPUL_OK && output_ok() &&
           (line->known.wins[WHITE] || line->known.wins[BLACK] || line->n_played < own.plies)) {
        const enum side side = side_of(line);
        size_t n_moves = 0;
        struct probed_move best;
        char fen[FEN_SIZE];
        status = find_move(line, &answer, &best, &n_moves, error);
        if (status != EINSPUL_OK || n_moves == 0)
            break;
        line->position = best.after;
        line->n_played++;
        if (einspul_fen_write(line->options->rules.name, &line->position, fen, error) != EINSPUL_OK)
            return error->status; /* cannot happen: the library returns legal positions */
        print_step(line, side, &best, fen);
        status = look_up(line, &answer, error);
    }
    return status;
}

/* Prints the last position of a line, and why the line ends. */
static void show_end(const struct played_line *line)
{
    const struct state state = state_of_position(&line->position);
    puts("\n");
    board_show_squares(&line->options->rules, &state);
    if (line->plies == 0)
        printf("%s has no move and has lost.\n", side_name(state.at.side));
    else if (line->n_played == own.plies)
        puts("For a longer line, use --plies N.");
}

/* Plays the line, with the proofs read; returns an exit status. */
static int play_all(struct played_line *line)
{
    const struct options *options = line->options;
    einspul_error error;
    const einspul_status status = play(line, &error);
    if (line->n_played > 0 && board_is_wanted(options))
        show_end(line);
    if (status == EINSPUL_OK)
        return EXIT_OK;
    if (status == EINSPUL_NO_METRIC)
        return command_message(
            options, "%s; 'line' needs distances: generate them with --metric dtw", error.text);
    return command_error(options, options->arguments[0], &error);
}

static int run(const struct options *options, einspul *handle)
{
    struct played_line line = {.options = options, .handle = handle, .notation = NOTATION_NUMBERS};
    struct state state;
    einspul_error error;
    if (!fen_given(options, "", options->arguments[0], &state, &line.notation))
        return EXIT_USAGE;
    probe_position_from_state(&state, &line.position);
    const einspul_status status = own.proof != NULL
                                      ? proofs_open(options, own.proof, handle, &line.book, &error)
                                      : EINSPUL_OK;
    const int result =
        status == EINSPUL_OK ? play_all(&line) : command_error(options, NULL, &error);
    book_free(&line.book);
    return result;
}

const struct command command_line = {
    .name = "line",
    .group = COMMAND_LOOKS_UP,
    .summary = "show an optimal line to the end of the game",
    .synopsis = "FEN [OPTION…]",
    .about = "Print a line of best play, one move per line. A won or lost line runs to the end\n"
             "of the game, a drawn one for --plies plies. Needs tables with distances.\n"
             "With --proof, the line may begin beyond the tables: the winner plays the moves\n"
             "of the proof, and the loser the replies after which the proof takes longest.",
    .details = "Output: one line per ply, with its number, the move, the FEN after the move, the\n"
               "outcome for the side to move in that position, and the plies left ('-' for a\n"
               "draw, and beyond the tables). On a terminal, the moves are numbered as in a\n"
               "game, between boards of the first and the last position.",
    .examples = "  einspul line W:WK3,27:BK48\n"
                "  einspul line --plies 6 W:WK46,28:BK43\n"
                "  einspul line B:W36,37,41,46:B3,4,9,K14 --proof game.proof",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .own = own_options,
    .missing_argument = "missing FEN",
    .max_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
