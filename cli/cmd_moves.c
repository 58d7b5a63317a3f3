/* `einspul moves`: every legal move with what it is worth. Where the tables do not have the position,
 * each move is looked up by itself. */
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/move_text.h"
#include "probe/list_moves.h"
#include "study/solve.h"

static struct {
    int seconds;
} own;

static const struct option_row own_options[] = {
    {"solve", "SECONDS", "prove what the tables do not have, in so long for each move",
     INT(&own.seconds, 1, 1000000)},
    {0},
};

/* A legal move, and whether it is known what it is worth. */
struct listed {
    struct probed_move move;
    bool known;
    const char *bound; /* NULL, or what else is proved: "not-win", "not-loss" */
};

/* --- the list --------------------------------------------------------------------------------- */

/* Wins, draws, what is not known (best bounds first), losses. */
static int class_of(const struct listed *listed)
{
    if (!listed->known)
        return listed->bound == NULL ? 3 : strcmp(listed->bound, "not-loss") == 0 ? 2 : 4;
    return listed->move.outcome == EINSPUL_WIN ? 0 : listed->move.outcome == EINSPUL_DRAW ? 1 : 5;
}

/* Sorts by class; the moves of one stay in their order, what was proved behind what the tables have. */
static void sort_moves(struct listed *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct listed moved = list[i];
        size_t to = i;
        for (; to > 0 && class_of(&list[to - 1]) > class_of(&moved); to--)
            list[to] = list[to - 1];
        list[to] = moved;
    }
}

/* Proves what a move is worth. */
static einspul_status prove(struct prover *prover, struct listed *listed, einspul_error *error)
{
    struct known_wins known;
    const struct state state = state_of_position(&listed->move.after);
    const enum side side = side_other(state.at.side);
    const einspul_status status = solve_certain(prover, &state, own.seconds, &known, error);
    listed->known = known.decided[WHITE] && known.decided[BLACK];
    if (listed->known)
        listed->move.outcome = (einspul_outcome)(known.wins[side] - known.wins[state.at.side]);
    else if (known.decided[WHITE] || known.decided[BLACK])
        listed->bound = known_text(&known, side);
    return status;
}

/* Proves what the tables do not have. */
static einspul_status prove_all(einspul *handle, struct listed *list, size_t n_moves,
                                einspul_error *error)
{
    enum { PROVER_BYTES = 1 << 29 };
    struct prover *prover = NULL;
    einspul_status status = prover_create(handle, PROVER_BYTES, &prover, error);
    for (size_t i = 0; i < n_moves && status == EINSPUL_OK; i++)
        if (!list[i].known)
            status = prove(prover, &list[i], error);
    prover_free(prover);
    return status;
}

/* The legal moves of a position; `*known` is whether the tables have all of them. NULL with an
 * error. */
static struct listed *list_all(const struct options *options, einspul *handle,
                               const einspul_position *position, size_t *n_moves, bool *known,
                               einspul_error *error)
{
    struct move_values values;
    if (list_moves(handle, options->rules.name, position, &values, error) != EINSPUL_OK)
        return NULL;
    const einspul_status unknown = values.unknown.status;
    const bool is_fault =
        unknown != EINSPUL_OK && (unknown < EINSPUL_NO_TABLE || unknown >= EINSPUL_IO);
    struct listed *list = is_fault ? NULL : malloc((values.n + 1) * sizeof *list);
    *n_moves = values.n;
    *known = unknown == EINSPUL_OK;
    if (is_fault)
        *error = values.unknown;
    else if (list == NULL)
        error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a list of moves");
    else if (!*known && own.seconds == 0)
        complain(options, "%.400s: %s", options->arguments[0], values.unknown.text);
    for (size_t i = 0; list != NULL && i < values.n; i++)
        list[i] = (struct listed){values.moves[i], values.moves[i].status == EINSPUL_OK, NULL};
    free(values.moves);
    if (list == NULL || *known || own.seconds == 0)
        return list;
    if (prove_all(handle, list, *n_moves, error) != EINSPUL_OK) {
        free(list);
        return NULL;
    }
    sort_moves(list, *n_moves);
    return list;
}

/* --- printing --------------------------------------------------------------------------------- */

static const char *outcome_of(const struct listed *listed)
{
    return listed->known           ? map_outcome_text(listed->move.outcome)
           : listed->bound != NULL ? listed->bound
                                   : "unknown";
}

/* The position, its outcome where it is known, and the moves in a list. */
static void show(const struct options *options, const struct state *state, enum notation notation,
                 const struct listed *list, size_t n_moves, bool known)
{
    char text[MOVE_TEXT_SIZE];
    board_show(&options->rules, state);
    if (known)
        board_show_verdict(state->at.side, n_moves > 0 ? list[0].move.outcome : EINSPUL_LOSS,
                           n_moves > 0 ? list[0].move.plies : 0);
    for (size_t i = 0; i < n_moves; i++) {
        notation_write(&options->rules.board, notation, list[i].move.text, text, sizeof text);
        if (list[i].known)
            board_show_move(0, text, list[i].move.outcome, list[i].move.plies);
        else
            printf("  %-14s %s\n", text, outcome_of(&list[i]));
    }
}

static void print_move(const struct options *options, enum notation notation,
                       const struct listed *listed)
{
    char text[MOVE_TEXT_SIZE];
    notation_write(&options->rules.board, notation, listed->move.text, text, sizeof text);
    row_text("move", text);
    row_text("outcome", outcome_of(listed));
    row_plies("plies", listed->known ? listed->move.plies : -1);
    row_end();
}

static int run(const struct options *options, einspul *handle)
{
    einspul_position position;
    einspul_error error;
    enum notation notation = NOTATION_NUMBERS;
    struct state state;
    size_t n_moves = 0;
    bool known = false;
    if (!fen_given(options, "", options->arguments[0], &state, &notation))
        return EXIT_WRONG;
    probe_position_from_state(&state, &position);
    struct listed *list = list_all(options, handle, &position, &n_moves, &known, &error);
    if (list == NULL)
        return complain_of(options, options->arguments[0], &error);
    if (board_is_wanted(options))
        show(options, &state, notation, list, n_moves, known);
    else
        for (size_t i = 0; i < n_moves; i++)
            print_move(options, notation, &list[i]);
    free(list);
    return EXIT_DONE;
}

const struct command command_moves = {
    .name = "moves",
    .summary = "every legal move with its outcome",
    .synopsis = "FEN [OPTION…]",
    .help =
        "Prints every legal move, best first: move, win, draw or loss for the side that makes\n"
        "it, and the plies to the end of the game, the move included (- for a draw, or without\n"
        "distances). Prints nothing if there is no legal move. Where the tables do not have the\n"
        "position, a message says so, and a move whose outcome is not there either is 'unknown',\n"
        "behind wins and draws. With --solve these are proved as 'einspul solve' does it, as far\n"
        "as the time allows: the outcome, or not-win or not-loss.\n"
        "On a terminal it shows a board, the outcome, and the moves below.",
    .own = own_options,
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .no_arguments = "a FEN is expected",
    .most_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
