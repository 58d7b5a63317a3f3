/* With exact values only a mistake changes the outcome. So the outcome before each move is compared
 * with the one after it, and only changes are annotated. */
#include "study/annotate.h"

#include "core/array.h"
#include "core/move_text.h"
#include "core/text.h"
#include "study/fen_lenient.h"
#include "study/map.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a message for legal moves; line, move and side come before them. */
enum { MOST_LEGAL = 200 };

/* --- rule sets and positions ------------------------------------------------------------------ */

/* Game types of lidraughts beyond those of PDN: its game with five men a side under Frisian rules,
 * and a game from a position, which says nothing about the rules. */
enum { TYPE_FRISIAN = 40, TYPE_FRYSK = 97, TYPE_FROM_POSITION = 99 };

static const char frysk_start[] = "W:W46-50:B1-5";

static int game_type(const struct pdn_game *game)
{
    const char *tag = pdn_tag(game, "GameType");
    return tag == NULL ? TYPE_FROM_POSITION : atoi(tag);
}

einspul_status annotate_rules(const struct pdn_game *game, const struct rules *usual,
                              struct rules *rules, einspul_error *error)
{
    const int tagged = game_type(game);
    const int type = tagged == TYPE_FRYSK ? TYPE_FRISIAN : tagged;
    *rules = *usual;
    if (type == TYPE_FROM_POSITION || type == usual->pdn_game_type)
        return EINSPUL_OK;
    for (unsigned id = 1; id <= N_RULES; id++)
        if (rules_by_id(rules, id, NULL) == EINSPUL_OK && rules->pdn_game_type == type)
            return EINSPUL_OK;
    return error_set(error, EINSPUL_BAD_RULES, "line %d: unknown GameType '%.40s'", game->line,
                     pdn_tag(game, "GameType"));
}

bool annotate_site_rules(const struct pdn_game *game, const struct rules *rules, struct rules *site)
{
    const char *tag = pdn_tag(game, "Site");
    return tag != NULL && strstr(tag, "lidraughts.org") != NULL &&
           rules_by_id(site, rules->site, NULL) == EINSPUL_OK;
}

static einspul_status first_state(const struct rules *rules, const struct pdn_game *game,
                                  struct state *state, einspul_error *error)
{
    const char *fen = pdn_tag(game, "FEN");
    char note[FEN_NOTE_SIZE];
    einspul_error own;
    *state = state_start(rules);
    if (fen == NULL && game_type(game) == TYPE_FRYSK)
        fen = frysk_start;
    if (fen == NULL)
        return EINSPUL_OK;
    const einspul_status status = fen_read_lenient(rules, fen, state, note, NULL, &own);
    if (status != EINSPUL_OK)
        return error_set(error, status, "line %d: FEN: %.240s", game->line, own.text);
    return EINSPUL_OK;
}

static einspul_status look_up(einspul *handle, const struct state *state, struct verdict *known,
                              einspul_error *error)
{
    *known = (struct verdict){.known = false};
    if (squares_count(placement_occupied(&state->at)) > MAX_PIECES)
        return EINSPUL_OK;
    const einspul_status status = map_value(handle, state, known, error);
    known->known = known->known && !known->maybe;
    return status == EINSPUL_NO_TABLE || status == EINSPUL_ONLY_BOUNDS ? EINSPUL_OK : status;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* The only move of a list of captures. */
static const struct move *only_capture(const struct move_list *list, int *n_meant)
{
    *n_meant = list->n_moves > 0 && list->moves[0].captured != 0 ? list->n_moves : 0;
    return *n_meant == 1 ? &list->moves[0] : NULL;
}

/* Finds the legal move of a text, or NULL; *n_meant is the number of matching moves. Any sign
 * between squares is accepted, as some programs write captures with a hyphen; landing squares may
 * differ from ours if from and to identify the move; a bare `x` is the only capture. */
static const struct move *find_move(const struct move_list *list, const char *text, int *n_meant)
{
    const struct move *found = NULL;
    char plain[MOVE_TEXT_SIZE] = "";
    int n_squares = 0;
    int from = 0;
    int to = 0;
    if (strcmp(text, "x") == 0)
        return only_capture(list, n_meant);
    *n_meant = 0;
    for (const char *at = text; *at != '\0'; n_squares++) {
        const int square = atoi(at);
        at += strspn(at, "0123456789");
        at += *at != '\0';
        from = n_squares == 0 ? square : from;
        to = square;
        if (strlen(plain) + 4 >= sizeof plain)
            return NULL;
        text_append(plain, sizeof plain, "%s%d",
                    n_squares == 0                                 ? ""
                    : list->n_moves > 0 && list->moves[0].captured ? "x"
                                                                   : "-",
                    square);
    }
    const struct move *exact = move_read(list, plain);
    if (exact != NULL)
        return exact;
    for (int i = 0; i < list->n_moves; i++) {
        if (list->moves[i].from + 1 != from || list->moves[i].to + 1 != to)
            continue;
        found = &list->moves[i];
        ++*n_meant;
    }
    return *n_meant == 1 && n_squares > 2 ? found : NULL;
}

/* "White wins in 5 plies", "a draw"; of a value for `side` to move. */
static void value_text(enum side side, const struct verdict *known, char text[64])
{
    const enum side winner = known->outcome == EINSPUL_WIN ? side : side_other(side);
    if (known->outcome == EINSPUL_DRAW)
        snprintf(text, 64, "a draw");
    else if (known->plies == 0)
        snprintf(text, 64, "%s has won", side_name(winner));
    else if (known->plies < 0)
        snprintf(text, 64, "%s wins", side_name(winner));
    else
        snprintf(text, 64, "%s wins in %d %s", side_name(winner), known->plies,
                 known->plies == 1 ? "ply" : "plies");
}

/* The best move: the shortest win, otherwise the longest loss, or a draw. */
static einspul_status best_move(einspul *handle, const struct state *state,
                                const struct move_list *list, const struct move **best,
                                einspul_error *error)
{
    value_t best_value = VALUE_LOST;
    *best = NULL;
    for (int i = 0; i < list->n_moves; i++) {
        const struct state after = state_after(probe_rules(handle), state, &list->moves[i]);
        struct verdict known;
        const einspul_status status = look_up(handle, &after, &known, error);
        if (status != EINSPUL_OK)
            return status;
        if (!known.known)
            continue;
        const value_t value = known.outcome == EINSPUL_DRAW  ? VALUE_DRAW
                              : known.plies >= 0             ? value_from_plies(known.plies)
                              : known.outcome == EINSPUL_WIN ? VALUE_WIN_IN_1
                                                             : VALUE_LOST;
        if (*best != NULL && value_before(value) <= best_value)
            continue;
        best_value = value_before(value);
        *best = &list->moves[i];
    }
    return EINSPUL_OK;
}

/* --- notes ------------------------------------------------------------------------------------ */

static einspul_status add_note(struct notes *notes, const struct annotation *note,
                               einspul_error *error)
{
    struct annotation *list = array_room(notes->note, notes->n, &notes->room, 16, sizeof *list);
    if (list == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for notes on a game");
    notes->note = list;
    notes->note[notes->n++] = *note;
    return EINSPUL_OK;
}

void annotate_free(struct notes *notes)
{
    free(notes->note);
    *notes = (struct notes){.n = 0};
}

/* The state of a game during its replay. */
struct replay {
    einspul *handle;
    const struct pdn_game *game;
    struct notes *notes;
    struct state state;
    struct verdict known; /* of the state */
    bool told;            /* a value has been noted */
    int ply;
    struct move_list list;
};

/* Notes the first known value: before the first move, or after the move that led to it. */
static einspul_status note_first(struct replay *replay, size_t token, bool before,
                                 einspul_error *error)
{
    struct annotation note = {.token = token, .before = before};
    char text[64];
    if (replay->told || !replay->known.known)
        return EINSPUL_OK;
    replay->told = true;
    value_text(replay->state.at.side, &replay->known, text);
    const struct rules *rules = probe_rules(replay->handle);
    const bool limited = rules->lone_king_limit[1] > 0; /* not what the game's name alone says */
    snprintf(note.comment, sizeof note.comment, limited ? OURS "%s (%s)" : OURS "%s", text,
             rules->name);
    return add_note(replay->notes, &note, error);
}

/* Notes a move that changed the outcome; `after` is what it led to. After a limit has drawn the
 * game there are no mistakes. */
static einspul_status note_mistake(struct replay *replay, size_t token, const struct verdict *after,
                                   einspul_error *error)
{
    const enum side side = replay->state.at.side;
    const struct move *best = NULL;
    struct annotation note = {.token = token};
    char text[64];
    char instead[64];
    char move[MOVE_TEXT_SIZE] = "";
    if (!replay->known.known || !after->known ||
        (int)replay->known.outcome == -(int)after->outcome ||
        state_is_drawn(probe_rules(replay->handle), &replay->state))
        return EINSPUL_OK;
    const einspul_status status =
        best_move(replay->handle, &replay->state, &replay->list, &best, error);
    if (status != EINSPUL_OK)
        return status;
    if (best != NULL)
        move_write(&replay->list, best, move);
    value_text(side_other(side), after, text);
    value_text(side, &replay->known, instead);
    note.nag = replay->known.outcome == EINSPUL_WIN && after->outcome == EINSPUL_WIN ? 4 : 2;
    snprintf(note.comment, sizeof note.comment, OURS "%s; before it, with %s: %s", text, move,
             instead);
    return add_note(replay->notes, &note, error);
}

/* --- a game ----------------------------------------------------------------------------------- */

static einspul_status bad_move(const struct replay *replay, const struct pdn_token *token,
                               const char *why, einspul_error *error)
{
    return error_set(error, EINSPUL_BAD_MOVE, "line %d, move %d of %s, '%.60s': %s", token->line,
                     replay->ply / 2 + 1, side_name(replay->state.at.side),
                     pdn_text(replay->game, token), why);
}

/* The error for an illegal move, with the legal moves as far as there is room. */
static einspul_status illegal_move(const struct replay *replay, const struct pdn_token *token,
                                   int n_meant, einspul_error *error)
{
    const struct move_list *list = &replay->list;
    char why[EINSPUL_ERROR_TEXT_SIZE] = "the game is over, there is no legal move";
    for (int i = 0; i < list->n_moves; i++) {
        char move[MOVE_TEXT_SIZE];
        if (i == 0)
            snprintf(why, sizeof why,
                     "%s; legal:", n_meant > 1 ? "fits several moves" : "no legal move");
        move_write(list, &list->moves[i], move);
        const bool fits = strlen(why) + strlen(move) <= MOST_LEGAL;
        text_append(why, sizeof why, " %s", fits ? move : "...");
        if (!fits)
            break;
    }
    return bad_move(replay, token, why, error);
}

static einspul_status play(struct replay *replay, size_t number, einspul_error *error)
{
    const struct rules *rules = probe_rules(replay->handle);
    const struct pdn_token *token = &replay->game->tokens[number];
    struct verdict after;
    int n_meant = 0;
    einspul_status status = moves_generate(rules, &replay->state, &replay->list);
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    const struct move *move = find_move(&replay->list, pdn_text(replay->game, token), &n_meant);
    if (move == NULL)
        return illegal_move(replay, token, n_meant, error);
    const struct state next = state_after(rules, &replay->state, move);
    status = look_up(replay->handle, &next, &after, error);
    if (status == EINSPUL_OK)
        status = note_mistake(replay, number, &after, error);
    replay->state = next;
    replay->known = after;
    replay->ply++;
    if (status == EINSPUL_OK)
        status = note_first(replay, number, false, error);
    return status;
}

static einspul_status play_all(struct replay *replay, einspul_error *error)
{
    const struct pdn_game *game = replay->game;
    einspul_status status = EINSPUL_OK;
    int depth = 0;
    bool moved = false;
    for (size_t i = 0; i < game->n_tokens && status == EINSPUL_OK; i++) {
        const struct pdn_token *token = &game->tokens[i];
        if (token->kind == PDN_BAD)
            return bad_move(replay, token,
                            pdn_text(game, token)[0] == '\0' ? "a comment before it does not end"
                                                             : "cannot be read",
                            error);
        if (token->kind == PDN_CLOSE && depth == 0)
            return bad_move(replay, token, "closes no variation", error);
        depth += token->kind == PDN_OPEN ? 1 : token->kind == PDN_CLOSE ? -1 : 0;
        if (token->kind != PDN_MOVE || depth > 0)
            continue;
        if (!moved)
            status = note_first(replay, i, true, error);
        moved = true;
        if (status == EINSPUL_OK)
            status = play(replay, i, error);
    }
    return status;
}

einspul_status annotate_game(einspul *handle, const struct pdn_game *game, struct notes *notes,
                             einspul_error *error)
{
    struct replay replay = {.handle = handle, .game = game, .notes = notes};
    notes->n = 0;
    if (game->too_long)
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "line %d: a game of more than %d bytes, or %d words; it is left out",
                         game->line, PDN_MOST_BYTES, PDN_MOST_TOKENS);
    move_list_init(&replay.list);
    einspul_status status = first_state(probe_rules(handle), game, &replay.state, error);
    /* Moves are numbered as they are where Black begins: his first is the second half. */
    replay.ply = status == EINSPUL_OK && replay.state.at.side != probe_rules(handle)->first_to_move;
    if (status == EINSPUL_OK)
        status = look_up(handle, &replay.state, &replay.known, error);
    if (status == EINSPUL_OK)
        status = play_all(&replay, error);
    move_list_free(&replay.list);
    return status;
}
