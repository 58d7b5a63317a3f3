/* Reads games from texts. */
#ifndef EINSPUL_TESTS_SUPPORT_GAMES_H
#define EINSPUL_TESTS_SUPPORT_GAMES_H

#include <string.h>

#include "study/pdn.h"
#include "tests/support/moves_text.h"

/* The only game of a text. */
static inline void read_game(const char *text, struct pdn_reader *reader, struct pdn_game *game)
{
    *game = (struct pdn_game){.line = 0};
    pdn_begin(reader, text, strlen(text));
    cr_assert_eq(pdn_next(reader, game), PDN_GAME);
}

#endif
