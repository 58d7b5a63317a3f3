/* `einspul moves`: lists every legal move with its value. If the position is not in the tables,
 * each successor is probed separately. */
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/fen.h"
#include "probe/list_moves.h"
#include "prove/prove.h"
#include "table/table_open.h"

static struct {
    int seconds;
    const char *proof;
} own;

static const struct option_row own_options[] = {
    {"solve", "SECONDS",
     "prove outcomes that are not in the tables, for at most this long per move",
     INT(&own.seconds, 1, 1000000)},
    {"proof", "FILE", "use the proofs in FILE, written by 'einspul solve --proof'",
     TEXT(&own.proof)},
    {0},
};

/* The values of moves, in the order in which they are listed. */
static const char *const worths[] = {"win", "draw", "not-loss", "unknown", "not-win", "loss"};
enum { N_WORTHS = sizeof worths / sizeof worths[0] };

/* Enters the known value of the position after a move. */
static void enter(struct probed_move *move, const struct known_wins *known, const char **worth)
{
    const enum side side = side_other(state_of_position(&move->after).at.side);
    if (known->decided[WHITE] || known->decided[BLACK])
        *worth = known_text(known, side);
    if (known_outcome(known, side, &move->outcome))
        move->status = EINSPUL_OK;
}

/* Enters the results of a file of proofs for the moves that the tables lack. */
static einspul_status use_proofs(const struct options *options, einspul *handle,
                                 struct move_values *list, const char **worth, einspul_error *error)
{
    struct book book;
    einspul_status status = proofs_open(options, own.proof, handle, &book, error);
    for (size_t i = 0; i < list->n && status == EINSPUL_OK; i++) {
        const struct state after = state_of_position(&list->moves[i].after);
        struct book_answer answer = {.has_move = false};
        if (list->moves[i].status == EINSPUL_OK)
            continue;
        status = book_ask(book.sets, book.n, handle, &after, &answer, error);
        enter(&list->moves[i], &answer.known, &worth[i]);
    }
    book_free(&book);
    return status;
}

/* Proves the moves that the tables lack; `worth` has a word for each move. */
static einspul_status prove_all(einspul *handle, struct move_values *list, const char **worth,
                                einspul_error *error)
{
    enum { PROVER_BYTES = 1 << 29 };
    struct prover *prover = NULL;
    einspul_status status = prover_create(handle, PROVER_BYTES, 1, &prover, error);
    for (size_t i = 0; i < list->n && status == EINSPUL_OK; i++) {
        struct probed_move *move = &list->moves[i];
        const struct state after = state_of_position(&move->after);
        struct known_wins known;
        if (move->status == EINSPUL_OK)
            continue;
        status = prove_outcome(prover, &after, own.seconds, &known, error);
        enter(move, &known, &worth[i]);
    }
    prover_free(prover);
    return status;
}

static void print_move(const struct options *options, enum notation notation,
                       const struct probed_move *move, const char *worth)
{
    char text[MOVE_TEXT_SIZE];
    notation_write(&options->rules.board, notation, move->text, text, sizeof text);
    if (board_is_wanted(options) && move->status == EINSPUL_OK) {
        board_show_move(text, move->outcome, move->plies);
    } else if (board_is_wanted(options)) {
        printf("  %-14s %s\n", text,
               strcmp(worth, "unknown") != 0           ? worth
               : own.seconds == 0 && own.proof == NULL ? "not in the tables"
                                                       : "not proved");
    } else {
        row_text("move", text);
        row_text("outcome", worth);
        row_plies("plies", move->plies);
        row_end();
    }
}

/* Prints the outcome of a position on a terminal: from the tables, or else the best of its moves if
 * that is known. */
static void show_outcome(const struct state *state, const struct move_values *list)
{
    bool known = true;
    einspul_outcome best = EINSPUL_LOSS;
    for (size_t i = 0; i < list->n; i++) {
        if (list->moves[i].status != EINSPUL_OK)
            known = false;
        else if (list->moves[i].outcome > best)
            best = list->moves[i].outcome;
    }
    if (list->unknown.status == EINSPUL_OK)
        board_show_verdict(state->at.side, best, list->n > 0 ? list->moves[0].plies : 0);
    else if (known || best == EINSPUL_WIN)
        board_show_verdict(state->at.side, best, -1);
    else
        puts("Not in the tables.\n");
}

/* Prints the moves, and on a terminal the position with its outcome, if known. */
static void print_list(const struct options *options, const struct state *state,
                       enum notation notation, const struct move_values *list, const char **worth)
{
    if (board_is_wanted(options)) {
        board_show(&options->rules, state);
        show_outcome(state, list);
    }
    for (int which = 0; which < N_WORTHS; which++)
        for (size_t i = 0; i < list->n; i++)
            if (strcmp(worth[i], worths[which]) == 0)
                print_move(options, notation, &list->moves[i], worth[i]);
    int n_draws = 0;
    for (size_t i = 0; i < list->n; i++)
        n_draws += strcmp(worth[i], outcome_text(EINSPUL_DRAW)) == 0;
    if (board_is_wanted(options) && n_draws > 1)
        puts("\nDraws: first those that keep most material, then those after which most replies "
             "are mistakes.");
}

/* The list, with proofs if they were requested. */
static einspul_status show_all(const struct options *options, einspul *handle,
                               const struct state *state, enum notation notation,
                               struct move_values *list, einspul_error *error)
{
    const einspul_status unknown = list->unknown.status;
    if (unknown != EINSPUL_OK && !status_is_missing(unknown))
        return error_set(error, unknown, "%s", list->unknown.text);
    const char **worth = malloc((list->n + 1) * sizeof *worth);
    if (worth == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a list of moves");
    for (size_t i = 0; i < list->n; i++)
        worth[i] =
            list->moves[i].status == EINSPUL_OK ? outcome_text(list->moves[i].outcome) : "unknown";
    einspul_status status = EINSPUL_OK;
    if (unknown != EINSPUL_OK && own.proof != NULL)
        status = use_proofs(options, handle, list, worth, error);
    if (status == EINSPUL_OK && unknown != EINSPUL_OK && own.seconds > 0)
        status = prove_all(handle, list, worth, error);
    else if (unknown != EINSPUL_OK && own.proof == NULL)
        command_message(options, "%.400s: %s; use --solve SECONDS to prove the moves",
                        options->arguments[0], list->unknown.text);
    if (status == EINSPUL_OK)
        print_list(options, state, notation, list, worth);
    free(worth);
    return status;
}

static int run(const struct options *options, einspul *handle)
{
    einspul_position position;
    einspul_error error;
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    struct move_values list;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_USAGE;
    probe_position_from_state(&state, &position);
    einspul_status status = list_moves(handle, options->rules.name, &position, &list, &error);
    if (status == EINSPUL_OK)
        status = show_all(options, handle, &state, notation, &list, &error);
    free(list.moves);
    return status == EINSPUL_OK ? EXIT_OK : command_error(options, options->arguments[0], &error);
}

const struct command command_moves = {
    .name = "moves",
    .group = COMMAND_LOOKS_UP,
    .summary = "list the legal moves with their outcomes, best first",
    .synopsis = "FEN [OPTION…]",
    .about = "List every legal move with its outcome for the side that makes it, best first.",
    .details = "Output: one line per move, with the move, its outcome, and the plies to the end\n"
               "of the game including the move ('-' for a draw, or without distances). Without a\n"
               "legal move, there is no output. On a terminal, a board and the outcome of the\n"
               "position come first.\n"
               "\n"
               "If the tables do not cover the position, a message says so. A move whose outcome\n"
               "is not known is marked 'unknown' and listed after the wins and draws. With\n"
               "--solve, the command tries to prove such outcomes within the time limit, as\n"
               "'einspul solve' does. It then prints the outcome, or 'not-win' or 'not-loss' if\n"
               "only that is proved. With --proof, it takes the outcomes from a file of proofs,\n"
               "after checking each proof.",
    .examples = "  einspul moves W:WK46,28:BK43\n"
                "  einspul moves --solve 10 W:WK46,28,33,38:BK43,4,9",
    .own = own_options,
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .missing_argument = "missing FEN",
    .max_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
