/* A referee for the Hub engine: hub_referee PROGRAM FOLDER PIECES GAMES.
 *
 * It plays won positions of that many pieces through pipes, the engine with the winning side,
 * against random moves and against best defence in turn. Each must be won, and no later than the
 * tables say. The game is told in the ways that clients have: whole, from the last capture or man's
 * move on, or as the position alone; a run or a clock that was brought forward wrong loses a win.
 * Then the engine gets nonsense, which must not end it. Were this wrong, a user interface would see
 * a won game drawn, or its engine gone. */
#include "core/fen.h"
#include "core/index.h"
#include "core/random.h"
#include "core/rank.h"
#include "probe/probe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_SIZE = 60000, N_NONSENSE = 3000, LONG_WIN = 13 };

static struct {
    FILE *to;
    FILE *from;
    pid_t process;
    einspul *tables;
    struct rules rules;
} game;

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "hub_referee: %s: %s\n", what, text);
    if (game.process > 0)
        kill(game.process, SIGKILL);
    exit(1);
}

static void start_engine(const char *program, const char *folder)
{
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0)
        fail("pipe", "cannot be had");
    game.process = fork();
    if (game.process == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execl(program, program, "hub", "--tables", folder, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    game.to = fdopen(to[1], "w");
    game.from = fdopen(from[0], "r");
}

/* Reads lines until one begins with `word`, which goes to `line`. */
static void expect_line(const char *word, char *line, size_t size)
{
    fflush(game.to);
    while (fgets(line, (int)size, game.from) != NULL)
        if (strncmp(line, word, strlen(word)) == 0)
            return;
        else if (strncmp(line, "error", 5) == 0)
            fail(word, line);
    fail(word, "the engine has gone");
}

/* How a client tells the game. */
enum telling { TELLS_ALL, TELLS_SINCE_CHANGE, TELLS_POSITION, N_TELLINGS };

/* What is told next: a position, with its rule state if all is told, and the moves since. */
struct told {
    enum telling telling;
    char position[FEN_SIZE];
    char moves[TEXT_SIZE];
    size_t n;
};

static void tell_position(struct told *told, const struct state *state)
{
    char *at = told->position;
    told->n = 0;
    told->moves[0] = '\0';
    if (told->telling == TELLS_ALL) {
        at += sprintf(at, "fen=");
        fen_write(&game.rules, state, at);
        return;
    }
    at += sprintf(at, "pos=%c", state->at.side == WHITE ? 'W' : 'B');
    for (int i = 0; i < game.rules.board.n_squares; i++)
        *at++ = (state->at.men[WHITE] >> i & 1) != 0     ? 'w'
                : (state->at.men[BLACK] >> i & 1) != 0   ? 'b'
                : (state->at.kings[WHITE] >> i & 1) != 0 ? 'W'
                : (state->at.kings[BLACK] >> i & 1) != 0 ? 'B'
                                                         : 'e';
    *at = '\0';
}

static void hub_move(const struct move *move, char *text)
{
    text += sprintf(text, "%d%c%d", move->from + 1, move->captured != 0 ? 'x' : '-', move->to + 1);
    for (squares_t left = move->captured; left != 0; left &= left - 1)
        text += sprintf(text, "x%d", squares_first(left) + 1);
}

/* `after` is the state after the move. */
static void tell_move(struct told *told, const struct state *before, const struct move *move,
                      const struct state *after)
{
    const bool by_man = (before->at.men[before->at.side] >> move->from & 1) != 0;
    if (told->telling == TELLS_POSITION ||
        (told->telling == TELLS_SINCE_CHANGE && (by_man || move->captured != 0))) {
        tell_position(told, after);
        return;
    }
    if (told->n > 0)
        told->moves[told->n++] = ' ';
    hub_move(move, told->moves + told->n);
    told->n += strlen(told->moves + told->n);
}

static const struct move *engine_move(const struct told *told, const struct move_list *list)
{
    static char line[TEXT_SIZE];
    fprintf(game.to, "pos %s moves=\"%s\"\ngo think\n", told->position, told->moves);
    expect_line("done move=", line, sizeof line);
    char *text = line + strlen("done move=");
    text[strcspn(text, " \n")] = '\0';
    for (int i = 0; i < list->n_moves; i++) {
        char ours[128];
        hub_move(&list->moves[i], ours);
        if (strcmp(ours, text) == 0)
            return &list->moves[i];
    }
    fail("no legal move", text);
    return NULL;
}

/* The defender's move: any, or one that lasts longest. */
static const struct move *defence(const struct state *state, const struct move_list *list,
                                  bool best, uint64_t *seed)
{
    const struct move *chosen = &list->moves[random_below(seed, list->n_moves)];
    value_t least = VALUE_NONE;
    for (int i = 0; i < list->n_moves && best; i++) {
        const struct state after = state_after(&game.rules, state, &list->moves[i]);
        value_t value = VALUE_DRAW;
        if (probe_state(game.tables, &after, EINSPUL_DTW, 0, &value, NULL) != EINSPUL_OK)
            fail("probe", "no answer");
        if (value < least) {
            least = value;
            chosen = &list->moves[i];
        }
    }
    return chosen;
}

/* Plays a won game to its end. */
static void play_game(struct state state, int plies, bool best, enum telling telling,
                      uint64_t *seed)
{
    static struct told told;
    char fen[FEN_SIZE];
    const enum side winner = state.at.side;
    struct move_list list;

    fen_write(&game.rules, &state, fen);
    told.telling = telling;
    tell_position(&told, &state);
    fprintf(game.to, "new-game\n");
    move_list_init(&list);
    for (int ply = 0;; ply++) {
        if (moves_generate(&game.rules, &state, &list) != EINSPUL_OK)
            fail("moves", "no memory");
        if (list.n_moves == 0 && state.at.side == winner)
            fail("a won game was lost", fen);
        if (list.n_moves == 0)
            break;
        if (ply >= plies)
            fail("a won game was not won in time", fen);
        const struct move *move = state.at.side == winner ? engine_move(&told, &list)
                                                          : defence(&state, &list, best, seed);
        const struct state after = state_after(&game.rules, &state, move);
        tell_move(&told, &state, move, &after);
        state = after;
    }
    move_list_free(&list);
}

/* A random state of some pieces, with run and clock unless it is fresh. */
static bool random_state(int n_pieces, bool fresh, uint64_t *seed, struct state *state)
{
    *state = (struct state){.at.side = (enum side)random_below(seed, 2)};
    for (int i = 0; i < n_pieces; i++) {
        const squares_t square = square_bit(random_below(seed, game.rules.board.n_squares));
        squares_t *set = random_below(seed, 2) ? state->at.men : state->at.kings;
        if ((placement_occupied(&state->at) & square) != 0)
            return false;
        set[i % 2] |= square;
    }
    for (int side = WHITE; side <= BLACK && !fresh; side++)
        if (placement_has_runs(&game.rules, &state->at, (enum side)side))
            state->run[side] =
                run_from_index(state->at.kings[side],
                               random_below(seed, 1 + 3 * squares_count(state->at.kings[side])));
    if (placement_has_clock(&game.rules, &state->at) && !fresh)
        state->clock = (uint8_t)random_below(seed, 8);
    return state_check(&game.rules, state, false, NULL) == EINSPUL_OK;
}

static void play_games(int n_pieces, int n_games)
{
    uint64_t seed = 77;
    int longest = 0;
    for (int n = 0; n < n_games;) {
        const enum telling telling = (enum telling)(n % N_TELLINGS);
        struct state state;
        value_t value = VALUE_DRAW;
        if (!random_state(n_pieces, telling != TELLS_ALL, &seed, &state))
            continue;
        if (probe_state(game.tables, &state, EINSPUL_DTW, 0, &value, NULL) != EINSPUL_OK)
            fail("probe", "no answer");
        if (value_outcome(value) != EINSPUL_WIN || value_plies(value) < 5)
            continue;
        if (telling != TELLS_ALL && (!placement_has_runs(&game.rules, &state.at, state.at.side) ||
                                     value_plies(value) < LONG_WIN))
            continue; /* no run that could be lost */
        play_game(state, value_plies(value), n / N_TELLINGS % 2 != 0, telling, &seed);
        longest = value_plies(value) > longest ? value_plies(value) : longest;
        n++;
    }
    printf("%d of %d won positions of %d pieces won in time, the longest in %d plies\n", n_games,
           n_games, n_pieces, longest);
}

/* Lines that are none, then one that is: the engine is still there and still right. */
static void send_nonsense(void)
{
    static const char *const pieces[] = {
        "pos",           "=",     "\"",   "go",    "fen=", "W:W28,K46:BK43", "x",
        "moves",         "46-41", "stop", "level", "\t",   "set-param",      "name=variant",
        "value=english", "hub"};
    static char line[TEXT_SIZE];
    uint64_t seed = 5;
    for (int i = 0; i < N_NONSENSE; i++) {
        for (int n = random_below(&seed, 9); n > 0; n--) {
            if (random_below(&seed, 3) == 0) {
                const int byte = random_below(&seed, 256);
                fputc(byte == '\n' ? 0 : byte, game.to);
            } else {
                fputs(pieces[random_below(&seed, (int)(sizeof pieces / sizeof pieces[0]))],
                      game.to);
            }
            fputs(random_below(&seed, 2) ? " " : "", game.to);
        }
        fprintf(game.to, "\nping\n");
        fflush(game.to);
        while (fgets(line, sizeof line, game.from) != NULL && strcmp(line, "pong\n") != 0)
            ;
        if (feof(game.from))
            fail("nonsense", "the engine has gone");
    }
    fprintf(game.to, "set-param name=variant value=%s\n", game.rules.name);
    fprintf(game.to, "pos fen=W:W28:B\ngo think\nping\n");
    fflush(game.to);
    if (fgets(line, sizeof line, game.from) == NULL || strncmp(line, "error message=", 14) != 0)
        fail("a bad position", line);
    expect_line("error message=\"no position", line, sizeof line);
}

int main(int argc, char **argv)
{
    char line[TEXT_SIZE];
    einspul_error error;
    int status = 0;

    if (argc != 5)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    if (rules_by_name(&game.rules, "frisian", NULL) != EINSPUL_OK)
        return 1;
    if (einspul_open(argv[2], "frisian", (size_t)256 << 20, NULL, &game.tables, &error) !=
        EINSPUL_OK)
        fail("tables", error.text);
    start_engine(argv[1], argv[2]);
    fprintf(game.to, "hub\n");
    expect_line("wait", line, sizeof line);
    fprintf(game.to, "init\n");
    expect_line("ready", line, sizeof line);
    play_games(atoi(argv[3]), atoi(argv[4]));
    send_nonsense();
    fprintf(game.to, "quit\n");
    fflush(game.to);
    einspul_close(game.tables);
    return waitpid(game.process, &status, 0) == game.process && WIFEXITED(status) &&
                   WEXITSTATUS(status) == 0
               ? 0
               : 1;
}
