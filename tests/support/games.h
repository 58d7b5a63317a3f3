/* Games read from texts. */
#ifndef EINSPUL_TESTS_SUPPORT_GAMES_H
#define EINSPUL_TESTS_SUPPORT_GAMES_H

#include <string.h>

#include "study/pdn.h"
#include "tests/support/support.h"

/* The only game of a text, which `bytes` reads. */
static inline void read_game(const char *text, struct pdn_reader *reader, struct pdn_game *game,
                             struct pdn_text *bytes)
{
    *bytes = (struct pdn_text){text, text + strlen(text)};
    *game = (struct pdn_game){.line = 0};
    pdn_begin(reader, pdn_get_of_text, bytes);
    cr_assert_eq(pdn_next(reader, game), PDN_GAME);
}

#endif
