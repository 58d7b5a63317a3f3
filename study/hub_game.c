/* Keeps the positions of the game in a list. A new one is searched for in the list, then among the
 * positions one and two moves after its last few: GUIs omit moves before the last capture or man
 * move, some send no moves at all, and after a failed ponder the last position in the list was never
 * played. */
#include "study/hub_game.h"

#include "core/program/game.h"
#include "probe/position.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVE_SIZE = 128,
    SEARCHED_POSITIONS = 4 /* at the end of the list, whose successors are searched */
};

/* --- the list --------------------------------------------------------------------------------- */

static void add(struct hub_game *game, const einspul_position *position)
{
    if (game->n == HUB_POSITIONS) {
        memmove(game->path, game->path + 1, (HUB_POSITIONS - 1) * sizeof *game->path);
        game->base -= game->base > 0;
        game->n--;
    }
    game->path[game->n++] = *position;
}

void hub_game_begin(struct hub_game *game, const struct rules *rules)
{
    const struct state state = state_start(rules);
    einspul_position position;
    game->rules = *rules;
    game->n = 0;
    game->base = 0;
    game->from = 0;
    probe_position_from_state(&state, &position);
    add(game, &position);
}

const einspul_position *hub_game_position(const struct hub_game *game)
{
    return game->n > 0 ? &game->path[game->n - 1] : NULL;
}

/* --- positions that follow from the list ------------------------------------------------------ */

static bool same_pieces(const einspul_position *one, const einspul_position *other)
{
    return one->side == other->side && memcmp(one->men, other->men, sizeof one->men) == 0 &&
           memcmp(one->kings, other->kings, sizeof one->kings) == 0;
}

static bool same_state(const einspul_position *one, const einspul_position *other)
{
    return one->clock == other->clock && one->limited == other->limited &&
           memcmp(one->run_square, other->run_square, sizeof one->run_square) == 0 &&
           memcmp(one->run_count, other->run_count, sizeof one->run_count) == 0;
}

/* Lists the legal moves of a position; none on an error. */
static int moves_of(const struct hub_game *game, const einspul_position *position,
                    einspul_move moves[EINSPUL_MAX_MOVES])
{
    const int n = einspul_moves(game->rules.name, position, moves, EINSPUL_MAX_MOVES, NULL);
    return n < EINSPUL_MAX_MOVES ? n : EINSPUL_MAX_MOVES;
}

/* Finds the legal move that leads to the given pieces; false if none. At most one move does, since
 * the change of pieces determines its squares. */
static bool step_to(const struct hub_game *game, const einspul_position *from,
                    const einspul_position *to, einspul_position *after)
{
    einspul_move moves[EINSPUL_MAX_MOVES];
    const int n_moves = moves_of(game, from, moves);
    for (int i = 0; i < n_moves; i++)
        if (same_pieces(&moves[i].after, to)) {
            *after = moves[i].after;
            return true;
        }
    return false;
}

static bool is_engine_move(const struct hub_game *game, const einspul_move *move)
{
    return move->from == game->from && move->to == game->to && move->captured == game->captured;
}

/* Like step_to, but two moves ahead; `path` gets both positions. Prefers the engine's last move;
 * without it, every two-move path must give the same rule state. */
static bool two_steps_to(const struct hub_game *game, const einspul_position *from,
                         const einspul_position *to, einspul_position path[2])
{
    einspul_move moves[EINSPUL_MAX_MOVES];
    const int n_moves = moves_of(game, from, moves);
    int n_found = 0;
    for (int i = 0; i < n_moves; i++) {
        einspul_position after;
        if (!step_to(game, &moves[i].after, to, &after))
            continue;
        const bool engine = is_engine_move(game, &moves[i]);
        if (n_found == 0 || engine || !same_state(&path[1], &after))
            n_found = engine ? 1 : n_found + 1;
        path[0] = moves[i].after;
        path[1] = after;
        if (engine)
            break;
    }
    return n_found == 1;
}

/* Cuts the list after position `i` and appends the positions from there to `to`; false if `to` does
 * not follow from it within two moves. */
static bool follow_from(struct hub_game *game, size_t i, const einspul_position *to)
{
    const einspul_position from = game->path[i];
    einspul_position path[2];
    const int n_steps = same_pieces(&from, to) ? 0 : from.side != to->side ? 1 : 2;
    if ((n_steps == 1 && !step_to(game, &from, to, &path[0])) ||
        (n_steps == 2 && !two_steps_to(game, &from, to, path)))
        return false;
    game->n = i + 1;
    for (int step = 0; step < n_steps; step++)
        add(game, &path[step]);
    return true;
}

/* Makes the list end with a position that has the pieces of `to` and follows from the game; false if
 * there is none. */
static bool follow(struct hub_game *game, const einspul_position *to)
{
    const size_t n = game->n;
    if (n > 0 && same_pieces(&game->path[game->base], to))
        return follow_from(game, game->base, to);
    for (size_t i = n; i-- > 0;)
        if ((n - i <= SEARCHED_POSITIONS || same_pieces(&game->path[i], to)) &&
            follow_from(game, i, to))
            return true;
    return false;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Reads `W` or `B` and one character per square: w, b, W, B or e. */
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

/* Reads one run, `W16=3`; false on a syntax error, or if no such run can occur. */
static bool read_run(const struct rules *rules, const char *text, einspul_position *position)
{
    const int side = text[0] == 'W' || text[0] == 'w' ? EINSPUL_WHITE : EINSPUL_BLACK;
    char *at = NULL;
    if (strchr("WwBb", text[0]) == NULL)
        return false;
    const long square = strtol(text + 1, &at, 10);
    if (*at != '=')
        return false;
    const char *number = at + 1;
    const long count = strtol(number, &at, 10);
    if (at == number || (*at != '\0' && strchr(" ,;", *at) == NULL) || count < 0 ||
        count > MAX_RUN_COUNT)
        return false;
    if (count == 0 || rules->king_run_limit == 0)
        return true;
    if (square < 1 || square > rules->board.n_squares || position->men[side] == 0 ||
        (position->kings[side] >> (square - 1) & 1) == 0)
        return false;
    position->run_square[side] = (uint8_t)square;
    position->run_count[side] = (uint8_t)count;
    return true;
}

/* Replaces the runs of a position with those of a text; false if some were ignored. */
static bool read_runs(const struct rules *rules, const char *text, einspul_position *position)
{
    bool all = true;
    memset(position->run_square, 0, sizeof position->run_square);
    memset(position->run_count, 0, sizeof position->run_count);
    for (text += strspn(text, " ,;"); *text != '\0'; text += strspn(text, " ,;")) {
        all = read_run(rules, text, position) && all;
        text += strcspn(text, " ,;");
    }
    return all;
}

/* Plays `32-28` or `28x17x22`, a capture followed by all captured squares. */
static bool play(struct hub_game *game, const char *text)
{
    einspul_position position = *hub_game_position(game);
    char *at = NULL;
    const long from = strtol(text, &at, 10);
    einspul_move move = {.captured = 0};
    char played[EINSPUL_MOVE_TEXT_SIZE];
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
        move.captured |= (uint64_t)1 << (square - 1);
    }
    if (at == number || *at != '\0' || from < 1 || from > 64 || to < 1 || to > 64)
        return false;
    move.from = (uint8_t)from;
    move.to = (uint8_t)to;
    if (einspul_move_write(game->rules.name, &position, &move, played, NULL) != EINSPUL_OK ||
        einspul_play(game->rules.name, &position, played, NULL) != EINSPUL_OK)
        return false;
    add(game, &position);
    return true;
}

static bool play_all(struct hub_game *game, const char *moves, einspul_error *error)
{
    char move[MOVE_SIZE];
    for (moves += strspn(moves, " "); *moves != '\0'; moves += strspn(moves, " ")) {
        const size_t length = strcspn(moves, " ");
        if (length < sizeof move) {
            memcpy(move, moves, length);
            move[length] = '\0';
        }
        if (length >= sizeof move || !play(game, move)) {
            error_set(error, EINSPUL_BAD_MOVE, "illegal move %.200s", moves);
            return false;
        }
        moves += length;
    }
    return true;
}

/* --- setting a position ----------------------------------------------------------------------- */

/* Sets a position given by squares, with the rule state it has in the game. */
static bool set_squares(struct hub_game *game, const struct hub_pos *pos, bool *ignored,
                        einspul_error *error)
{
    einspul_position position;
    char fen[EINSPUL_FEN_SIZE];
    error_set(error, EINSPUL_BAD_POSITION, "invalid position in pos: %.100s", pos->squares);
    if (!read_squares(pos->squares, game->rules.board.n_squares, &position) ||
        einspul_fen_write(game->rules.name, &position, fen, error) != EINSPUL_OK)
        return false;
    if (!follow(game, &position)) {
        game->n = 0;
        add(game, &position);
    }
    game->sends_runs = game->sends_runs || pos->runs != NULL;
    if (game->sends_runs)
        *ignored =
            !read_runs(&game->rules, pos->runs != NULL ? pos->runs : "", &game->path[game->n - 1]);
    return true;
}

bool hub_game_set(struct hub_game *game, const struct hub_pos *pos, bool *ignored,
                  einspul_error *error)
{
    einspul_position position;
    bool ok = false;
    *ignored = false;
    error_set(error, EINSPUL_BAD_POSITION, "pos requires start, pos= or fen=");
    if (pos->squares != NULL) {
        ok = set_squares(game, pos, ignored, error);
    } else if (pos->fen != NULL) {
        ok = einspul_fen_read(game->rules.name, pos->fen, &position, error) == EINSPUL_OK;
        game->n = 0;
        if (ok)
            add(game, &position);
    } else if (pos->start) {
        hub_game_begin(game, &game->rules);
        ok = true;
    }
    game->base = game->n > 0 ? game->n - 1 : 0;
    if (!ok || (pos->moves != NULL && !play_all(game, pos->moves, error)))
        game->n = 0;
    return game->n > 0;
}
