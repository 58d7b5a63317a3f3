/* The tables answer at once. Beyond them, the prover (prove/prove.h) gets a part of the time of a
 * move, and calls back to read the lines that arrive during its search. */
#include "cli/hub_engine.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/tables.h"
#include "core/os.h"
#include "core/program/text.h"
#include "probe/list_moves.h"

/* Analysis pages discard shallow lines, so answers of tables report the depth that Scan reports for
 * exact scores, or the distance. */
enum { WHOLE_DEPTH = 99, MAX_LINE_MOVES = 300, MOVE_SIZE = 128, PROVER_BYTES = 1 << 28 };

void hub_print_quoted(const char *text, const char *replaced, const char *by)
{
    putchar('"');
    for (;;) {
        const size_t length = strcspn(text, replaced);
        escape_text(stdout, text, length);
        if (text[length] == '\0')
            break;
        putchar(by[strchr(replaced, text[length]) - replaced]);
        text += length + 1;
    }
    putchar('"');
}

/* A line `command message="…"`. Quotes cannot be escaped in the protocol, and some clients fail on
 * a second `=`. */
void hub_say(const char *command, const char *what, const char *detail)
{
    char text[400];
    snprintf(text, sizeof text, "%s%.300s", what, detail);
    printf("%s message=", command);
    hub_print_quoted(text, "\"=", "':");
    printf("\n");
}

void hub_close_tables(struct hub *hub)
{
    prover_free(hub->prover);
    hub->prover = NULL;
    proof_set_free(&hub->proofs);
    einspul_close(hub->handle);
    hub->handle = NULL;
    hub->tables_failed = false;
}

void hub_open_tables(struct hub *hub)
{
    const char *folders[MAX_FOLDERS];
    char list[HUB_TEXT_SIZE];
    struct os_info info;
    einspul_error error;
    if (hub->handle != NULL || hub->tables_failed)
        return;
    strcpy(list, hub->tables);
    const size_t n = folder_list_split(list, folders, MAX_FOLDERS);
    hub->handle = tables_open_folders(folders, n < MAX_FOLDERS ? n : MAX_FOLDERS,
                                      hub->game.rules.name, (size_t)hub->cache_mib << 20, &error);
    hub->tables_failed = hub->handle == NULL;
    bool there = n > 0;
    for (size_t i = 0; i < n && i < MAX_FOLDERS; i++)
        there = there && os_info_at(folders[i], &info) == 0;
    if (hub->tables_failed) /* a folder with other rule sets only is not an error */
        hub_say(error.status == EINSPUL_NO_FOLDER && there ? "info" : "error", "", error.text);
}

/* --- answering -------------------------------------------------------------------------------- */

/* A move as the protocol writes it. */
static void move_text(const struct probed_move *move, char text[MOVE_SIZE])
{
    snprintf(text, MOVE_SIZE, "%d%c%d", move->from, move->captured != 0 ? 'x' : '-', move->to);
    for (squares_t left = move->captured; left != 0; left &= left - 1)
        text_append(text, MOVE_SIZE, "x%d", bits_first(left) + 1);
}

/* Score in pawns: ±(100 − 0.01 × plies); ±90 without a distance; 0 for a draw. */
static double score_of(const struct probed_move *move)
{
    const double size = move->plies < 0 ? 90.0 : 100.0 - 0.01 * move->plies;
    return move->outcome == EINSPUL_DRAW ? 0.0 : move->outcome == EINSPUL_WIN ? size : -size;
}

/* Prints the line of best moves from a position on; a drawn one is one move long. Quoted only if it
 * has several moves, as in Scan: some clients fail on a single quoted word. */
static void print_line(const struct hub *hub, const struct probed_move *first)
{
    struct probed_move move = *first;
    char text[MOVE_SIZE];
    bool quoted = false;
    move_text(&move, text);
    printf("pv=");
    for (int ply = 1; hub->handle != NULL && ply < MAX_LINE_MOVES && move.plies > 1; ply++) {
        const einspul_position position = move.after;
        size_t n_moves = 0;
        if (probe_moves(hub->handle, &position, &move, 1, &n_moves, NULL) != EINSPUL_OK ||
            n_moves == 0)
            break;
        printf(quoted ? "%s " : "\"%s ", text);
        quoted = true;
        move_text(&move, text);
    }
    printf(quoted ? "%s\"" : "%s", text);
}

/* The fields of an `info` line up to the line of play, in the order of Scan's, which some clients
 * read by. Without a score where the outcome is not known. */
static void print_info(int depth, bool known, double score, uint64_t nodes, double seconds)
{
    printf("info depth=%d mean-depth=%d.0 ", depth, depth);
    if (known)
        printf("score=%.2f ", score);
    printf("nodes=%llu time=%.3f nps=%.3f", (unsigned long long)nodes, seconds,
           seconds > 0.0 ? (double)nodes / seconds * 1e-6 : 0.0);
}

/* Prints `done` with the best move, and the move expected after it. */
static void print_done(struct hub *hub, const struct probed_move *best)
{
    char text[MOVE_SIZE];
    struct probed_move next;
    size_t n_moves = 0;
    move_text(best, text);
    printf("done move=%s", text);
    if (hub->handle != NULL &&
        probe_moves(hub->handle, &best->after, &next, 1, &n_moves, NULL) == EINSPUL_OK &&
        n_moves > 0) {
        move_text(&next, text);
        printf(" ponder=%s", text);
    }
    printf("\n");
    hub->game.from = best->from;
    hub->game.to = best->to;
    hub->game.captured = best->captured;
}

/* Reports why the outcomes of some moves are unknown: an error of files or system, or only a
 * missing table. */
static void say_unknown(const einspul_error *why)
{
    const bool fault = status_is_wrong_content(why->status) || why->status == EINSPUL_IO ||
                       why->status == EINSPUL_NO_MEMORY;
    hub_say(fault ? "error" : "info", "", why->text);
}

/* Reads the lines that came during a search, up to one that has to wait for its end. Answers `ping`;
 * returns false, which ends the search, after `stop`, `quit` and the end of input. */
static bool listen(const struct prove_result *partial, bool proving, void *context)
{
    struct hub *hub = context;
    (void)partial;
    (void)proving;
    while (!hub->waits && lines_wait(hub->lines)) {
        hub->result = lines_next(hub->lines, &hub->line, &hub->n_bytes);
        if (hub->result == LINE_READ && hub_line_is(hub->line, "stop"))
            return false;
        hub->waits = hub->result != LINE_READ || !hub_line_is(hub->line, "ping");
        if (!hub->waits)
            printf("pong\n");
        output_flush();
    }
    return output_ok() && (!hub->waits || hub->result == LINE_TOO_LONG ||
                           (hub->result == LINE_READ && !hub_line_is(hub->line, "quit")));
}

/* Moves the move of the latest proofs to the front if it is better than the tables' answer. True if
 * they decide the position. */
static bool use_proofs(struct hub *hub, const struct state *state, struct move_values *list)
{
    const struct probed_move first = list->moves[0];
    struct book_answer answer = {.has_move = false};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error;
    if (book_ask(&hub->proofs, 1, hub->handle, state, &answer, &error) != EINSPUL_OK)
        return false;
    const bool decided = known_outcome(&answer.known, state->at.side, &outcome);
    if (first.status == EINSPUL_OK && first.outcome >= outcome)
        return decided;
    const size_t best = book_move(&hub->proofs, 1, &answer, list);
    list->moves[0] = list->moves[best];
    list->moves[best] = first;
    if (decided) {
        list->moves[0].status = EINSPUL_OK;
        list->moves[0].outcome = outcome;
    }
    return decided;
}

/* Searches for proofs, and keeps them for the moves that follow; returns the number of positions
 * examined. */
static uint64_t prove(struct hub *hub, const struct state *state)
{
    const struct prove_limits limits = {
        .seconds = 0.4 * hub->seconds,
        .proof_seconds = 0.2 * hub->seconds,
        .progress = listen,
        .context = hub,
    };
    struct prove_result result;
    einspul_error error;
    if (hub->prover == NULL &&
        prover_create(hub->handle, PROVER_BYTES, 1, &hub->prover, &error) != EINSPUL_OK)
        return 0;
    const bool done = prove_position(hub->prover, state, &limits, &result, &error) == EINSPUL_OK;
    if (done && result.proofs.n_proofs > 0) {
        proof_set_free(&hub->proofs);
        hub->proofs = result.proofs;
    } else {
        proof_set_free(&result.proofs);
    }
    return result.n_positions;
}

/* True if the tables leave the position open and the level allows time for a proof search. */
static bool may_prove(const struct hub *hub, const struct state *state,
                      const struct move_values *list)
{
    return hub->handle != NULL && hub->seconds > 0 && list->unknown.status == EINSPUL_NO_TABLE &&
           bits_count(placement_occupied(&state->at)) <= MAX_PROVED &&
           !(list->moves[0].status == EINSPUL_OK && list->moves[0].outcome == EINSPUL_WIN);
}

/* Answers with the move for the position, in the time of the level where it is to `think`; false if
 * there is none. */
static bool answer(struct hub *hub, bool think)
{
    const einspul_position *position = hub_game_position(&hub->game);
    struct move_values list;
    einspul_error error;
    const double start = seconds_now();

    if (position == NULL || hub->other_game) {
        hub_say("error",
                position == NULL ? "no position has been set"
                                 : "unknown variant: send set-param name=variant first",
                "");
        return false;
    }
    hub_open_tables(hub);
    if (list_moves(hub->handle, hub->game.rules.name, position, &list, &error) != EINSPUL_OK) {
        hub_say("error", "", error.text);
        return false;
    }
    if (list.n == 0) {
        free(list.moves);
        print_info(0, true, -100.0, 0, seconds_now() - start);
        printf("\n");
        hub_say("info", "the game is over: no legal moves", "");
        return false;
    }
    uint64_t n_positions = list.n;
    const struct state state = state_of_position(position);
    if (think && may_prove(hub, &state, &list) && !use_proofs(hub, &state, &list)) {
        n_positions += prove(hub, &state);
        use_proofs(hub, &state, &list);
    }
    const struct probed_move best = list.moves[0];
    const bool known = best.status == EINSPUL_OK;
    free(list.moves);
    if (hub->handle != NULL && list.unknown.status != EINSPUL_OK)
        say_unknown(&list.unknown);
    const int depth = !known ? 1 : best.plies <= WHOLE_DEPTH ? WHOLE_DEPTH : best.plies;
    print_info(depth, known, score_of(&best), n_positions, seconds_now() - start);
    putchar(' ');
    print_line(hub, &best);
    printf("\n");
    print_done(hub, &best);
    return true;
}

void hub_go(struct hub *hub, const struct hub_line *line)
{
    hub->game.from = 0;
    if (!answer(hub,
                hub_line_value(line, "ponder") == NULL && hub_line_value(line, "analyze") == NULL))
        printf("done move=\"\"\n");
}
