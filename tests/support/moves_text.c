#include "tests/support/moves_text.h"

#include "core/program/flip.h"

enum { MOVES_TEXT_SIZE = 16384 };

/* Compares field by field, because padding bytes are undefined. */
bool state_equal(const struct state *a, const struct state *b)
{
    bool equal = a->at.side == b->at.side && a->clock == b->clock && a->limited == b->limited;
    for (int side = WHITE; side <= BLACK; side++)
        equal =
            equal && a->at.men[side] == b->at.men[side] && a->at.kings[side] == b->at.kings[side] &&
            a->run[side].count == b->run[side].count && a->run[side].square == b->run[side].square;
    return equal;
}

struct move move_flip(const struct board *board, const struct move *move)
{
    struct move flipped = *move;
    flipped.from = (uint8_t)(board->n_squares - 1 - move->from);
    flipped.to = (uint8_t)(board->n_squares - 1 - move->to);
    flipped.captured = board_rotate(board, move->captured);
    return flipped;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the words of a text, which is changed, into `sorted`. */
static void sort_words(char *text, char sorted[MOVES_TEXT_SIZE])
{
    char *words[1024];
    size_t n_words = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        words[n_words++] = word;
    qsort(words, n_words, sizeof words[0], compare_words);
    *sorted = '\0';
    for (size_t i = 0; i < n_words; i++)
        sorted += sprintf(sorted, "%s%s", i == 0 ? "" : " ", words[i]);
}

/* The moves of a list, sorted; `flipped`: with the board rotated. */
static void moves_text(const struct board *board, const struct move_list *list, bool flipped,
                       char sorted[MOVES_TEXT_SIZE])
{
    char text[MOVES_TEXT_SIZE] = "";
    char *at = text;
    for (int i = 0; i < list->n_moves; i++) {
        const struct move move = flipped ? move_flip(board, &list->moves[i]) : list->moves[i];
        at += sprintf(at, "%d%c%d", move.from + 1, move.captured != 0 ? 'x' : '-', move.to + 1);
        for (squares_t left = move.captured; left != 0; left &= left - 1)
            at += sprintf(at, "%c%d", left == move.captured ? '/' : '.', bits_first(left) + 1);
        at += sprintf(at, "%s ", move.promotes ? "=K" : "");
    }
    sort_words(text, sorted);
}

void expect_moves(const struct rules *rules, const char *fen, const char *moves)
{
    const struct state state = state_named(rules, fen);
    const struct state flipped = state_flip(&rules->board, &state);
    char copy[MOVES_TEXT_SIZE];
    char expected[MOVES_TEXT_SIZE];
    char found[MOVES_TEXT_SIZE];
    struct move_list list;

    snprintf(copy, sizeof copy, "%s", moves);
    sort_words(copy, expected);
    move_list_init(&list);
    cr_assert_eq(moves_generate(rules, &state, &list), EINSPUL_OK);
    moves_text(&rules->board, &list, false, found);
    cr_assert_str_eq(found, expected, "%s %s: '%s', expected '%s'", rules->name, fen, found,
                     expected);
    cr_assert_eq(placement_has_capture(rules, &state.at),
                 list.n_moves > 0 && list.moves[0].captured != 0, "%s", fen);
    cr_assert_eq(moves_generate(rules, &flipped, &list), EINSPUL_OK);
    moves_text(&rules->board, &list, true, found);
    cr_assert_str_eq(found, expected, "%s %s flipped: '%s', expected '%s'", rules->name, fen, found,
                     expected);
    move_list_free(&list);
}
