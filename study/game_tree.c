/* One pass over the tokens. Moves of the line of play were found by annotate_game; those of variations
 * are found here, with the node before the last one as the position where a variation begins. */
#include "study/game_tree.h"

#include "core/program/array.h"
#include "study/move_match.h"

#include <stdio.h>
#include <stdlib.h>

enum { FEN_TEXT_SIZE = 1024 };

struct tree_reader {
    const struct pdn_game *game;
    const struct annotation *annotation;
    struct game_tree *tree;
    struct move_list list;
    size_t step;           /* the last one of the line of play */
    int at;                /* the current node */
    int outer[TREE_DEPTH]; /* nodes to return to after a variation */
    int depth;
    bool opened;           /* a variation, without a move yet: */
    size_t open_token;     /* its bracket */
    size_t n_texts_before; /* texts before it */
};

static bool add_node(struct tree_reader *reader, const struct tree_node *node)
{
    struct game_tree *tree = reader->tree;
    struct tree_node *nodes =
        array_reserve(tree->nodes, tree->n, &tree->capacity, 64, sizeof *nodes);
    if (nodes == NULL)
        return false;
    tree->nodes = nodes;
    nodes[tree->n] = *node;
    reader->at = (int)tree->n++;
    reader->opened = false;
    return true;
}

static bool add_text(struct tree_reader *reader, enum tree_kind kind, size_t begin, size_t end)
{
    struct game_tree *tree = reader->tree;
    struct tree_text *texts =
        array_reserve(tree->texts, tree->n_texts, &tree->texts_capacity, 64, sizeof *texts);
    if (texts == NULL)
        return false;
    tree->texts = texts;
    texts[tree->n_texts++] =
        (struct tree_text){.node = kind == TREE_BEFORE ? (int)tree->n : reader->at,
                           .kind = kind,
                           .begin = begin,
                           .end = end};
    return true;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* The node of a token of the line of play, which annotate_game has played. */
static bool step_node(struct tree_reader *reader, size_t token, struct tree_node *node)
{
    const struct annotation *annotation = reader->annotation;
    if (reader->step + 1 >= annotation->n || annotation->steps[reader->step + 1].token != token)
        return false;
    const struct game_step *step = &annotation->steps[++reader->step];
    *node = (struct tree_node){.parent = reader->at,
                               .token = token,
                               .state = step->state,
                               .moved = step->moved,
                               .move = step->move};
    return true;
}

/* The node of a move in a variation; false if it is not one legal move. */
static bool move_node(struct tree_reader *reader, size_t number, struct tree_node *node)
{
    const struct rules *rules = reader->annotation->rules;
    const struct pdn_token *token = &reader->game->tokens[number];
    const struct written_move text = {reader->game->text + token->begin, token->end - token->begin};
    const struct state *state = &reader->tree->nodes[reader->at].state;
    const struct move *found[MAX_MATCHES];
    if (moves_generate(rules, state, &reader->list) != EINSPUL_OK ||
        moves_match(rules, state, &reader->list, text, found) != 1)
        return false;
    *node = (struct tree_node){.parent = reader->at, .token = number, .moved = true};
    describe_move(rules, state, &reader->list, found[0], &node->move);
    node->state = state_of_position(&node->move.after);
    return true;
}

/* The node of a set-up in a variation; false if it is not a position. */
static bool setup_node(struct tree_reader *reader, size_t number, struct tree_node *node)
{
    const struct pdn_token *token = &reader->game->tokens[number];
    char fen[FEN_TEXT_SIZE];
    char note[FEN_NOTE_SIZE];
    einspul_error ignored;
    snprintf(fen, sizeof fen, "%.*s", (int)(token->end - token->begin - 2),
             reader->game->text + token->begin + 1);
    *node = (struct tree_node){.parent = reader->at, .token = number};
    return fen_read_lenient(reader->annotation->rules, fen, &node->state, note, NULL, NULL,
                            &ignored) == EINSPUL_OK;
}

/* --- tokens ----------------------------------------------------------------------------------- */

/* The token that ends the rest of a line: of a variation its end, else the result of the game. */
static size_t rest_end(const struct pdn_game *game, size_t token, enum pdn_kind last)
{
    for (int depth = 0; token < game->n_tokens; token++) {
        const enum pdn_kind kind = game->tokens[token].kind;
        if (depth == 0 && kind == last)
            break;
        depth += kind == PDN_OPEN ? 1 : kind == PDN_CLOSE && depth > 0 ? -1 : 0;
    }
    return token;
}

/* Keeps a variation as it is written, with its brackets, at the node before them. */
static bool keep_variation(struct tree_reader *reader, size_t opened, size_t *token)
{
    const struct pdn_game *game = reader->game;
    *token = rest_end(game, opened + 1, PDN_CLOSE);
    *token -= *token == game->n_tokens;
    return add_text(reader, TREE_UNREAD, game->tokens[opened].begin, game->tokens[*token].end);
}

static void leave_variation(struct tree_reader *reader)
{
    reader->opened = false;
    if (reader->depth > 0)
        reader->at = reader->outer[--reader->depth];
}

/* Keeps the rest of a line, from `*token` on, as it is written; `*token` is then its last one. */
static bool keep_rest(struct tree_reader *reader, size_t *token)
{
    const struct pdn_game *game = reader->game;
    const size_t first = *token;
    if (reader->opened) {
        reader->tree->n_texts = reader->n_texts_before;
        leave_variation(reader);
        return keep_variation(reader, reader->open_token, token);
    }
    *token = rest_end(game, first, reader->depth > 0 ? PDN_CLOSE : PDN_RESULT) - 1;
    return add_text(reader, TREE_UNREAD, game->tokens[first].begin, game->tokens[*token].end);
}

static bool read_move(struct tree_reader *reader, size_t *token)
{
    struct tree_node node;
    const bool found = reader->depth == 0 ? step_node(reader, *token, &node)
                       : reader->game->tokens[*token].kind == PDN_MOVE
                           ? move_node(reader, *token, &node)
                           : setup_node(reader, *token, &node);
    return found ? add_node(reader, &node) : keep_rest(reader, token);
}

static bool open_variation(struct tree_reader *reader, size_t *token)
{
    const int parent = reader->tree->nodes[reader->at].parent;
    if (reader->depth == TREE_DEPTH || parent < 0)
        return keep_variation(reader, *token, token);
    reader->outer[reader->depth++] = reader->at;
    reader->at = parent;
    reader->opened = true;
    reader->open_token = *token;
    reader->n_texts_before = reader->tree->n_texts;
    return true;
}

static bool read_token(struct tree_reader *reader, size_t *number)
{
    const struct pdn_token *token = &reader->game->tokens[*number];
    switch (token->kind) {
    case PDN_MOVE:
    case PDN_SETUP:
        return read_move(reader, number);
    case PDN_COMMENT:
    case PDN_LINE_COMMENT:
        return add_text(reader, reader->opened ? TREE_BEFORE : TREE_COMMENT, token->begin,
                        token->end);
    case PDN_MARK:
    case PDN_NAG:
        return add_text(reader, TREE_MARK, token->begin, token->end);
    case PDN_OPEN:
        return open_variation(reader, number);
    case PDN_CLOSE:
        if (reader->opened || reader->depth == 0)
            return keep_rest(reader, number);
        leave_variation(reader);
        return true;
    case PDN_NULL:
        return reader->game->text[token->begin] == '.' || keep_rest(reader, number);
    case PDN_BAD:
        return keep_rest(reader, number);
    case PDN_RESULT:
        return reader->depth == 0 || keep_rest(reader, number);
    case PDN_TAG:
    case PDN_NUMBER:
        break;
    }
    return true;
}

einspul_status game_tree_read(const struct pdn_game *game, const struct annotation *annotation,
                              struct game_tree *tree, einspul_error *error)
{
    struct tree_reader reader = {.game = game, .annotation = annotation, .tree = tree};
    if (annotation->n == 0)
        return EINSPUL_OK;
    const struct tree_node first = {.parent = -1, .state = annotation->steps[0].state};
    bool ok = add_node(&reader, &first);
    move_list_init(&reader.list);
    for (size_t i = 0; i < game->n_tokens && ok; i++)
        ok = read_token(&reader, &i);
    size_t last = game->n_tokens;
    if (ok && reader.opened) /* a variation without a move, and without its end */
        ok = keep_rest(&reader, &last);
    move_list_free(&reader.list);
    return ok ? EINSPUL_OK : error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a game");
}

void game_tree_free(struct game_tree *tree)
{
    free(tree->nodes);
    free(tree->texts);
    *tree = (struct game_tree){.n = 0};
}

const char *tree_text_bytes(const struct pdn_game *game, const struct tree_text *text, size_t *n)
{
    const char *begin = game->text + text->begin;
    const char *end = game->text + text->end;
    if (text->kind == TREE_COMMENT || text->kind == TREE_BEFORE) {
        end -= *begin == '{' && end - begin > 1 && end[-1] == '}' ? 1 : 0;
        begin++;
    }
    *n = (size_t)(end - begin);
    return begin;
}
