/* Games in Portable Draughts Notation (PDN 3.0), one at a time, of a text in memory.
 *
 * A game is a slice of the text with a list of tokens. Every text splits into games that together
 * cover it; unreadable parts become PDN_BAD tokens and do not affect where the next game starts.
 * Comments, or a result alone, begin no game: they belong to the next one, or to the last one.
 * Bytes are UTF-8 or Latin-1. A reader belongs to one thread; its
 * time is linear in the text. */
#ifndef EINSPUL_STUDY_PDN_H
#define EINSPUL_STUDY_PDN_H

#include "study/notation.h"

enum { PDN_MAX_TOKENS = 1 << 17 }; /* of a game */

enum pdn_kind {
    PDN_TAG,          /* `[Name "value"]`, `[Round 17]` */
    PDN_NUMBER,       /* `12.`, `12...`, `12. ...` */
    PDN_MOVE,         /* `32-28`, `28 x 19`, `c3d4`, `ed4`, `47x33x24`, `x`; not checked further */
    PDN_NULL,         /* `--`, `- -`, `...`: no move */
    PDN_MARK,         /* `!`, `(?!)`; after a move also `*`, `+`, `=`, `#`, `+-`, `N` */
    PDN_NAG,          /* `$4` */
    PDN_COMMENT,      /* `{…}` */
    PDN_LINE_COMMENT, /* `;…`, and a line that begins with `%` */
    PDN_OPEN,         /* of a variation */
    PDN_CLOSE,
    PDN_SETUP,  /* `/FEN "…"/`: the game continues from that position */
    PDN_RESULT, /* `1-0`, `1 1/2 - 1/2`, `0.98-1.02`, `*` … */
    PDN_BAD     /* unreadable; a comment, tag or set-up without an end */
};

struct pdn_token {
    enum pdn_kind kind;
    int line;          /* where it begins, from 1 */
    size_t begin, end; /* in the game's text */
};

struct pdn_game {
    int number;    /* in the text, from 1 */
    int line;      /* line of its first token except comments */
    bool too_long; /* the token limit was reached; later tokens are missing */
    size_t n_tokens, room;
    struct pdn_token *tokens; /* tags come before moves; after the result, comments at most */
    const char *text;         /* text from the end of the previous game */
    size_t n_bytes;
};

struct pdn_reader {
    const char *begin; /* of the text */
    const char *bytes; /* from the beginning of a game on: */
    size_t n_bytes;
    int line, n_games; /* lines and games before `bytes` */
    bool no_memory;
};

/* Begins a text, which must last as long as its games. */
void pdn_begin(struct pdn_reader *reader, const char *text, size_t n_bytes);

/* PDN_END also gives the bytes after the last game, without tokens. */
enum pdn_result { PDN_GAME, PDN_END, PDN_NO_MEMORY };

/* Reads the next game. `game` must be zero-initialized; it can be reused. */
enum pdn_result pdn_next(struct pdn_reader *reader, struct pdn_game *game);
void pdn_free(struct pdn_game *game);

/* The result that ends a game, which only comments follow; NULL without. */
const struct pdn_token *pdn_result_token(const struct pdn_game *game);

/* The value of a tag in the text, of `*n` bytes; NULL if absent. */
const char *pdn_tag_value(const struct pdn_game *game, const char *name, size_t *n);

/* The value of a tag, cut off to `size` bytes; false, with an empty text, if absent. */
bool pdn_tag(const struct pdn_game *game, const char *name, char *value, size_t size);

#endif
