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

#include "cli/hub_engine.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/os.h"
#include "core/program/game.h"
#include "core/program/text.h"

enum { MAX_CACHE = 65536 }; /* MiB */

/* --- setting up ------------------------------------------------------------------------------- */

static void introduce(const struct hub *hub)
{
    printf("id name=einspul version=%s author=\"the einspul authors\"\n", einspul_version());
    printf("param name=tables value=");
    hub_print_quoted(hub->tables, "\"", "'");
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
        hub_say("error", "unknown variant ", value);
        return;
    }
    if (rules_is_standard(&rules) && rules.pdn_game_type == hub->own_rules.pdn_game_type)
        rules = hub->own_rules;
    if (rules.id != hub->game.rules.id)
        hub_close_tables(hub);
    hub_game_begin(&hub->game, &rules);
}

/* Parameters that are not known are those of another engine, which clients set as well. */
static void set_param(struct hub *hub, const struct hub_line *line)
{
    const char *name = hub_line_value(line, "name");
    const char *value = hub_line_value(line, "value");
    uint64_t mib = 0;
    if (name == NULL || value == NULL) {
        hub_say("error", "set-param requires a name and a value", "");
    } else if (strcmp(name, "variant") == 0) {
        set_variant(hub, value);
    } else if (strcmp(name, "tables") == 0) {
        if (value[0] == '\0' || strlen(value) >= HUB_TEXT_SIZE) {
            hub_say("error", "invalid path in parameter 'tables'", "");
            return;
        }
        strcpy(hub->tables, value);
        hub_close_tables(hub);
    } else if (strcmp(name, "cache") == 0) {
        if (text_read_number(value, 1, MAX_CACHE, &mib))
            hub->cache_mib = (int)mib;
        else
            hub_say("error", "parameter 'cache' must be a number of MiB from 1 to 65536", "");
    }
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
        hub_say("error", "", error.text);
    if (ignored)
        hub_say("info", "wolf ignored, there is no such king run: ", pos.runs);
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
        hub_open_tables(hub);
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
        hub_go(hub, line);
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
        hub_say("error", "the line contains a NUL byte; read as a space", "");
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
        return command_message(options, "--tables: the list of folders is too long");
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
            hub_say("error", "line too long, ignored; the position is cleared", "");
            hub.game.n = 0; /* it may have been a `pos` */
        } else {
            if (hub.result == LINE_FAILED) {
                command_message(options, "cannot read standard input: %s", strerror(errno));
                status = EXIT_FAILED;
            }
            break;
        }
        output_flush();
    }
    hub_close_tables(&hub);
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
               "best move. In a position with more pieces, up to twelve, it searches for a\n"
               "proof, as 'einspul solve' does, if 'level' sets a time. After\n"
               "'level move-time=1', it answers 'go' within a second. Of several drawing moves,\n"
               "it prefers those that keep material, then those that leave the opponent the\n"
               "fewest drawing replies. If it does not know the outcomes of all moves, it says\n"
               "so in an 'info' line. It then plays a known win, otherwise a known draw,\n"
               "otherwise a move that is not a known loss.\n"
               "\n"
               "Scores: a win scores 100 less 0.01 for each ply to the end of the game, or 90 if\n"
               "the distance is unknown. A loss scores the negative of that, and a draw 0.\n"
               "Without a known outcome, no score is sent.\n"
               "\n"
               "Rule state: king runs and the clock of two kings against one are computed from\n"
               "the moves in 'pos'. If a position follows from the previous one by a legal move,\n"
               "they are carried over.\n"
               "\n"
               "Extensions of the protocol:\n"
               "  pos … wolf=\"W16=3 B2=1\"  king runs\n"
               "  pos fen=FEN              a position with its rule state\n"
               "  set-param name=variant value=NAME\n"
               "                           a rule set, or a kind of draughts ('frisian',\n"
               "                           'normal', …). A kind selects the rule set of --rules\n"
               "                           if that is one of this kind, otherwise the default\n"
               "                           rule set of the kind\n"
               "\n"
               "Without a legal move or a position, the engine answers 'done move=\"\"'.",
    .examples = "  einspul hub\n"
                "  einspul hub --tables frisian.pack",
    .takes = TAKES_TABLES,
    .run = run,
};
