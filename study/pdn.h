/* Games in Portable Draughts Notation (PDN 3.0), one at a time and in bounded memory.
 *
 * A game is a part of the input, to the letter, and a list of tokens in it. Any input gives games,
 * which together are the whole input: what cannot be read is a token of kind PDN_BAD, and does not
 * affect where the next game begins. Bytes are UTF-8, Latin-1, or UTF-16, which becomes UTF-8. A
 * reader belongs to one thread; its time is linear in the input. */
#ifndef EINSPUL_STUDY_PDN_H
#define EINSPUL_STUDY_PDN_H

#include "study/notation.h"

enum {
    PDN_MOST_BYTES = 1 << 20, /* of a game */
    PDN_MOST_TOKENS = 1 << 17
};

enum pdn_kind {
    PDN_TAG,          /* `[Name "value"]` */
    PDN_NUMBER,       /* `12.`, `12...`, `12. ...` */
    PDN_MOVE,         /* `32-28`, `28 x 19`, `c3d4`, `47x33x24`, `x`; not checked further */
    PDN_NULL,         /* `--`, `- -`, `...`: no move */
    PDN_MARK,         /* `!`, `(?!)`; behind a move also `*`, `+`, `=`, `#` */
    PDN_NAG,          /* `$4` */
    PDN_COMMENT,      /* `{…}` */
    PDN_LINE_COMMENT, /* `;…`, and a line that begins with `%` */
    PDN_OPEN,         /* of a variation */
    PDN_CLOSE,
    PDN_SETUP,  /* `/FEN "…"/`: the game goes on from there */
    PDN_RESULT, /* `1-0`, `1 1/2 - 1/2`, `0.98-1.02`, `*` … */
    PDN_BAD     /* unreadable; a comment, tag or set-up without an end */
};

struct pdn_token {
    enum pdn_kind kind;
    int line;          /* where it begins, from 1 */
    size_t begin, end; /* in the game's text */
};

struct pdn_game {
    int number; /* in the input, from 1 */
    int line;   /* of its first token */
    bool too_long;
    size_t n_tokens, room;
    struct pdn_token *tokens; /* tags come first; a result ends a game */
    const char *text;         /* all bytes since the game before; until the next is read */
    size_t n_bytes;
};

/* The next byte of the input, or -1 at its end. */
typedef int pdn_get(void *from);

enum pdn_encoding { PDN_BYTES, PDN_UTF16_LOW_FIRST, PDN_UTF16_HIGH_FIRST };

struct pdn_reader {
    pdn_get *get;
    void *from;
    enum pdn_encoding encoding;
    int ahead[2], n_ahead; /* bytes read to tell the encoding, the next one last */
    bool at_end;           /* of the input */
    bool no_memory;
    bool cut_short;     /* the token being read may go on beyond the buffer */
    bool after_long;    /* the next game begins at a line with a tag */
    bool at_line_start; /* the buffer begins a line */
    char *store;        /* the buffer, of `room` bytes, and in it: */
    char *bytes;        /* from the beginning of a game on */
    size_t n_bytes, room;
    size_t n_used;     /* bytes of the game read last */
    int line, n_games; /* before it */
};

void pdn_begin(struct pdn_reader *reader, pdn_get *get, void *from);

/* A text in memory to read from, with its function. */
struct pdn_text {
    const char *at, *end;
};
int pdn_get_of_text(void *text);

void pdn_end(struct pdn_reader *reader);

/* PDN_END also gives the bytes behind the last game, without tokens. */
enum pdn_result { PDN_GAME, PDN_END, PDN_NO_MEMORY };

/* Reads the next game into one that is all zero at first; it may be used again. */
enum pdn_result pdn_next(struct pdn_reader *reader, struct pdn_game *game);
void pdn_free(struct pdn_game *game);

/* The value of a tag, cut off to `size` bytes; false, with an empty text, if it is not there. */
bool pdn_tag(const struct pdn_game *game, const char *name, char *value, size_t size);

#endif
