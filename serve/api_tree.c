/* A game as a tree in JSON: an array of nodes, each with its parent. */
#include "serve/api_tree.h"

#include "serve/http.h"
#include "serve/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a game, without the braces of a comment. */
static json_t *text_json(const struct pdn_game *game, const struct tree_text *text)
{
    const char *begin = game->text + text->begin;
    const char *end = game->text + text->end;
    if (text->kind == TREE_COMMENT || text->kind == TREE_BEFORE) {
        end -= *begin == '{' && end - begin > 1 && end[-1] == '}' ? 1 : 0;
        begin++;
    }
    char *copy = strndup(begin, (size_t)(end - begin));
    json_t *json = json_any_text(copy != NULL ? copy : "");
    free(copy);
    return json;
}

static json_t *node_json(const struct rule_set *set, const struct tree_node *node,
                         enum notation notation)
{
    json_t *object = json_pack("{s:s,s:o}", "side", side_word(node->state.at.side), "fen",
                               position_fen(set, &node->state));
    json_object_set_new(object, "parent", json_number(node->parent >= 0, node->parent));
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
    json_array_append_new(list, text_json(game, text));
}

/* The result that ends a game, which only comments follow; NULL without. */
static const struct pdn_token *result_token(const struct pdn_game *game)
{
    size_t i = game->n_tokens;
    while (i > 0 && (game->tokens[i - 1].kind == PDN_COMMENT ||
                     game->tokens[i - 1].kind == PDN_LINE_COMMENT))
        i--;
    return i > 0 && game->tokens[i - 1].kind == PDN_RESULT ? &game->tokens[i - 1] : NULL;
}

void tags_and_result_add(json_t *object, const struct pdn_game *game)
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
    char result[64] = "";
    const struct pdn_token *last = result_token(game);
    if (last != NULL)
        snprintf(result, sizeof result, "%.*s", (int)(last->end - last->begin),
                 game->text + last->begin);
    json_object_set_new(object, "result", last != NULL ? json_any_text(result) : json_null());
}

json_t *tree_json(const struct rule_set *set, const struct pdn_game *game,
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
