/* Parses the conditions of a query. `einspul find` and the server's `find` call share it, so both
 * accept the same texts. */
#ifndef EINSPUL_STUDY_FIND_TEXT_H
#define EINSPUL_STUDY_FIND_TEXT_H

#include "study/find.h"

/* In the order of the search form, most common first. */
enum find_part {
    FIND_BY_OUTCOME,
    FIND_BY_SIDE,
    FIND_BY_DISTANCE,
    FIND_BY_MOVES,
    FIND_BY_ONLY_MOVE,
    FIND_BY_STUDY,
    FIND_BY_QUIET,
    FIND_BY_SHORTEST,
    N_USUAL_PARTS,
    FIND_BY_ON = N_USUAL_PARTS,
    FIND_BY_ZUGZWANG,
    FIND_BY_DEPENDS_ON,
    FIND_BY_INSTEAD_OF,
    N_FIND_PARTS
};

/* The kind of a text, and the type of its field in the query. */
enum text_kind {
    ONE_WORD,   /* an enum: the number of the word, from 1 */
    SOME_WORDS, /* unsigned: a bit for each word */
    A_RANGE,    /* struct find_range */
    A_FLAG,     /* bool: `0` or `1` */
    PIECES      /* men and kings of the query */
};

struct find_text {
    const char *name; /* e.g. "only_move" */
    enum text_kind kind;
    size_t field;             /* in struct find_query */
    const char *const *words; /* ended by NULL; NULL: not a list of words */
};
extern const struct find_text find_texts[N_FIND_PARTS];

/* Writes a list of words as "win, draw or loss". */
void words_write(const char *const *words, char *text, size_t size);

/* A query without conditions: every outcome, either side to move. */
struct find_query find_all(void);

/* Reads the text of a part into a query: one word of a list, or some with commas between, a range
 * `N`, `N-M`, `N-` or `-M`, a flag, or pieces on squares of the rule set's board, such as
 * `W28,BK43`. BAD_ARGUMENT names the expected form. `rules` gives the board. After an error the
 * query is unspecified. Thread-safe. */
einspul_status find_read(struct find_query *query, enum find_part part, const struct rules *rules,
                         const char *text, einspul_error *error);

#endif
