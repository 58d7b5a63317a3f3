/* An engine for user interfaces and bots that speak the Hub protocol, version 2 (of Scan). It plays
 * perfectly where the tables answer. Elsewhere it says so in an `info` line and plays the best move
 * it knows, because clients block on `ready` and `done`, some without a timeout. `error` is
 * reserved for faults, since some clients abort on it; for the same reason unknown commands and
 * arguments are ignored silently, and the rest of a line is obeyed.
 *
 * `pos` gives pieces and the moves since; hub_game.h brings king runs and clocks forward. As
 * extensions, `wolf` gives king runs, as the analysis page of lidraughts.org does, and `pos fen=…`
 * a position with its rule state. `go` answers at once, also to `go analyze` and `go ponder`: a
 * client that waits for a line before it sends `stop` would block. Where the tables end, `go think`
 * under a `level` with a time searches for a proof (prove/prove.h), in a part of the time of a
 * move; during the search it answers `ping`, and `stop`, `quit` and the end of input end it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/hub_line.h"
#include "cli/lines.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/os.h"
#include "core/program/game.h"
#include "core/program/text.h"
#include "probe/list_moves.h"
#include "prove/prove.h"
#include "study/hub_game.h"

/* Analysis pages discard shallow lines, so answers of tables report the depth that Scan reports for
 * exact scores, or the distance. */
enum {
    WHOLE_DEPTH = 99,
    MAX_LINE_MOVES = 300,
    MOVE_SIZE = 128,
    TEXT_SIZE = 4096,
    MAX_CACHE = 65536,
    PROVER_BYTES = 1 << 28
};

struct hub {
    struct rules own_rules; /* of --rules */
    struct hub_game game;
    bool other_game; /* the last `variant` was unknown; positions are not answered */
    char tables[TEXT_SIZE];
    bool tables_failed; /* that was said already */
    int cache_mib;
    einspul *handle;
    struct prover *prover; /* NULL until it is needed */
    double seconds;        /* for a move; 0: any number */
    bool quit;
    /* The line that was read last; during a search one that is obeyed after it. */
    struct lines *lines;
    enum line_result result;
    char *line;
    size_t n_bytes;
    bool waits; /* the line is still to be obeyed */
};

/* Prints a text in quotes, each character in `replaced` as the one in `by`. */
static void print_quoted(const char *text, const char *replaced, const char *by)
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
static void say(const char *command, const char *what, const char *detail)
{
    char text[400];
    snprintf(text, sizeof text, "%s%.300s", what, detail);
    printf("%s message=", command);
    print_quoted(text, "\"=", "':");
    printf("\n");
}

/* Tables are opened again when they are next needed. */
static void close_tables(struct hub *hub)
{
    prover_free(hub->prover);
    hub->prover = NULL;
    einspul_close(hub->handle);
    hub->handle = NULL;
    hub->tables_failed = false;
}

/* --- setting up ------------------------------------------------------------------------------- */

static void introduce(const struct hub *hub)
{
    printf("id name=einspul version=%s author=\"the einspul authors\"\n", einspul_version());
    printf("param name=tables value=");
    print_quoted(hub->tables, "\"", "'");
    printf(" type=string\n");
    printf("param name=cache value=%d type=int min=1 max=%d\n", hub->cache_mib, MAX_CACHE);
    printf("param name=variant value=%s type=enum values=\"normal", hub->game.rules.name);
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++)
        printf(" %s", *name);
    printf("\"\nwait\n");
}

/* Clients always set `variant` to the name of the game. That selects the rule set of --rules if it
 * belongs to the game; another rule set is selected by its own name. */
static void set_variant(struct hub *hub, const char *value)
{
    const char *name = rules_name_of_game(value);
    struct rules rules;
    hub->other_game = name == NULL || rules_by_name(&rules, name, NULL) != EINSPUL_OK;
    if (hub->other_game) {
        say("error", "unknown variant ", value);
        return;
    }
    if (rules_is_standard(&rules) && rules.pdn_game_type == hub->own_rules.pdn_game_type)
        rules = hub->own_rules;
    if (rules.id != hub->game.rules.id)
        close_tables(hub);
    hub_game_begin(&hub->game, &rules);
}

/* Parameters that are not known are those of another engine, which clients set as well. */
static void set_param(struct hub *hub, const struct hub_line *line)
{
    const char *name = hub_line_value(line, "name");
    const char *value = hub_line_value(line, "value");
    uint64_t mib = 0;
    if (name == NULL || value == NULL) {
        say("error", "set-param requires a name and a value", "");
    } else if (strcmp(name, "variant") == 0) {
        set_variant(hub, value);
    } else if (strcmp(name, "tables") == 0) {
        if (value[0] == '\0' || strlen(value) >= TEXT_SIZE) {
            say("error", "invalid path in parameter 'tables'", "");
            return;
        }
        strcpy(hub->tables, value);
        close_tables(hub);
    } else if (strcmp(name, "cache") == 0) {
        if (text_read_number(value, 1, MAX_CACHE, &mib))
            hub->cache_mib = (int)mib;
        else
            say("error", "parameter 'cache' must be a number of MiB from 1 to 65536", "");
    }
}

/* Opens the tables if they are not; the handle is NULL after an error, which is said once. */
static void open_tables(struct hub *hub)
{
    const char *folders[MAX_FOLDERS];
    char list[TEXT_SIZE];
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
        say(error.status == EINSPUL_NO_FOLDER && there ? "info" : "error", "", error.text);
}

static void set_position(struct hub *hub, const struct hub_line *line)
{
    const struct hub_pos pos = {
        .start = hub_line_value(line, "start") != NULL,
        .squares = hub_line_value(line, "pos"),
        .fen = hub_line_value(line, "fen"),
        .runs = hub_line_value(line, "wolf"),
        .moves = hub_line_value(line, "moves"),
    };
    einspul_error error;
    bool ignored = false;
    if (!hub_game_set(&hub->game, &pos, &ignored, &error))
        say("error", "", error.text);
    if (ignored)
        say("info", "wolf ignored, there is no such king run: ", pos.runs);
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
    say(fault ? "error" : "info", "", why->text);
}

/* Index of the proof's move in the list; the list's length if absent. */
static size_t find_move(const struct move_values *list, const struct proof_move *move)
{
    size_t i = 0;
    while (i < list->n &&
           (move == NULL || list->moves[i].from != move->from + 1 ||
            list->moves[i].to != move->to + 1 || list->moves[i].captured != move->captured))
        i++;
    return i;
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

/* Moves the move of a certified strategy to the front if it is better than the tables' answer;
 * returns the number of positions examined. */
static uint64_t prove(struct hub *hub, const struct state *state, struct move_values *list)
{
    const struct prove_limits limits = {
        .seconds = 0.4 * hub->seconds,
        .proof_seconds = 0.2 * hub->seconds,
        .progress = listen,
        .context = hub,
    };
    const struct probed_move first = list->moves[0];
    struct prove_result result;
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error;
    if (hub->prover == NULL &&
        prover_create(hub->handle, PROVER_BYTES, 1, &hub->prover, &error) != EINSPUL_OK)
        return 0;
    const bool done = prove_position(hub->prover, state, &limits, &result, &error) == EINSPUL_OK;
    for (int i = 0; i < result.proofs.n_proofs && done; i++) {
        const struct proof *proof = &result.proofs.proofs[i];
        const size_t at =
            find_move(list, proof->player == state->at.side ? proof_move_of(proof, state) : NULL);
        const bool wins = proof->claim == PROOF_WINS;
        if (at == list->n || (!wins && first.status == EINSPUL_OK && first.outcome != EINSPUL_LOSS))
            continue;
        list->moves[0] = list->moves[at];
        list->moves[at] = first;
        if (known_outcome(&result.known, state->at.side, &outcome)) {
            list->moves[0].status = EINSPUL_OK;
            list->moves[0].outcome = outcome;
        }
    }
    proof_set_free(&result.proofs);
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
        say("error",
            position == NULL ? "no position has been set"
                             : "unknown variant: send set-param name=variant first",
            "");
        return false;
    }
    open_tables(hub);
    if (list_moves(hub->handle, hub->game.rules.name, position, &list, &error) != EINSPUL_OK) {
        say("error", "", error.text);
        return false;
    }
    if (list.n == 0) {
        free(list.moves);
        print_info(0, true, -100.0, 0, seconds_now() - start);
        printf("\n");
        say("info", "the game is over: no legal moves", "");
        return false;
    }
    uint64_t n_positions = list.n;
    const struct state state = state_of_position(position);
    if (think && may_prove(hub, &state, &list))
        n_positions += prove(hub, &state, &list);
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

/* Every `go` is answered; without a move, with an empty quoted value. */
static void go(struct hub *hub, const struct hub_line *line)
{
    hub->game.from = 0;
    if (!answer(hub,
                hub_line_value(line, "ponder") == NULL && hub_line_value(line, "analyze") == NULL))
        printf("done move=\"\"\n");
}

/* --- commands --------------------------------------------------------------------------------- */

/* The time for a move: that of the level, or its share of the time that is left. */
static void set_level(struct hub *hub, const struct hub_line *line)
{
    enum { MOVES_LEFT = 40 };
    static const char *const names[] = {"move-time", "time", "inc", "moves"};
    double given[] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const char *value = hub_line_value(line, names[i]);
        if (value != NULL && strspn(value, "0123456789.") == strlen(value))
            given[i] = strtod(value, NULL);
    }
    hub->seconds = given[0];
    if (given[0] == 0 && given[1] > 0)
        hub->seconds = given[1] / (given[3] > 0 ? given[3] + 1 : MOVES_LEFT) + given[2];
}

/* Others are ignored, as the protocol requires; among them `ponder-hit` and a `stop` outside a search
 * (see listen) need nothing. */
static void obey(struct hub *hub, const struct hub_line *line)
{
    const char *command = line->command;
    if (strcmp(command, "hub") == 0) {
        introduce(hub);
    } else if (strcmp(command, "init") == 0) {
        open_tables(hub);
        printf("ready\n");
    } else if (strcmp(command, "ping") == 0) {
        printf("pong\n");
    } else if (strcmp(command, "set-param") == 0) {
        set_param(hub, line);
    } else if (strcmp(command, "pos") == 0) {
        set_position(hub, line);
    } else if (strcmp(command, "level") == 0) {
        set_level(hub, line);
    } else if (strcmp(command, "go") == 0) {
        go(hub, line);
    } else if (strcmp(command, "new-game") == 0) {
        hub_game_begin(&hub->game, &hub->game.rules);
    } else if (strcmp(command, "quit") == 0) {
        hub->quit = true;
    }
}

static void obey_text(struct hub *hub, char *text, size_t n_bytes)
{
    struct hub_line line;
    if (strlen(text) < n_bytes)
        say("error", "the line contains a NUL byte; read as a space", "");
    for (size_t i = 0; i < n_bytes; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    hub_line_split(text, &line);
    obey(hub, &line);
}

static int run(const struct options *options)
{
    static struct lines lines; /* too large for some stacks */
    static struct hub hub;     /* too large for some stacks */
    int status = EXIT_OK;
    size_t n_folders_bytes = 0;
    hub =
        (struct hub){.own_rules = options->rules, .cache_mib = SMALL_CACHE >> 20, .lines = &lines};
    for (size_t i = 0; i < options->n_folders; i++)
        n_folders_bytes += strlen(options->folders[i]) + 1;
    if (n_folders_bytes > sizeof hub.tables)
        return complain(options, "--tables: the list of folders is too long");
    for (size_t i = 0; i < options->n_folders; i++) { /* as a list, which a client may change */
        if (i > 0)
            text_append(hub.tables, sizeof hub.tables, "%c", OS_LIST_SEPARATOR);
        text_append(hub.tables, sizeof hub.tables, "%s", options->folders[i]);
    }
    hub_game_begin(&hub.game, &options->rules);
    while (!hub.quit && output_ok()) {
        if (!hub.waits)
            hub.result = lines_next(&lines, &hub.line, &hub.n_bytes);
        hub.waits = false;
        if (hub.result == LINE_READ) {
            obey_text(&hub, hub.line, hub.n_bytes);
        } else if (hub.result == LINE_TOO_LONG) {
            say("error", "line too long, ignored; the position is cleared", "");
            hub.game.n = 0; /* it may have been a `pos` */
        } else {
            if (hub.result == LINE_FAILED) {
                complain(options, "cannot read standard input: %s", strerror(errno));
                status = EXIT_FAILED;
            }
            break;
        }
        output_flush();
    }
    close_tables(&hub);
    return status;
}

const struct command command_hub = {
    .name = "hub",
    .group = COMMAND_SERVES,
    .summary = "run as an engine for the Hub protocol",
    .synopsis = "[OPTION…]",
    .about = "Run as an engine that uses the Hub protocol (version 2) on standard input and\n"
             "output, for draughts programs and bots.",
    .details = "Play: if the tables cover the position, the engine answers 'go' at once with a\n"
               "best move. In a position with more pieces, up to twelve, it searches for a proof\n"
               "like 'einspul solve' if 'level' sets a time. After 'level move-time=1' it\n"
               "answers within a second. Of several drawing moves it prefers those that keep\n"
               "material, then those that leave the opponent the fewest drawing replies. If it\n"
               "does not know the outcomes of all moves, it says so in an 'info' line. It then\n"
               "plays a known win, otherwise a known draw, otherwise a move that is not a known\n"
               "loss.\n"
               "\n"
               "Scores: a win scores 100 less 0.01 for each ply to the end of the game, or 90 if\n"
               "the distance is unknown. A loss scores the negative of that. Without a known\n"
               "outcome, no score is sent.\n"
               "\n"
               "Rule state: king runs and the clock of two kings against one are computed from\n"
               "the moves in 'pos'. If a position follows from the previous one by a legal move,\n"
               "they are carried over.\n"
               "\n"
               "Extensions of the protocol:\n"
               "  pos … wolf=\"W16=3 B2=1\"  king runs\n"
               "  pos fen=FEN              a position with its rule state\n"
               "  set-param name=variant value=NAME\n"
               "                           a game ('frisian', 'normal', …) or a rule set. For a\n"
               "                           game, the rule set is that of --rules if it belongs\n"
               "                           to this game\n"
               "\n"
               "Without a legal move or a position, the engine answers 'done move=\"\"'.",
    .examples = "  einspul hub\n"
                "  einspul hub --tables frisian.pack",
    .takes = TAKES_TABLES,
    .run = run,
};
