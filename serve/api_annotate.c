/* Games in PDN: one of them played through, with the value of every position. */
#include "serve/endpoints.h"

#include "core/program/text.h"
#include "serve/position.h"
#include "study/annotate_write.h"
#include "study/game_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 1000, MAX_FEN = 2000 };

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *listed_json(const struct pdn_game *game)
{
    static const char *const tags[][2] = {{"white", "White"},
                                          {"black", "Black"},
                                          {"event", "Event"},
                                          {"result", "Result"},
                                          {"game_type", "GameType"}};
    json_t *object = json_pack("{s:i}", "line", game->line);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        char value[200];
        const bool there = pdn_tag(game, tags[i][1], value, sizeof value);
        json_object_set_new(object, tags[i][0], there ? json_any_text(value) : json_null());
    }
    return object;
}

static json_t *best_json(const struct rule_set *set, const struct probed_move *best,
                         enum notation notation)
{
    if (best->text[0] == '\0')
        return json_null();
    const struct verdict after = verdict_after(set, best);
    json_t *object = verdict_json(&after);
    add_move_fields(object, set, best, notation);
    return object;
}

static void move_of_step_add(json_t *object, const struct rule_set *set,
                             const struct pdn_game *game, const struct annotation *annotation,
                             size_t number, enum notation notation)
{
    const struct game_step *step = &annotation->steps[number];
    const struct pdn_token *token = &game->tokens[step->token];
    json_object_update_new(
        object, json_pack("{s:i,s:o}", "line", token->line, "text",
                          json_any_bytes(game->text + token->begin, token->end - token->begin)));
    if (!step->moved) {
        json_object_set_new(object, "setup", json_true());
        return;
    }
    add_move_fields(object, set, &step->move, notation);
    json_object_update_new(object, json_pack("{s:s,s:i}", "mover",
                                             side_word(side_other(step->state.at.side)), "number",
                                             step->ply / 2 + 1));
    if (step->nag != 0)
        json_object_update_new(object, json_pack("{s:i,s:o}", "nag", step->nag, "best",
                                                 best_json(set, &step->best, notation)));
}

static json_t *step_json(const struct rule_set *set, const struct pdn_game *game,
                         const struct annotation *annotation, size_t number, enum notation notation)
{
    const struct game_step *step = &annotation->steps[number];
    json_t *object = verdict_json(&step->verdict);
    char comment[NOTE_SIZE];
    if (number > 0)
        move_of_step_add(object, set, game, annotation, number, notation);
    annotate_comment(annotation, number, notation, comment);
    json_object_update_new(object,
                           json_pack("{s:o,s:s,s:s*}", "fen", position_fen(set, &step->state),
                                     "side", side_word(step->state.at.side), "comment",
                                     comment[0] != '\0' ? comment : NULL));
    return object;
}

/* The annotated game as text. */
static json_t *pdn_json(const struct pdn_game *game, const struct annotation *annotation,
                        enum notation notation)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&text, &n_bytes);
    if (file == NULL)
        return NULL;
    annotate_write(file, game, annotation, notation);
    json_t *json = fclose(file) == 0 ? json_any_text(text) : NULL;
    free(text);
    return json;
}

/* --- its tree --------------------------------------------------------------------------------- */

static json_t *node_json(const struct rule_set *set, const struct tree_node *node,
                         enum notation notation)
{
    json_t *object = json_pack("{s:s,s:o,s:o}", "side", side_word(node->state.at.side), "fen",
                               position_fen(set, &node->state), "parent",
                               json_number(node->parent >= 0, node->parent));
    if (node->moved)
        add_move_fields(object, set, &node->move, notation);
    return object;
}

/* Adds a text to the list of its kind. */
static void text_add(json_t *nodes, const struct pdn_game *game, const struct tree_text *text)
{
    static const char *const names[] = {[TREE_COMMENT] = "comments",
                                        [TREE_BEFORE] = "before",
                                        [TREE_MARK] = "marks",
                                        [TREE_UNREAD] = "unread"};
    json_t *object = json_array_get(nodes, (size_t)text->node);
    json_t *list = json_object_get(object, names[text->kind]);
    if (list == NULL) {
        list = json_array();
        json_object_set_new(object, names[text->kind], list);
    }
    size_t n = 0;
    const char *bytes = tree_text_bytes(game, text, &n);
    json_array_append_new(list, json_any_bytes(bytes, n));
}

/* Adds the tags of a game as they are written, and its result. */
static void tags_and_result_add(json_t *object, const struct pdn_game *game)
{
    char *tags = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&tags, &n_bytes);
    for (size_t i = 0; i < game->n_tokens && file != NULL; i++) {
        const struct pdn_token *token = &game->tokens[i];
        const int n = (int)(token->end - token->begin);
        if (token->kind == PDN_TAG)
            fprintf(file, "%.*s\n", n, game->text + token->begin);
    }
    if (file != NULL && fclose(file) == 0)
        json_object_set_new(object, "tags", json_any_text(tags));
    free(tags);
    const struct pdn_token *last = pdn_result_token(game);
    json_object_set_new(object, "result",
                        last != NULL
                            ? json_any_bytes(game->text + last->begin, last->end - last->begin)
                            : json_null());
}

/* The nodes of a game's tree; moves in a notation. */
static json_t *tree_json(const struct rule_set *set, const struct pdn_game *game,
                         const struct annotation *annotation, enum notation notation)
{
    struct game_tree tree = {.n = 0};
    einspul_error ignored;
    json_t *nodes = json_array();
    if (game_tree_read(game, annotation, &tree, &ignored) == EINSPUL_OK) {
        for (size_t i = 0; i < tree.n; i++)
            json_array_append_new(nodes, node_json(set, &tree.nodes[i], notation));
        for (size_t i = 0; i < tree.n_texts; i++)
            text_add(nodes, game, &tree.texts[i]);
    }
    game_tree_free(&tree);
    return nodes;
}

/* --- a game ----------------------------------------------------------------------------------- */

/* The request and the answer under construction. */
struct wanted {
    const struct call *call;
    enum notation notation;
    int number, n_games;
    bool bare;                /* the body is only a position */
    bool of_site;             /* in a link to lidraughts.org */
    char note[FEN_NOTE_SIZE]; /* on reading it */
    struct fen_said said;
    json_t *games, *answer;
};

/* The tables of the rule set by which lidraughts.org plays the game of another; NULL without. */
static struct rule_set *set_of_site(const struct call *call, const struct rules *rules)
{
    return rules->lidraughts_rules != 0
               ? service_find(call->service, einspul_rules_list()[rules->lidraughts_rules - 1])
               : NULL;
}

/* The tables that judge a game; NULL with an error that names those available. */
static struct rule_set *judge_of(const struct wanted *wanted, const struct pdn_game *game,
                                 bool *said, einspul_error *error)
{
    const struct call *call = wanted->call;
    const enum rules_id rules = annotate_rules(game, &call->set->rules, said, error);
    struct rule_set *set = NULL;
    char names[SERVICE_NAMES_SIZE];
    if (rules == call->set->rules.id)
        set = call->set;
    else if (rules != 0)
        set = service_find(call->service, einspul_rules_list()[rules - 1]);
    service_names(call->service, names);
    if (rules != 0 && set == NULL)
        error_set(error, EINSPUL_NO_FOLDER, "this server has no '%s' tables; available: %s",
                  einspul_rules_list()[rules - 1], names);
    struct rule_set *site = NULL;
    if (set != NULL && (wanted->of_site || annotate_is_from_site(game)))
        site = set_of_site(call, &set->rules);
    return site != NULL ? site : set;
}

/* Adds a note on assumptions and ignored parts: of a bare position, or of the game and its
 * rules. */
static void notes_add(const struct wanted *wanted, const struct pdn_game *game,
                      const struct annotation *annotation, bool said_rules, bool legal)
{
    const struct rules *rules = annotation->rules;
    const char *on_fen = wanted->bare ? wanted->note : annotation->note;
    const struct fen_said *parts = wanted->bare ? &wanted->said : &annotation->said;
    struct fen_said said = {.n_notes = 0};
    char note[FEN_NOTE_SIZE] = "";
    char assumed[ASSUMED_SIZE];
    if (!wanted->bare && !said_rules) {
        annotate_assumed(game, rules, legal, assumed);
        fen_note_add(note, &said, (struct fen_fault){.code = "RULES_ASSUMED"}, "%s", assumed);
    }
    if (rules->lidraughts_rules != 0 && annotate_is_from_site(game))
        fen_note_add(note, &said, (struct fen_fault){.code = "SITE_RULES"},
                     "no tables of %s here, by which lidraughts.org plays: judged by %s",
                     einspul_rules_list()[rules->lidraughts_rules - 1], rules->name);
    for (int i = 0; i < parts->n_notes; i++)
        fen_note_add(note, &said, parts->notes[i], "%s", i == 0 ? on_fen : "");
    note_add(wanted->answer, note, &said);
}

static void answer_game(struct wanted *wanted, const struct pdn_game *game)
{
    struct annotation annotation = {.line = game->line};
    einspul_error error = {EINSPUL_OK, ""};
    bool said = true;
    json_t *steps = json_array();
    struct rule_set *set = judge_of(wanted, game, &said, &error);
    const einspul_status status =
        set == NULL ? error.status
                    : annotate_game(set->handle, &set->rules, game, &annotation, &error);
    const enum notation notation =
        wanted->notation != NOTATION_AS_GIVEN ? wanted->notation : annotation.notation;
    for (size_t i = 0; i < annotation.n; i++)
        json_array_append_new(steps, step_json(set, game, &annotation, i, notation));
    wanted->answer = json_pack("{s:o,s:o,s:o,s:s?}", "steps", steps, "tree",
                               tree_json(set, game, &annotation, notation), "pdn",
                               pdn_json(game, &annotation, notation), "rules",
                               set != NULL ? set->rules.name : NULL);
    tags_and_result_add(wanted->answer, game);
    if (set != NULL)
        notes_add(wanted, game, &annotation, said, status == EINSPUL_OK);
    if (status != EINSPUL_OK)
        json_object_set_new(wanted->answer, "error",
                            json_pack("{s:o,s:s,s:i}", "text", json_any_text(error.text), "code",
                                      einspul_status_name(status), "line", annotation.line));
    annotate_free(&annotation);
}

static einspul_status answer_all(struct wanted *wanted, const char *text, size_t n_bytes)
{
    struct pdn_reader reader;
    struct pdn_game game = {.number = 0};
    enum pdn_result result = PDN_GAME;
    pdn_begin(&reader, text, n_bytes);
    while (result == PDN_GAME) {
        result = pdn_next(&reader, &game);
        if (result != PDN_GAME)
            break;
        wanted->n_games = game.number;
        if (game.number <= MAX_LISTED)
            json_array_append_new(wanted->games, listed_json(&game));
        if (game.number == wanted->number)
            answer_game(wanted, &game);
    }
    pdn_free(&game);
    return result == PDN_NO_MEMORY ? EINSPUL_NO_MEMORY : EINSPUL_OK;
}

/* Turns a body that is only a FEN or a link into a game without moves; false if it is neither. */
static bool bare_position(struct wanted *wanted, char pdn[FEN_SIZE + 32], struct reply *reply)
{
    const struct call *call = wanted->call;
    char text[MAX_FEN + 1];
    struct state state;
    einspul_error error;
    const size_t n = call->request->n_body;
    if (n > MAX_FEN || memchr(call->request->body, '\0', n) != NULL)
        return false;
    memcpy(text, call->request->body, n);
    text[n] = '\0';
    wanted->of_site = fen_is_site_link(text);
    const struct rule_set *site = wanted->of_site ? set_of_site(call, &call->set->rules) : NULL;
    const struct rules *rules = site != NULL ? &site->rules : &call->set->rules;
    const einspul_status status =
        fen_read_lenient(rules, text, &state, wanted->note, NULL, &wanted->said, &error);
    if (status != EINSPUL_OK && fen_is_link(text))
        reply_error(reply, status, error.text);
    if (status != EINSPUL_OK)
        return false;
    char fen[FEN_SIZE];
    fen_write(rules, &state, fen);
    snprintf(pdn, FEN_SIZE + 32, "[FEN \"%s\"] *", fen);
    wanted->bare = true;
    return true;
}

void api_annotate(const struct call *call, struct reply *reply)
{
    char position[FEN_SIZE + 32];
    uint64_t number = 1;
    struct wanted wanted = {.call = call};
    if (!request_number(call->request, "game", 1, 1000000, &number, reply) ||
        !notation_read(call->request, &wanted.notation, reply))
        return;
    const char *text = call->request->body;
    size_t n_bytes = call->request->n_body;
    if (bare_position(&wanted, position, reply)) {
        text = position;
        n_bytes = strlen(position);
    } else if (reply->text != NULL) {
        return;
    }
    wanted.number = (int)number;
    wanted.games = json_array();
    const einspul_status status = answer_all(&wanted, text, n_bytes);
    if (status == EINSPUL_OK && wanted.answer != NULL) {
        json_object_set(wanted.answer, "games", wanted.games);
        json_object_set_new(wanted.answer, "game", json_integer(wanted.number));
        reply_json(reply, json_incref(wanted.answer));
    } else if (status == EINSPUL_OK) {
        reply_text(reply, HTTP_BAD_REQUEST, "game %d does not exist (games: %d)", wanted.number,
                   wanted.n_games);
    } else {
        reply_error(reply, status, "not enough memory for games");
    }
    json_decref(wanted.games);
    json_decref(wanted.answer);
}
