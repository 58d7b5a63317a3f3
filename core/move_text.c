/* A move's text is as short as its list allows: from and to, or, if two captures of the list share
 * them, every landing square. */
#include "core/fen.h"

#include <string.h>

/* Whether another capture of the list has the same from and to. */
static bool is_ambiguous(const struct move_list *list, const struct move *move)
{
    for (int i = 0; i < list->n_moves; i++)
        if (list->moves[i].from == move->from && list->moves[i].to == move->to &&
            &list->moves[i] != move)
            return true;
    return false;
}

/* Writes from, every landing square if `whole`, and to. */
static void write_squares(const struct move *move, bool whole, char *text)
{
    text = number_write(text, move->from + 1);
    for (int i = whole ? 1 : move->n_path - 1; i < move->n_path; i++) {
        *text++ = move->captured == 0 ? '-' : 'x';
        text = number_write(text, move->path[i] + 1);
    }
    *text = '\0';
}

void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE])
{
    write_squares(move, move->captured != 0 && is_ambiguous(list, move), text);
}

/* A path is that of one move: it tells which pieces are captured. */
const struct move *move_read(const struct move_list *list, const char *text)
{
    for (int i = 0; i < list->n_moves; i++) {
        char brief[MOVE_TEXT_SIZE];
        char path[MOVE_TEXT_SIZE];
        move_write(list, &list->moves[i], brief);
        write_squares(&list->moves[i], true, path);
        if (strcmp(text, brief) == 0 || strcmp(text, path) == 0)
            return &list->moves[i];
    }
    return NULL;
}
