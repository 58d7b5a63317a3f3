/* With exact values, only a mistake can change the outcome, so each move is marked if the outcome
 * after it differs from the outcome before it. */
#include "study/annotate.h"

#include "core/material.h"
#include "core/program/array.h"
#include "core/program/game.h"
#include "core/program/plies.h"
#include "core/program/text.h"
#include "study/move_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rule sets and names ---------------------------------------------------------------------- */

/* Game types of lidraughts beyond those of PDN: its game with five men a side under Frisian rules,
 * and a game from a position, which says nothing about the rules. */
enum { TYPE_FRISIAN = 40, TYPE_FRYSK = 97, TYPE_FROM_POSITION = 99 };

enum { FEN_TAG_SIZE = 1024, GAME_NAME_SIZE = 64 };

static const char frysk_start[] = "W:W46-50:B1-5";

static int game_type(const struct pdn_game *game)
{
    char tag[32];
    return pdn_tag(game, "GameType", tag, sizeof tag) && tag[0] != '\0' ? atoi(tag)
                                                                        : TYPE_FROM_POSITION;
}

/* Writes the game types of the rule sets, each once. */
static void list_game_types(char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned id = 1; id <= N_RULES; id++) {
        struct rules rules;
        if (rules_by_id(&rules, id, NULL) == EINSPUL_OK &&
            rules_of_game_type(rules.pdn_game_type) == rules.id)
            text_append(text, size, "%s%d", text[0] != '\0' ? ", " : "", rules.pdn_game_type);
    }
}

enum rules_id annotate_rules(const struct pdn_game *game, const struct rules *usual, bool *said,
                             einspul_error *error)
{
    const int tagged = game_type(game);
    const int type = tagged == TYPE_FRYSK ? TYPE_FRISIAN : tagged;
    char tag[41];
    *said = type != TYPE_FROM_POSITION;
    if (!*said || type == usual->pdn_game_type)
        return usual->id;
    const enum rules_id id = rules_of_game_type(type);
    if (id != 0)
        return id;
    char known[64];
    list_game_types(known, sizeof known);
    pdn_tag(game, "GameType", tag, sizeof tag);
    error_set(error, EINSPUL_BAD_RULES, "line %d, game %d: unknown GameType '%s' (known: %s)",
              game->line, game->number, tag, known);
    return 0;
}

bool annotate_is_from_site(const struct pdn_game *game)
{
    char tag[128];
    return pdn_tag(game, "Site", tag, sizeof tag) && strstr(tag, "lidraughts.org") != NULL;
}

/* The players of a game as ` (A - B)`; empty without tags. */
static void name_players(const struct pdn_game *game, char name[GAME_NAME_SIZE])
{
    char white[28];
    char black[28];
    const bool any = pdn_tag(game, "White", white, sizeof white);
    name[0] = '\0';
    if (pdn_tag(game, "Black", black, sizeof black) || any)
        snprintf(name, GAME_NAME_SIZE, " (%s - %s)", white, black);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* A game during its replay. */
struct replay {
    einspul *handle; /* NULL: without values */
    const struct rules *rules;
    const struct pdn_game *game;
    struct annotation *annotation;
    bool value_seen; /* a known value was seen since the start or the last set-up */
    int ply;
    struct move_list list;
};

static struct game_step *last_step(const struct replay *replay)
{
    return &replay->annotation->steps[replay->annotation->n - 1];
}

/* Proves the outcome of a state beyond the tables. */
static einspul_status prove(const struct replay *replay, const struct state *state,
                            struct verdict *verdict, einspul_error *error)
{
    struct known_wins known;
    einspul_outcome outcome;
    const einspul_status status = prove_outcome(replay->annotation->prover, state,
                                                replay->annotation->seconds, &known, error);
    if (known_outcome(&known, state->at.side, &outcome))
        *verdict = (struct verdict){.known = true, .outcome = outcome, .plies = -1};
    return status;
}

static einspul_status look_up(const struct replay *replay, const struct state *state,
                              struct verdict *known, einspul_error *error)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    einspul_status status = EINSPUL_NO_TABLE;
    *known = (struct verdict){.known = false};
    if (replay->handle == NULL)
        return EINSPUL_OK;
    if (n_pieces <= MAX_PIECES)
        status = verdict_of(replay->handle, state, known, error);
    if (status == EINSPUL_NO_TABLE && replay->annotation->prover != NULL && n_pieces <= MAX_PROVED)
        return prove(replay, state, known, error);
    return status == EINSPUL_NO_TABLE ? EINSPUL_OK : status;
}

/* Appends a step for a state and probes its value; all other fields are zero. */
static einspul_status add_step(struct replay *replay, size_t token, const struct state *state,
                               einspul_error *error)
{
    struct annotation *annotation = replay->annotation;
    if (annotation->n == MAX_STEPS)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "line %d, game %d: longer than %d moves",
                         replay->game->line, replay->game->number, MAX_STEPS - 1);
    struct game_step *steps =
        array_reserve(annotation->steps, annotation->n, &annotation->room, 16, sizeof *steps);
    if (steps == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a game");
    annotation->steps = steps;
    struct game_step *step = &steps[annotation->n++];
    memset(step, 0, sizeof *step);
    step->token = token;
    step->state = *state;
    const einspul_status status = look_up(replay, state, &step->verdict, error);
    step->first_known = step->verdict.known && !replay->value_seen;
    replay->value_seen = replay->value_seen || step->verdict.known;
    return status;
}

void annotate_free(struct annotation *annotation)
{
    free(annotation->steps);
    *annotation = (struct annotation){.n = 0};
}

/* --- mistakes --------------------------------------------------------------------------------- */

/* Finds the best move among those whose outcome is known or can be proved. */
static einspul_status find_best(const struct replay *replay, const struct state *state,
                                struct probed_move *best, einspul_error *error)
{
    einspul_position position;
    struct move_values list;
    bool found = false;
    probe_position_from_state(state, &position);
    einspul_status status =
        list_moves(replay->handle, replay->rules->name, &position, &list, error);
    for (size_t i = 0; i < list.n && status == EINSPUL_OK; i++) {
        struct probed_move *move = &list.moves[i];
        struct verdict proved = {.known = true, .outcome = (einspul_outcome)(-move->outcome)};
        const struct state after = state_of_position(&move->after);
        if (move->status != EINSPUL_OK)
            status = look_up(replay, &after, &proved, error);
        if (!proved.known || (found && -(int)proved.outcome <= (int)best->outcome))
            continue;
        found = true;
        *best = *move;
        best->status = EINSPUL_OK;
        best->outcome = (einspul_outcome)(-proved.outcome);
    }
    free(list.moves);
    return status;
}

/* Marks the last step if it changed the outcome. Nothing is a mistake once a move limit has drawn
 * the game. */
static einspul_status mark_mistake(const struct replay *replay, const struct game_step *before,
                                   struct game_step *step, einspul_error *error)
{
    if (!before->verdict.known || !step->verdict.known ||
        (int)before->verdict.outcome == -(int)step->verdict.outcome ||
        state_is_drawn(replay->rules, &before->state))
        return EINSPUL_OK;
    step->before = before->verdict;
    step->nag =
        before->verdict.outcome == EINSPUL_WIN && step->verdict.outcome == EINSPUL_WIN ? 4 : 2;
    return find_best(replay, &before->state, &step->best, error);
}

/* --- words ------------------------------------------------------------------------------------ */

static struct written_move written(const struct pdn_game *game, const struct pdn_token *token)
{
    return (struct written_move){game->text + token->begin, token->end - token->begin};
}

/* Sets an error with a status that names line, game and move of a token. */
static einspul_status wrong_as(const struct replay *replay, einspul_status status,
                               const struct pdn_token *token, const char *why, einspul_error *error)
{
    const size_t n = token->end - token->begin;
    char name[GAME_NAME_SIZE];
    name_players(replay->game, name);
    replay->annotation->line = token->line;
    return error_set(error, status, "line %d, game %d%s, move %d of %s, '%.*s%s', under %s: %s",
                     token->line, replay->game->number, name, replay->ply / 2 + 1,
                     side_name(last_step(replay)->state.at.side), n > 40 ? 40 : (int)n,
                     replay->game->text + token->begin, n > 40 ? "..." : "", replay->rules->name,
                     why);
}

static einspul_status wrong(const struct replay *replay, const struct pdn_token *token,
                            const char *why, einspul_error *error)
{
    return wrong_as(replay, EINSPUL_BAD_MOVE, token, why, error);
}

/* The next token of the line of play that is a move, a number, a set-up or a result; the number of
 * tokens if none follows. */
static size_t next_word(const struct pdn_game *game, size_t token)
{
    int depth = 0;
    for (token++; token < game->n_tokens; token++) {
        const enum pdn_kind kind = game->tokens[token].kind;
        depth += kind == PDN_OPEN ? 1 : kind == PDN_CLOSE ? -1 : 0;
        if (depth == 0 && (kind == PDN_MOVE || kind == PDN_NUMBER || kind == PDN_SETUP ||
                           kind == PDN_RESULT || kind == PDN_NULL))
            break;
    }
    return token;
}

/* Of moves that a text may mean, the only one after which the next move of the game is legal; NULL
 * if none or several are. */
static const struct move *only_continued(const struct replay *replay, size_t token,
                                         const struct move *const *found, int n_found)
{
    const struct pdn_game *game = replay->game;
    const struct move *only = NULL;
    const struct move *next[MAX_MATCHES];
    struct move_list list;
    do
        token = next_word(game, token);
    while (token < game->n_tokens && game->tokens[token].kind == PDN_NUMBER);
    if (token == game->n_tokens || game->tokens[token].kind != PDN_MOVE || n_found > MAX_MATCHES)
        return NULL;
    move_list_init(&list);
    for (int i = 0; i < n_found; i++) {
        const struct state after = state_after(replay->rules, &last_step(replay)->state, found[i]);
        if (moves_generate(replay->rules, &after, &list) != EINSPUL_OK ||
            moves_match(replay->rules, &after, &list, written(game, &game->tokens[token]), next) ==
                0)
            continue;
        if (only != NULL) {
            only = NULL;
            break;
        }
        only = found[i];
    }
    move_list_free(&list);
    return only;
}

static einspul_status play(struct replay *replay, size_t number, einspul_error *error)
{
    const struct pdn_token *token = &replay->game->tokens[number];
    const struct written_move text = written(replay->game, token);
    const struct state *state = &last_step(replay)->state;
    const struct move *found[MAX_MATCHES];
    int squares[MAX_WRITTEN];
    char why[WHY_SIZE];
    einspul_error own;
    einspul_status status = moves_generate(replay->rules, state, &replay->list);
    if (status != EINSPUL_OK) {
        moves_error(status, &own);
        return wrong_as(replay, status, token, own.text, error);
    }
    written_squares(&replay->rules->board, text, squares, &replay->annotation->notation);
    const int n_found = moves_match(replay->rules, state, &replay->list, text, found);
    const struct move *move = n_found == 1  ? found[0]
                              : n_found > 1 ? only_continued(replay, number, found, n_found)
                                            : NULL;
    if (move == NULL) {
        move_why_not(replay->rules, state, &replay->list, text, why);
        return wrong(replay, token, why, error);
    }
    struct probed_move made;
    describe_move(replay->rules, state, &replay->list, move, &made);
    const struct state after = state_of_position(&made.after);
    status = add_step(replay, number, &after, error);
    if (status != EINSPUL_OK)
        return status;
    struct game_step *step = last_step(replay);
    step->moved = true;
    step->move = made;
    step->ply = replay->ply++;
    return mark_mistake(replay, step - 1, step, error);
}

/* The side that moves first. The tag GameType may name it (`20,B`); as many files do so wrongly, it
 * counts only if the first move agrees. */
static enum side first_to_move(const struct replay *replay)
{
    const struct rules *rules = replay->rules;
    const struct pdn_game *game = replay->game;
    const struct placement start = state_start(rules).at;
    enum notation notation = NOTATION_NUMBERS;
    int squares[MAX_WRITTEN];
    size_t token = 0;
    char type[32];
    pdn_tag(game, "GameType", type, sizeof type);
    const char *colour = strchr(type, ',');
    colour = colour != NULL ? colour + 1 + strspn(colour + 1, " ") : "";
    const enum side side = *colour == 'W' ? WHITE : *colour == 'B' ? BLACK : rules->first_to_move;
    while (token < game->n_tokens && game->tokens[token].kind != PDN_MOVE)
        token++;
    const int n_squares = token < game->n_tokens
                              ? written_squares(&rules->board, written(game, &game->tokens[token]),
                                                squares, &notation)
                              : 0;
    return n_squares > 1 && (placement_own(&start, side) & square_bit(squares[0])) == 0
               ? rules->first_to_move
               : side;
}

/* Begins at a position, at first and after a set-up. */
static einspul_status begin_at(struct replay *replay, size_t token, int line, const char *fen,
                               einspul_error *error)
{
    struct annotation *annotation = replay->annotation;
    enum notation notation = NOTATION_NUMBERS;
    char note[FEN_NOTE_SIZE] = "";
    struct fen_said said;
    char name[GAME_NAME_SIZE];
    einspul_error own;
    const enum side first = fen == NULL ? first_to_move(replay) : replay->rules->first_to_move;
    struct state state = state_start(replay->rules);
    state.at.side = first;
    if (fen != NULL &&
        fen_read_lenient(replay->rules, fen, &state, note, &notation, &said, &own) != EINSPUL_OK) {
        name_players(replay->game, name);
        annotation->line = line;
        return error_set(error, own.status, "line %d, game %d%s, under %s: FEN: %.180s", line,
                         replay->game->number, name, replay->rules->name, own.text);
    }
    if (annotation->note[0] == '\0' && note[0] != '\0') {
        strcpy(annotation->note, note);
        annotation->said = said;
    }
    if (notation == NOTATION_LETTERS)
        annotation->notation = notation;
    /* If Black moves first, his first move counts as the second half of a move number. */
    replay->ply = (replay->ply + 1) / 2 * 2 + (state.at.side != first);
    replay->value_seen = false;
    return add_step(replay, token, &state, error);
}

static einspul_status set_up(struct replay *replay, size_t number, einspul_error *error)
{
    const struct pdn_token *token = &replay->game->tokens[number];
    char fen[FEN_TAG_SIZE];
    const size_t n =
        token->end - token->begin - 2; /* between the slashes, columns from the first */
    snprintf(fen, sizeof fen, " %.*s", (int)n, replay->game->text + token->begin + 1);
    return begin_at(replay, number, token->line, fen, error);
}

/* Skips a token that is not a move, or returns an error if it must not be skipped. */
static einspul_status pass_over(const struct replay *replay, size_t number, int depth,
                                einspul_error *error)
{
    const struct pdn_token *token = &replay->game->tokens[number];
    const char *text = replay->game->text + token->begin;
    char plain = '\0';
    char_read(text, token->end - token->begin, &plain);
    if (token->kind == PDN_BAD && plain == '{')
        return wrong(replay, token, "unterminated comment", error);
    if (token->kind == PDN_CLOSE && depth == 0)
        return wrong(replay, token, "')' without '('", error);
    if (depth > 0)
        return EINSPUL_OK;
    if (token->kind == PDN_BAD)
        return wrong(replay, token, "not a move", error);
    if (token->kind != PDN_NULL)
        return EINSPUL_OK;
    const size_t next = next_word(replay->game, number);
    if (plain == '.' &&
        (next == replay->game->n_tokens || replay->game->tokens[next].kind != PDN_NUMBER))
        return EINSPUL_OK; /* before the move of Black, or at the end */
    return wrong(replay, token, "null moves are not allowed", error);
}

static einspul_status play_all(struct replay *replay, einspul_error *error)
{
    const struct pdn_game *game = replay->game;
    einspul_status status = EINSPUL_OK;
    size_t opened = 0;
    int depth = 0;
    for (size_t i = 0; i < game->n_tokens && status == EINSPUL_OK; i++) {
        const enum pdn_kind kind = game->tokens[i].kind;
        if (kind == PDN_MOVE && depth == 0)
            status = play(replay, i, error);
        else if (kind == PDN_SETUP && depth == 0)
            status = set_up(replay, i, error);
        else
            status = pass_over(replay, i, depth, error);
        if (kind == PDN_OPEN && depth == 0)
            opened = i;
        depth += kind == PDN_OPEN ? 1 : kind == PDN_CLOSE ? -1 : 0;
    }
    if (status == EINSPUL_OK && depth > 0)
        return wrong(replay, &game->tokens[opened], "unterminated variation", error);
    return status;
}

einspul_status annotate_game(einspul *handle, const struct rules *rules,
                             const struct pdn_game *game, struct annotation *annotation,
                             einspul_error *error)
{
    struct replay replay = {
        .handle = handle, .rules = rules, .game = game, .annotation = annotation};
    char fen[FEN_TAG_SIZE];
    annotation->rules = rules;
    annotation->notation = NOTATION_NUMBERS;
    annotation->n = 0;
    annotation->line = game->line;
    annotation->note[0] = '\0';
    if (game->too_long)
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "line %d, game %d: longer than %d words, not annotated", game->line,
                         game->number, PDN_MAX_TOKENS);
    const bool tagged = pdn_tag(game, "FEN", fen, sizeof fen) && fen[strspn(fen, " ")] != '\0';
    move_list_init(&replay.list);
    einspul_status status = begin_at(&replay, 0, game->line,
                                     tagged                          ? fen
                                     : game_type(game) == TYPE_FRYSK ? frysk_start
                                                                     : NULL,
                                     error);
    if (status == EINSPUL_OK)
        status = play_all(&replay, error);
    move_list_free(&replay.list);
    return status;
}

/* Returns a rule set of a different game under which every move is legal; NULL if none. */
static const char *legal_under(const struct pdn_game *game, const struct rules *rules)
{
    struct rules *other = malloc(sizeof *other);
    struct annotation annotation = {.n = 0};
    const char *name = NULL;
    for (unsigned id = N_RULES; other != NULL && name == NULL && id > 0; id--)
        if (rules_by_id(other, id, NULL) == EINSPUL_OK && rules_is_standard(other) &&
            other->pdn_game_type != rules->pdn_game_type &&
            annotate_game(NULL, other, game, &annotation, NULL) == EINSPUL_OK && annotation.n > 1)
            name = other->name;
    annotate_free(&annotation);
    free(other);
    return name;
}

const char *annotate_assumed(const struct pdn_game *game, const struct rules *rules, bool legal,
                             char text[ASSUMED_SIZE])
{
    const char *other = legal ? NULL : legal_under(game, rules);
    snprintf(text, ASSUMED_SIZE, "no GameType: judged by %s%s%s", rules->name,
             other != NULL ? ", but legal under " : "", other != NULL ? other : "");
    return other;
}
