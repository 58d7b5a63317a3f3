/* Rule sets as data. A rule set is part of a table's identity. */
#ifndef EINSPUL_CORE_RULES_H
#define EINSPUL_CORE_RULES_H

#include "core/board.h"
#include "core/status.h"

/* Numbers stand in table files: never reused, never changed. */
enum rules_id {
    RULES_FRISIAN = 1,
    RULES_FRISIAN_NO17 = 2,
    RULES_FRISIAN_NO18 = 3,
    RULES_FRISIAN_FREE = 4,
    RULES_INTERNATIONAL = 5,
    RULES_ENGLISH = 6
};

/* The highest count of a king run in any rule set that limits it. The numbers of run states in table
 * files depend on it. */
enum { MAX_RUN_COUNT = 3 };

/* Which captures are legal among all complete ones. */
enum capture_choice {
    CAPTURE_MOST_VALUABLE, /* Frisian: 2k+m, then fewer kings, then a king captures */
    CAPTURE_MOST_PIECES,   /* international: the number of pieces */
    CAPTURE_ANY            /* English: free choice */
};

struct rules {
    enum rules_id id;
    const char *name;
    int pdn_game_type;        /* PDN GameType: 20 international, 21 English, 40 Frisian */
    unsigned man_captures[2]; /* directions a man of each side captures in */
    unsigned king_captures;   /* directions a king captures in */
    bool flying_kings;        /* kings move and capture at any distance */
    enum capture_choice choice;
    int king_run_limit;      /* simple moves in a row with one king: MAX_RUN_COUNT; 0: no limit */
    int two_kings_limit;     /* own moves in which 2K must beat 1K; 0: no limit */
    enum side first_to_move; /* in the start position */
    int start_men;           /* men of each side in the start position */
    struct board board;
    squares_t man_reach[2][MAX_SQUARES]; /* by side, square: where a man's victims may stand */
    squares_t king_reach[MAX_SQUARES];   /* the same of a king, if the way is free */
};

/* Fills `rules` from a name such as "frisian"; BAD_RULES lists the known names. */
enum status rules_by_name(struct rules *rules, const char *name, struct error *error);

/* The same from the number in a table file. */
enum status rules_by_id(struct rules *rules, unsigned id, struct error *error);

/* All names, ended by NULL. */
const char *const *rules_names(void);

#endif
