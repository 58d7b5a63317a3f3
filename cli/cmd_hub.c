/* An engine for user interfaces and bots that speak the Hub protocol, version 2 (of Scan). It plays
 * perfectly where the tables answer. Elsewhere it prints `error` and then plays the best move it
 * knows, because clients wait for `ready` and `done` whatever else is printed, some of them for
 * ever. For the same reason a line that is only partly understood is obeyed as far as possible.
 *
 * `pos` gives pieces and the moves since; the moves are replayed, so king runs and the clock of two
 * kings against one are those of the game. As an extension, `pos fen=…` gives a position with its
 * rule state. `go` answers at once, since nothing is searched; `go ponder` and `go analyze` answer
 * at `ponder-hit` or `stop`, as the protocol requires. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/escape.h"
#include "cli/lines.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/text.h"
#include "probe/choice.h"

enum { MOST_LINE_MOVES = 300, MOVE_ROOM = 128, TEXT_ROOM = 4096, MOST_CACHE = 65536 };

struct hub {
    struct rules rules;
    char tables[TEXT_ROOM];
    int cache_mib;
    einspul *handle;
    bool has_position;
    einspul_position position;
    char pending[2 * MOVE_ROOM]; /* the answer to a `go` that is not to end yet; "": none */
    bool quit;
};

/* Prints a text in quotes. The protocol knows no escape for a quote, so that is replaced. */
static void print_quoted(const char *text)
{
    putchar('"');
    for (;;) {
        const size_t length = strcspn(text, "\"");
        escape_text(stdout, text, length);
        if (text[length] == '\0')
            break;
        putchar('\'');
        text += length + 1;
    }
    putchar('"');
}

static void say_error(const char *what, const char *detail)
{
    char text[400];
    snprintf(text, sizeof text, "%s%.300s", what, detail);
    printf("error message=");
    print_quoted(text);
    printf("\n");
}

/* Tables are opened again when they are next needed. */
static void close_tables(struct hub *hub)
{
    einspul_close(hub->handle);
    hub->handle = NULL;
}

static void set_start(struct hub *hub)
{
    const struct state state = state_start(&hub->rules);
    probe_position_from_state(&state, &hub->position);
    hub->has_position = true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A line of the protocol, `pos pos=W… moves="32-28 19-23"`: a command and its arguments. A word is a
 * name, or a name, an equals sign and a value; a value with spaces stands in double quotes, and
 * nothing in it is escaped. The number of arguments has no limit, because unknown ones must be
 * ignored, not refused. */
struct hub_line {
    const char *command;   /* "" in an empty line */
    const char *arguments; /* `name`, `name=value` or `name="value`, each ended by a zero byte */
    const char *end;       /* of the arguments */
};

static const char blanks[] = " \t\r";

/* Ends the word at `at` and returns what follows it. */
static char *end_word(char *at)
{
    if (*at != '\0')
        *at++ = '\0';
    return at;
}

/* Splits a text in place; the parts point into it. An unclosed quote ends with the line. */
static void split(char *text, struct hub_line *line)
{
    char *at = text + strspn(text, blanks);
    line->command = at;
    at = end_word(at + strcspn(at, blanks));
    line->arguments = at;
    while (*at != '\0') {
        at += strspn(at, blanks);
        at += strcspn(at, " \t\r=");
        if (at[0] == '=' && at[1] == '"')
            at = end_word(at + 2 + strcspn(at + 2, "\""));
        else
            at = end_word(at + strcspn(at, blanks));
    }
    line->end = at;
}

/* The value of an argument, "" if it has none; NULL if it is not given. */
static const char *value_of(const struct hub_line *line, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = line->arguments; at < line->end; at += strlen(at) + 1) {
        at += strspn(at, blanks);
        if (strncmp(at, name, n) != 0 || (at[n] != '=' && at[n] != '\0'))
            continue;
        const char *value = at + n + (at[n] == '=');
        return value + (*value == '"');
    }
    return NULL;
}

/* --- setting up ------------------------------------------------------------------------------- */

static void introduce(const struct hub *hub)
{
    printf("id name=einspul version=%s author=\"the einspul authors\"\n", einspul_version());
    printf("param name=variant value=%s type=enum values=\"normal", hub->rules.name);
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++)
        printf(" %s", *name);
    printf("\"\nparam name=tables value=");
    print_quoted(hub->tables);
    printf(" type=string\n");
    printf("param name=cache value=%d type=int min=1 max=%d\n", hub->cache_mib, MOST_CACHE);
    printf("wait\n");
}

static void set_variant(struct hub *hub, const char *value)
{
    struct rules rules;
    if (strcmp(value, "normal") == 0) /* so the protocol calls it */
        value = "international";
    if (rules_by_name(&rules, value, NULL) != EINSPUL_OK) {
        say_error("unknown variant ", value);
        return;
    }
    hub->rules = rules;
    close_tables(hub);
    set_start(hub);
}

static void set_param(struct hub *hub, const struct hub_line *line)
{
    const char *name = value_of(line, "name");
    const char *value = value_of(line, "value");
    uint64_t mib = 0;
    if (name == NULL || value == NULL) {
        say_error("set-param wants a name and a value", "");
    } else if (strcmp(name, "variant") == 0) {
        set_variant(hub, value);
    } else if (strcmp(name, "tables") == 0 && value[0] != '\0' && strlen(value) < TEXT_ROOM) {
        strcpy(hub->tables, value);
        close_tables(hub);
    } else if (strcmp(name, "cache") == 0 && text_number(value, 1, MOST_CACHE, &mib)) {
        hub->cache_mib = (int)mib;
    } else {
        say_error("no such parameter or value: ", name);
    }
}

/* Opens the tables if they are not; the handle is NULL after an error. */
static void open_tables(struct hub *hub)
{
    const char *folder = hub->tables;
    einspul_error error;
    if (hub->handle != NULL)
        return;
    hub->handle =
        tables_open_folders(&folder, 1, hub->rules.name, (size_t)hub->cache_mib << 20, &error);
    if (hub->handle == NULL)
        say_error("", error.text);
}

/* --- positions -------------------------------------------------------------------------------- */

/* `W` or `B` and a character for each square: w, b, W, B or e. */
static bool read_squares(const char *text, int n_squares, einspul_position *position)
{
    static const char side_names[] = "WB";
    static const char pieces[] = "wbWBe";
    const char *side = text[0] == '\0' ? NULL : strchr(side_names, text[0]);
    if (side == NULL || strlen(text) != (size_t)n_squares + 1)
        return false;
    *position = (einspul_position){.side = (uint8_t)(side - side_names)};
    for (int i = 0; i < n_squares; i++) {
        uint64_t *const sets[] = {&position->men[EINSPUL_WHITE], &position->men[EINSPUL_BLACK],
                                  &position->kings[EINSPUL_WHITE], &position->kings[EINSPUL_BLACK]};
        const char *piece = strchr(pieces, text[1 + i]);
        if (piece == NULL)
            return false;
        if (*piece != 'e')
            *sets[piece - pieces] |= (uint64_t)1 << i;
    }
    return true;
}

/* Plays `32-28` or `28x17x22`, a capture with all captured squares behind its end. */
static bool play(const struct hub *hub, const char *text, einspul_position *position)
{
    char *at = NULL;
    const long from = strtol(text, &at, 10);
    uint64_t captured = 0;
    if (at == text || (*at != '-' && *at != 'x'))
        return false;
    const bool captures = *at == 'x';
    const char *number = at + 1;
    const long to = strtol(number, &at, 10);
    while (captures && at != number && *at == 'x') {
        number = at + 1;
        const long square = strtol(number, &at, 10);
        if (at == number || square < 1 || square > 64)
            return false;
        captured |= (uint64_t)1 << (square - 1);
    }
    if (at == number || *at != '\0' || from < 1 || from > 64 || to < 1 || to > 64)
        return false;
    return einspul_play_squares(hub->rules.name, position, (int)from, (int)to, captured, position,
                                NULL) == EINSPUL_OK;
}

static bool play_all(const struct hub *hub, const char *moves, einspul_position *position)
{
    char move[MOVE_ROOM];
    for (moves += strspn(moves, " "); *moves != '\0'; moves += strspn(moves, " ")) {
        const size_t length = strcspn(moves, " ");
        if (length < sizeof move) {
            memcpy(move, moves, length);
            move[length] = '\0';
        }
        if (length >= sizeof move || !play(hub, move, position)) {
            say_error("illegal move ", moves);
            return false;
        }
        moves += length;
    }
    return true;
}

static void set_position(struct hub *hub, const struct hub_line *line)
{
    einspul_position position;
    einspul_error error = {EINSPUL_BAD_POSITION, "pos wants start, pos= or fen="};
    const char *squares = value_of(line, "pos");
    const char *fen = value_of(line, "fen");
    const char *moves = value_of(line, "moves");
    char text[EINSPUL_FEN_SIZE];
    bool ok = false;

    if (squares != NULL) {
        ok = read_squares(squares, hub->rules.board.n_squares, &position);
        snprintf(error.text, sizeof error.text, "bad pos %.100s", squares);
        ok = ok && einspul_fen_write(hub->rules.name, &position, text, &error) == EINSPUL_OK;
    } else if (fen != NULL) {
        ok = einspul_fen_read(hub->rules.name, fen, &position, &error) == EINSPUL_OK;
    } else if (value_of(line, "start") != NULL) {
        set_start(hub);
        position = hub->position;
        ok = true;
    }
    if (!ok)
        say_error("", error.text);
    hub->has_position = ok && (moves == NULL || play_all(hub, moves, &position));
    if (hub->has_position)
        hub->position = position;
}

/* --- answering -------------------------------------------------------------------------------- */

/* A move as the protocol writes it. */
static void move_text(const einspul_move *move, char text[MOVE_ROOM])
{
    snprintf(text, MOVE_ROOM, "%d%c%d", move->from, move->captured != 0 ? 'x' : '-', move->to);
    for (squares_t left = move->captured; left != 0; left &= left - 1)
        text_append(text, MOVE_ROOM, "x%d", squares_first(left) + 1);
}

/* Wins and losses lie beyond 90, a hundredth for each ply to them; without distances they are
 * 90. */
static double score_of(const einspul_move *move)
{
    const double size = move->plies < 0 ? 90.0 : 100.0 - 0.01 * move->plies;
    return move->outcome == EINSPUL_DRAW ? 0.0 : move->outcome == EINSPUL_WIN ? size : -size;
}

/* Prints the line of best moves from a position on; a drawn one is one move long. */
static void print_line(const struct hub *hub, const einspul_move *first)
{
    einspul_move move = *first;
    char text[MOVE_ROOM];
    move_text(&move, text);
    printf("pv=\"%s", text);
    for (int ply = 1; ply < MOST_LINE_MOVES && move.plies > 1; ply++) {
        const einspul_position position = move.after;
        size_t n_moves = 0;
        if (einspul_probe_moves(hub->handle, &position, &move, 1, &n_moves, NULL) != EINSPUL_OK ||
            n_moves == 0)
            break;
        move_text(&move, text);
        printf(" %s", text);
    }
    printf("\"");
}

/* What `done` says: the best move, and the one that is expected after it. */
static void fill_done(struct hub *hub, const einspul_move *best)
{
    char text[MOVE_ROOM];
    einspul_move next;
    size_t n_moves = 0;
    move_text(best, text);
    snprintf(hub->pending, sizeof hub->pending, "done move=%s", text);
    if (einspul_probe_moves(hub->handle, &best->after, &next, 1, &n_moves, NULL) == EINSPUL_OK &&
        n_moves > 0) {
        move_text(&next, text);
        text_append(hub->pending, sizeof hub->pending, " ponder=%s", text);
    }
}

static void finish(struct hub *hub)
{
    if (hub->pending[0] != '\0')
        printf("%s\n", hub->pending);
    hub->pending[0] = '\0';
}

/* Chooses the move for the position; false, after an error, if there is none. */
static bool answer(struct hub *hub)
{
    struct choice choice;
    einspul_error error;
    const double start = seconds_now();

    if (!hub->has_position) {
        say_error("no position is set", "");
        return false;
    }
    open_tables(hub);
    if (choose_move(hub->handle, hub->rules.name, &hub->position, &choice, &error) != EINSPUL_OK) {
        say_error("", error.text);
        return false;
    }
    if (choice.n_moves == 0) {
        say_error("the game is over: no legal move", "");
        return false;
    }
    if (hub->handle != NULL && choice.unknown.status != EINSPUL_OK)
        say_error("", choice.unknown.text);
    printf("info depth=%d ", choice.move.plies < 0 ? 1 : choice.move.plies);
    if (choice.known)
        printf("score=%.2f ", score_of(&choice.move));
    printf("nodes=%zu time=%.3f ", choice.n_moves, seconds_now() - start);
    print_line(hub, &choice.move);
    printf("\n");
    fill_done(hub, &choice.move);
    return true;
}

/* The protocol requires an answer to every `go`, and quotes around empty values. */
static void go(struct hub *hub, const struct hub_line *line)
{
    const bool waits = value_of(line, "ponder") != NULL || value_of(line, "analyze") != NULL;
    finish(hub);
    if (!answer(hub))
        strcpy(hub->pending, "done move=\"\"");
    if (!waits)
        finish(hub);
}

/* --- commands --------------------------------------------------------------------------------- */

/* Others are ignored, as the protocol requires; among them `new-game` and `level` need nothing. */
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
    } else if (strcmp(command, "go") == 0) {
        go(hub, line);
    } else if (strcmp(command, "stop") == 0 || strcmp(command, "ponder-hit") == 0) {
        finish(hub);
    } else if (strcmp(command, "quit") == 0) {
        hub->quit = true;
    }
}

static void obey_text(struct hub *hub, char *text, size_t n_bytes)
{
    struct hub_line line;
    if (strlen(text) < n_bytes)
        say_error("a zero byte, read as a space", "");
    for (size_t i = 0; i < n_bytes; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    split(text, &line);
    obey(hub, &line);
}

static int run(const struct options *options)
{
    static struct lines lines; /* too large for some stacks */
    struct hub hub = {.rules = options->rules, .cache_mib = SMALL_CACHE >> 20};
    int status = EXIT_DONE;
    char *line = NULL;
    size_t n_bytes = 0;

    if (strlen(options->tables) >= sizeof hub.tables)
        return complain(options, "--tables: too long");
    strcpy(hub.tables, options->tables);
    set_start(&hub);
    while (!hub.quit && output_works()) {
        const enum line_result result = lines_next(&lines, &line, &n_bytes);
        if (result == LINE_READ) {
            obey_text(&hub, line, n_bytes);
        } else if (result == LINE_TOO_LONG) {
            say_error("a line that is too long", "");
            hub.has_position = false; /* it may have been a `pos` */
        } else {
            if (result == LINE_FAILED)
                status = complain(options, "standard input: %s", strerror(errno));
            break;
        }
        output_flush();
    }
    einspul_close(hub.handle);
    return status;
}

const struct command command_hub = {
    .name = "hub",
    .summary = "an engine for the Hub protocol, perfect within the tables",
    .synopsis = "[OPTION…]",
    .help =
        "Speaks the Hub protocol (version 2) of draughts user interfaces and bots on standard\n"
        "input and output, and plays perfectly where the tables answer. Moves of the game are\n"
        "replayed, so king runs and the seven moves of two kings are exact; 'pos fen=FEN' sets\n"
        "a position with its rule state. Scores beyond 90 are wins and losses: 100 less a\n"
        "hundredth for each ply. Without distances all wins score 90. Among drawn moves it\n"
        "keeps material, then leaves the other side the fewest that hold the draw. If the\n"
        "outcomes of some moves are not in the tables, it says 'error', then plays a known win\n"
        "or draw, otherwise any move but a known loss. Without a legal move or a position, the\n"
        "answer is 'done move=\"\"'.",
    .takes = {TAKES(RULES), TAKES(FOLDER), TAKES(THREADS)},
    .run = run,
};
