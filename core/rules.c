/* The list of rule sets, and the tables derived from a row of it.
 *
 * To add a rule set that differs from the others in these fields only, add a row here, a number in
 * rules.h and a name. */
#include "core/rules.h"

#include <stdio.h>
#include <string.h>

/* Frisian captures of k kings and m men are ordered by 2k + m, then fewer kings, then capturing
 * with a king. A man weighs 128 and a king 2 * 128 - 2. Since 2k < 128, the deduction for kings
 * never outweighs a man; the lowest bit is for capturing with a king. */
enum { FRISIAN_MAN = 128, FRISIAN_KING = 2 * FRISIAN_MAN - 2 };

/* Fields that several rule sets share. */
#define FRISIAN_GAME                                                                               \
    .pdn_game_type = 40, .board.n_rows = 10, .man_captures = {ALL_DIRECTIONS, ALL_DIRECTIONS},     \
    .king_captures = ALL_DIRECTIONS, .flying_kings = true,                                         \
    .capture = {.man = FRISIAN_MAN, .king = FRISIAN_KING, .by_king = 1}
#define INTERNATIONAL_MOVES                                                                        \
    .man_captures = {DIAGONALS, DIAGONALS}, .king_captures = DIAGONALS, .flying_kings = true,      \
    .capture = {.man = 1, .king = 1}

/* The row of a rule set. Omitted fields are 0: no limits, short-range kings, free choice of capture,
 * White to move first. Not an array: with its board tables a filled struct has 27 kB. */
static struct rules row_of(enum rules_id id)
{
    switch (id) {
    case RULES_FRISIAN:
        return (struct rules){FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT, .two_kings_limit = 7,
                              .lidraughts_rules = RULES_FRISIAN_LIDRAUGHTS};
    case RULES_FRISIAN_NO17:
        return (struct rules){FRISIAN_GAME, .two_kings_limit = 7};
    case RULES_FRISIAN_NO18:
        return (struct rules){FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT};
    case RULES_FRISIAN_FREE:
        return (struct rules){FRISIAN_GAME};
    case RULES_INTERNATIONAL:
        return (struct rules){.pdn_game_type = 20, .board.n_rows = 10, INTERNATIONAL_MOVES};
    case RULES_ENGLISH:
        return (struct rules){.pdn_game_type = 21,
                              .board.n_rows = 8,
                              .first_to_move = BLACK,
                              .man_captures = {NORTH_DIAGONALS, SOUTH_DIAGONALS},
                              .king_captures = DIAGONALS};
    case RULES_BRAZILIAN:
        return (struct rules){.pdn_game_type = 26, .board.n_rows = 8, INTERNATIONAL_MOVES};
    case RULES_FRISIAN_LIDRAUGHTS:
        return (struct rules){FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT,
                              .lone_king_limit = {[1] = 4, [2] = 14}};
    case RULES_INTERNATIONAL_FMJD:
        return (struct rules){.pdn_game_type = 20,
                              .board.n_rows = 10,
                              INTERNATIONAL_MOVES,
                              .lone_king_limit = {[1] = 10, [2] = 10, [3] = 32},
                              .lone_king_men = true,
                              .quiet_limit = 50,
                              .table_rules = RULES_INTERNATIONAL};
    }
    return (struct rules){0};
}

/* By number less 1. */
static const char *const rule_set_names[N_RULES + 1] = {
    [RULES_FRISIAN - 1] = "frisian",
    [RULES_FRISIAN_NO17 - 1] = "frisian-no17",
    [RULES_FRISIAN_NO18 - 1] = "frisian-no18",
    [RULES_FRISIAN_FREE - 1] = "frisian-free",
    [RULES_INTERNATIONAL - 1] = "international",
    [RULES_ENGLISH - 1] = "english",
    [RULES_BRAZILIAN - 1] = "brazilian",
    [RULES_FRISIAN_LIDRAUGHTS - 1] = "frisian-lidraughts",
    [RULES_INTERNATIONAL_FMJD - 1] = "international-fmjd",
};

/* The squares of the pieces that can be captured from `from` along a set of directions on an
 * otherwise empty board. */
static squares_t reach(const struct board *board, unsigned directions, bool flying, int from)
{
    squares_t found = 0;
    for (int over = 0; over < board->n_squares; over++) {
        const int direction = board->direction[from][over];
        if (board->jump[from][over] != NO_JUMP && (directions >> direction & 1) != 0 &&
            (flying || board->next[direction][from] == over))
            found |= square_bit(over);
    }
    return found;
}

einspul_status rules_by_id(struct rules *rules, unsigned id, einspul_error *error)
{
    if (id < 1 || id > N_RULES)
        return error_set(error, EINSPUL_BAD_RULES, "unknown rule set number %u", id);
    *rules = row_of((enum rules_id)id);
    rules->id = (enum rules_id)id;
    rules->name = rule_set_names[id - 1];
    if (rules->table_rules == 0)
        rules->table_rules = rules->id;
    board_init(&rules->board, rules->board.n_rows);
    for (int from = 0; from < rules->board.n_squares; from++) {
        for (int side = WHITE; side <= BLACK; side++)
            rules->man_reach[side][from] =
                reach(&rules->board, rules->man_captures[side], false, from);
        rules->king_reach[from] =
            reach(&rules->board, rules->king_captures, rules->flying_kings, from);
    }
    return EINSPUL_OK;
}

einspul_status rules_by_name(struct rules *rules, const char *name, einspul_error *error)
{
    char known[240] = "";
    for (int i = 0; i < N_RULES; i++) {
        const size_t n = strlen(known);
        if (strcmp(rule_set_names[i], name) == 0)
            return rules_by_id(rules, (unsigned)i + 1, error);
        snprintf(known + n, sizeof known - n, "%s%s", i == 0 ? "" : ", ", rule_set_names[i]);
    }
    return error_set(error, EINSPUL_BAD_RULES, "unknown rule set '%.40s'; known: %s", name, known);
}

const char *const *einspul_rules_list(void)
{
    return rule_set_names;
}
