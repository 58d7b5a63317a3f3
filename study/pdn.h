/* Games in Portable Draughts Notation (PDN 3.0), one at a time and in bounded memory.
 *
 * The tokens are tags, move numbers, moves, `!` and `?`, NAGs, comments in braces and to the end of
 * a line, variations and results. Any input gives games: unreadable words are tokens of kind
 * PDN_BAD, and do not affect where the next game begins. A reader belongs to one thread. */
#ifndef EINSPUL_STUDY_PDN_H
#define EINSPUL_STUDY_PDN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PDN_MOST_BYTES = 1 << 20, /* of the texts of a game */
    PDN_MOST_TOKENS = 1 << 17 /* of a game, tags included */
};

enum pdn_kind {
    PDN_TAG_NAME, /* followed by its PDN_TAG_VALUE, as it stands between the quotes */
    PDN_TAG_VALUE,
    PDN_NUMBER,       /* `12.` or `12...` */
    PDN_MOVE,         /* digits with `-`, `x`, `:` between, or `x` alone; not checked further */
    PDN_MARK,         /* `!`, `?`, `!?` … */
    PDN_NAG,          /* `$4` */
    PDN_COMMENT,      /* the text between the braces */
    PDN_LINE_COMMENT, /* the text after `;` */
    PDN_OPEN,         /* of a variation */
    PDN_CLOSE,
    PDN_RESULT, /* `1-0`, `1/2-1/2`, `0-1`, `2-0`, `1-1`, `0-2`, `0-0`, `*` */
    PDN_BAD     /* unreadable; empty after an unclosed comment */
};

struct pdn_token {
    enum pdn_kind kind;
    int line;    /* where it begins, from 1 */
    size_t text; /* in the game's text, ended by a zero byte */
};

struct pdn_game {
    int line;      /* where it begins */
    bool too_long; /* a limit was exceeded: the rest was skipped */
    size_t n_tokens, tokens_room;
    struct pdn_token *tokens; /* tags come first; a result ends a game */
    size_t n_bytes, text_room;
    char *text;
};

/* The next byte of the input, or -1 at its end. */
typedef int pdn_get(void *from);

struct pdn_reader {
    pdn_get *get;
    void *from;
    int line;
    int next;           /* the byte that comes next; -1 at the end */
    bool at_line_start; /* the next byte begins a line */
    bool after_blank;   /* and the line before it was empty */

    struct pdn_game *game; /* being read; what exceeds a limit is dropped */
    bool no_memory;
};

void pdn_begin(struct pdn_reader *reader, pdn_get *get, void *from);

enum pdn_result { PDN_GAME, PDN_END, PDN_NO_MEMORY };

/* Reads the next game into one that is all zero at first; it may be used again. */
enum pdn_result pdn_next(struct pdn_reader *reader, struct pdn_game *game);
void pdn_free(struct pdn_game *game);

static inline const char *pdn_text(const struct pdn_game *game, const struct pdn_token *token)
{
    return game->text + token->text;
}

/* The value of a tag, or NULL. */
const char *pdn_tag(const struct pdn_game *game, const char *name);

#endif
