/* Rule sets as data. A rule set is part of a table's identity.
 *
 * docs/rules.md has the rules themselves. Everything that differs between rule sets is a field of
 * struct rules; the rows are in rules.c. Immutable once filled. */
#ifndef EINSPUL_CORE_RULES_H
#define EINSPUL_CORE_RULES_H

#include "core/board.h"
#include "core/status.h"

/* Stored in table files: never change or reuse a number. */
enum rules_id {
    RULES_FRISIAN = 1,
    RULES_FRISIAN_NO17 = 2,
    RULES_FRISIAN_NO18 = 3,
    RULES_FRISIAN_FREE = 4,
    RULES_INTERNATIONAL = 5,
    RULES_ENGLISH = 6,
    RULES_BRAZILIAN = 7,
    RULES_FRISIAN_LIDRAUGHTS = 8,
    RULES_INTERNATIONAL_FMJD = 9,
    N_RULES = RULES_INTERNATIONAL_FMJD
};

/* The highest count of a king run in any rule set that limits it. The numbers of rule states in
 * table files depend on it. */
enum { MAX_RUN_COUNT = 3 };

/* The greatest number of pieces against a lone king for which a rule set can set a limit. */
enum { MAX_AGAINST_KING = 3 };

/* The worth of a complete capture is a sum of weights. The captures of the highest sum are the
 * legal ones; if all weights are 0, every complete capture is legal. */
struct capture_weights {
    int man;     /* for each man captured */
    int king;    /* for each king captured */
    int by_king; /* once, when a king captures */
};

struct rules {
    enum rules_id id;
    const char *name;
    int pdn_game_type;              /* PDN GameType: 20 international, 21 English, 26 Brazilian, 40
                                     Frisian */
    unsigned man_captures[2];       /* directions a man of each side captures in */
    unsigned king_captures;         /* directions a king captures in */
    bool flying_kings;              /* kings move and capture at any distance */
    struct capture_weights capture; /* which of the complete captures are legal */
    /* most simple moves in a row with one king: MAX_RUN_COUNT, or 0 for no limit */
    int king_run_limit;
    int two_kings_limit; /* own moves in which 2K must beat 1K; 0: no limit */
    /* Plies after which the game is drawn against a lone king, by the number of pieces against it
     * (at least one a king); 0: no limit. Counted from when the material arose; the clock continues
     * when the material changes but the limit does not. */
    int lone_king_limit[MAX_AGAINST_KING + 1];
    bool lone_king_men; /* men may be among those pieces; else kings only */
    /* in all other material: plies without a man's move or a capture that draw the game; 0: no
     * limit */
    int quiet_limit;
    /* the rule set whose tables serve the materials without lone_king_limit; 0: itself */
    enum rules_id table_rules;
    enum rules_id
        lidraughts_rules;    /* the variant of this rule set that lidraughts.org applies; 0: none */
    enum side first_to_move; /* in the start position */
    struct board board;
    squares_t man_reach[2][MAX_SQUARES]; /* by side, square: where a man's victims may stand */
    squares_t king_reach[MAX_SQUARES];   /* like man_reach, for a king on an empty board */
};

/* Fills `rules` from a name of einspul_rules_list, where a rule set with number n is at n - 1;
 * BAD_RULES lists the names. */
einspul_status rules_by_name(struct rules *rules, const char *name, einspul_error *error);

/* Like rules_by_name, from the number in a table file. */
einspul_status rules_by_id(struct rules *rules, unsigned id, einspul_error *error);

/* The worth of a complete capture. */
static inline int capture_worth(const struct rules *rules, int n_men, int n_kings, bool by_king)
{
    const struct capture_weights *weights = &rules->capture;
    return n_men * weights->man + n_kings * weights->king + (by_king ? weights->by_king : 0);
}

#endif
