/* A game as a tree: its line of play with variations, comments and marks, so that it can be studied
 * and written again without loss. Thread-safe. */
#ifndef EINSPUL_STUDY_GAME_TREE_H
#define EINSPUL_STUDY_GAME_TREE_H

#include "study/annotate.h"

enum { TREE_DEPTH = 64 }; /* of variations; deeper ones are TREE_UNREAD */

/* A position of the tree, after a move or a set-up. */
struct tree_node {
    int parent;         /* -1: none, the first node */
    size_t token;       /* of the move or set-up; not of the first node */
    struct state state; /* the position */
    bool moved;         /* by a move: */
    struct probed_move move;
};

enum tree_kind {
    TREE_COMMENT, /* after the move of the node */
    TREE_BEFORE,  /* a comment before its move, the first of a variation */
    TREE_MARK,    /* `!`, `$4`: on its move */
    TREE_UNREAD   /* the rest of the line after the node, which is not legal or cannot be read */
};

/* Text that belongs to a node: bytes of the game. */
struct tree_text {
    int node;
    enum tree_kind kind;
    size_t begin, end;
};

struct game_tree {
    size_t n, capacity;
    struct tree_node *nodes; /* parents come first, the line of play before its variations */
    size_t n_texts, texts_capacity;
    struct tree_text *texts; /* in the order of the game */
};

/* Fills `tree`, which must be zero, from a game and its annotation (annotate_game): legal moves
 * become nodes, all else but tags, numbers and the result becomes text. NO_MEMORY. The caller frees
 * the tree in any case. */
einspul_status game_tree_read(const struct pdn_game *game, const struct annotation *annotation,
                              struct game_tree *tree, einspul_error *error);
void game_tree_free(struct game_tree *tree);

/* The bytes of a text, `*n` of them, without the braces or the mark of a comment. */
const char *tree_text_bytes(const struct pdn_game *game, const struct tree_text *text, size_t *n);

#endif
