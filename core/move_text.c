/* A move's text is as short as its list allows: from and to, or, if two captures of the list share
 * them, every landing square. */
#include "core/move_text.h"

#include "core/text.h"

#include <stdio.h>
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

void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE])
{
    text = number_write(text, move->from + 1);
    if (move->captured != 0 && is_ambiguous(list, move)) {
        for (int i = 1; i < move->n_path - 1; i++) {
            *text++ = 'x';
            text = number_write(text, move->path[i] + 1);
        }
    }
    *text++ = move->captured == 0 ? '-' : 'x';
    text = number_write(text, move->to + 1);
    *text = '\0';
}

const struct move *move_read(const struct move_list *list, const char *text)
{
    const struct move *found = NULL;
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        char ours[MOVE_TEXT_SIZE];
        move_write(list, move, ours);
        if (strcmp(ours, text) == 0)
            return move;
    }
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        const char *at = text;
        char piece[8];
        bool same = true;
        for (int j = 0; j < move->n_path && same; j++) {
            const int n = sprintf(piece, "%s%d",
                                  j == 0           ? ""
                                  : move->captured ? "x"
                                                   : "-",
                                  move->path[j] + 1);
            same = strncmp(at, piece, (size_t)n) == 0;
            at += same ? n : 0;
        }
        if (same && *at == '\0') {
            if (found != NULL)
                return NULL;
            found = move;
        }
    }
    return found;
}
