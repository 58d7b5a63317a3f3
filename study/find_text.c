/* A table with a row for each part: the kind of its text, and the field of the query that it fills.
 * Words are in the order of the values in study/find.h, and of the sides. */
#include "study/find_text.h"

#include "core/characters.h"
#include "core/program/text.h"

#include <stddef.h>
#include <string.h>

enum { MAX_IN_RANGE = 10000 };

static const char *const outcomes[] = {"win", "draw", "loss", NULL};
static const char *const sides[] = {"white", "black", NULL};
static const char *const zugzwangs[] = {"full", "half", "any", NULL};
static const char *const dependences[] = {"run", "clock", NULL};

#define FIELD(name) offsetof(struct find_query, name)

const struct find_text find_texts[N_FIND_PARTS] = {
    [FIND_BY_OUTCOME] = {"outcome", SOME_WORDS, FIELD(outcomes), outcomes},
    [FIND_BY_SIDE] = {"side", SOME_WORDS, FIELD(sides), sides},
    [FIND_BY_DISTANCE] = {"distance", A_RANGE, FIELD(plies), NULL},
    [FIND_BY_MOVES] = {"moves", A_RANGE, FIELD(moves), NULL},
    [FIND_BY_ONLY_MOVE] = {"only_move", A_FLAG, FIELD(only_move), NULL},
    [FIND_BY_STUDY] = {"study", A_FLAG, FIELD(study), NULL},
    [FIND_BY_QUIET] = {"quiet", A_FLAG, FIELD(quiet), NULL},
    [FIND_BY_SHORTEST] = {"shortest", A_FLAG, FIELD(shortest_first), NULL},
    [FIND_BY_ON] = {"on", PIECES, 0, NULL},
    [FIND_BY_ZUGZWANG] = {"zugzwang", ONE_WORD, FIELD(zugzwang), zugzwangs},
    [FIND_BY_DEPENDS_ON] = {"depends_on", ONE_WORD, FIELD(depends), dependences},
    [FIND_BY_INSTEAD_OF] = {"instead_of", SOME_WORDS, FIELD(other_outcomes), outcomes},
};

struct find_query find_all(void)
{
    return (struct find_query){.outcomes = FIND_ANY_OUTCOME,
                               .other_outcomes = FIND_ANY_OUTCOME,
                               .sides = 1 << WHITE | 1 << BLACK};
}

void words_write(const char *const *words, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; words[i] != NULL; i++)
        text_append(text, size, "%s%s",
                    i == 0                 ? ""
                    : words[i + 1] == NULL ? " or "
                                           : ", ",
                    words[i]);
}

/* "expected win, draw or loss" */
static einspul_status refuse_words(const char *const *words, einspul_error *error)
{
    char list[64];
    words_write(words, list, sizeof list);
    return error_set(error, EINSPUL_BAD_ARGUMENT, "expected %s", list);
}

/* Reads a word, or words with commas between. */
static einspul_status read_words(const struct find_text *row, const char *text, unsigned *value,
                                 einspul_error *error)
{
    *value = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        int i = 0;
        while (row->words[i] != NULL &&
               (strlen(row->words[i]) != length || memcmp(row->words[i], at, length) != 0))
            i++;
        if (row->words[i] == NULL || (row->kind == ONE_WORD && at[length] != '\0'))
            return refuse_words(row->words, error);
        *value |= row->kind == ONE_WORD ? (unsigned)i + 1 : 1u << i;
        at += length;
        if (*at == '\0')
            return EINSPUL_OK;
    }
}

/* Reads a number of at most `max`; false if there are no digits, or it is larger. */
static bool read_number(const char **text, int max, int *number)
{
    const char *from = *text;
    for (*number = 0; is_digit(**text) && *number <= max; ++*text)
        *number = 10 * *number + (**text - '0');
    return *text > from && *number <= max;
}

static einspul_status read_range(const char *text, struct find_range *range, einspul_error *error)
{
    const char *at = text;
    *range = (struct find_range){true, 0, MAX_IN_RANGE};
    bool fits = *at == '-' || read_number(&at, MAX_IN_RANGE, &range->min);
    if (fits && *at == '-') {
        at++;
        fits = (*at == '\0' && at - text > 1) || read_number(&at, MAX_IN_RANGE, &range->max);
    } else {
        range->max = range->min;
    }
    if (fits && *at == '\0' && range->min <= range->max)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_BAD_ARGUMENT, "expected N, N-M, N- or -M, up to %d",
                     MAX_IN_RANGE);
}

static einspul_status read_pieces(const struct board *board, const char *text,
                                  struct find_query *query, einspul_error *error)
{
    squares_t all = 0;
    for (const char *at = text;; at++) {
        const enum side side = *at == 'B' ? BLACK : WHITE;
        int square = 0;
        const bool empty = *at == 'E';
        bool fits = empty || *at == 'W' || *at == 'B';
        at += fits;
        const bool king = fits && !empty && *at == 'K';
        at += king;
        fits = fits && read_number(&at, board->n_squares, &square) && square > 0;
        const squares_t bit = fits ? square_bit(square - 1) : 0;
        if (!fits || (*at != ',' && *at != '\0') || (all & bit) != 0 ||
            (!king && !empty && (board->promotion[side] & bit) != 0))
            return error_set(error, EINSPUL_BAD_ARGUMENT,
                             "expected pieces on different squares from 1 to %d, e.g. W28,BK43,E12",
                             board->n_squares);
        all |= bit;
        *(empty ? &query->empty : king ? &query->kings[side] : &query->men[side]) |= bit;
        if (*at == '\0')
            return EINSPUL_OK;
    }
}

einspul_status find_read(struct find_query *query, enum find_part part, const struct rules *rules,
                         const char *text, einspul_error *error)
{
    const struct find_text *row = &find_texts[part];
    void *field = (char *)query + row->field;
    switch (row->kind) {
    case ONE_WORD:
    case SOME_WORDS:
        return read_words(row, text, field, error);
    case A_RANGE:
        return read_range(text, field, error);
    case PIECES:
        return read_pieces(&rules->board, text, query, error);
    case A_FLAG:
        break;
    }
    *(bool *)field = strcmp(text, "1") == 0;
    return *(bool *)field || strcmp(text, "0") == 0
               ? EINSPUL_OK
               : error_set(error, EINSPUL_BAD_ARGUMENT, "expected 0 or 1");
}
