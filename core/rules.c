/* The list of rule sets, and the tables derived from a row of it.
 *
 * A game on one of the two boards that differs from the others in these fields only needs one more
 * row here, with a number in rules.h and a name. */
#include "core/rules.h"

#include "core/text.h"

#include <string.h>

struct rules_row {
    int pdn_game_type;
    int n_rows; /* of the board */
    int start_men;
    enum side first_to_move;
    unsigned man_captures[2];
    unsigned king_captures;
    bool flying_kings;
    struct capture_value capture;
    int king_run_limit;
    int two_kings_limit;
    int lone_king_limit[MOST_AGAINST_KING + 1];
    bool lone_king_men;
    int quiet_limit;
    enum rules_id tables; /* 0: its own */
    enum rules_id site;
};

/* Frisian captures of k kings and m men are ordered by 2k + m, then fewer kings, then capturing
 * with a king. A man weighs 128 and a king 2 * 128 - 2. Since 2k < 128, the deduction for kings
 * never outweighs a man; the lowest bit is for capturing with a king. */
enum { FRISIAN_MAN = 128, FRISIAN_KING = 2 * FRISIAN_MAN - 2 };

/* What all rule sets of a game share. */
#define FRISIAN_GAME                                                                               \
    .pdn_game_type = 40, .n_rows = 10, .start_men = 20, .first_to_move = WHITE,                    \
    .man_captures = {ALL_DIRECTIONS, ALL_DIRECTIONS}, .king_captures = ALL_DIRECTIONS,             \
    .flying_kings = true, .capture = {.man = FRISIAN_MAN, .king = FRISIAN_KING, .by_king = 1}
#define INTERNATIONAL_GAME                                                                         \
    .pdn_game_type = 20, .n_rows = 10, .start_men = 20, .first_to_move = WHITE,                    \
    .man_captures = {DIAGONALS, DIAGONALS}, .king_captures = DIAGONALS, .flying_kings = true,      \
    .capture = {.man = 1, .king = 1}

/* Rows and names stand at their number less 1. What a row leaves out is 0: no limit, kings that
 * move one square, any capture. */
static const struct rules_row rows[N_RULES] = {
    [RULES_FRISIAN - 1] = {FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT, .two_kings_limit = 7,
                           .site = RULES_FRISIAN_LIDRAUGHTS},
    [RULES_FRISIAN_NO17 - 1] = {FRISIAN_GAME, .two_kings_limit = 7},
    [RULES_FRISIAN_NO18 - 1] = {FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT},
    [RULES_FRISIAN_FREE - 1] = {FRISIAN_GAME},
    [RULES_INTERNATIONAL - 1] = {INTERNATIONAL_GAME},
    [RULES_ENGLISH - 1] = {.pdn_game_type = 21,
                           .n_rows = 8,
                           .start_men = 12,
                           .first_to_move = BLACK,
                           .man_captures = {NORTH_DIAGONALS, SOUTH_DIAGONALS},
                           .king_captures = DIAGONALS},
    [RULES_BRAZILIAN - 1] = {.pdn_game_type = 26,
                             .n_rows = 8,
                             .start_men = 12,
                             .first_to_move = WHITE,
                             .man_captures = {DIAGONALS, DIAGONALS},
                             .king_captures = DIAGONALS,
                             .flying_kings = true,
                             .capture = {.man = 1, .king = 1}},
    [RULES_FRISIAN_LIDRAUGHTS - 1] = {FRISIAN_GAME, .king_run_limit = MAX_RUN_COUNT,
                                      .lone_king_limit = {[1] = 4, [2] = 14}},
    [RULES_INTERNATIONAL_FMJD -
        1] = {INTERNATIONAL_GAME, .lone_king_limit = {[1] = 10, [2] = 10, [3] = 32},
              .lone_king_men = true, .quiet_limit = 50, .tables = RULES_INTERNATIONAL},
};

static const char *const names[N_RULES + 1] = {
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

enum { KNOWN_SIZE = 240 }; /* bytes of all names in a message */

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

static void fill(struct rules *rules, int row_number)
{
    const struct rules_row *row = &rows[row_number];

    memset(rules, 0, sizeof *rules);
    rules->id = (enum rules_id)(row_number + 1);
    rules->name = names[row_number];
    rules->pdn_game_type = row->pdn_game_type;
    rules->man_captures[WHITE] = row->man_captures[WHITE];
    rules->man_captures[BLACK] = row->man_captures[BLACK];
    rules->king_captures = row->king_captures;
    rules->flying_kings = row->flying_kings;
    rules->capture = row->capture;
    rules->king_run_limit = row->king_run_limit;
    rules->two_kings_limit = row->two_kings_limit;
    memcpy(rules->lone_king_limit, row->lone_king_limit, sizeof rules->lone_king_limit);
    rules->lone_king_men = row->lone_king_men;
    rules->quiet_limit = row->quiet_limit;
    rules->tables = row->tables != 0 ? row->tables : rules->id;
    rules->site = row->site;
    rules->first_to_move = row->first_to_move;
    rules->start_men = row->start_men;
    board_init(&rules->board, row->n_rows);
    for (int from = 0; from < rules->board.n_squares; from++) {
        for (int side = WHITE; side <= BLACK; side++)
            rules->man_reach[side][from] =
                reach(&rules->board, row->man_captures[side], false, from);
        rules->king_reach[from] = reach(&rules->board, row->king_captures, row->flying_kings, from);
    }
}

enum status rules_by_name(struct rules *rules, const char *name, struct error *error)
{
    char known[KNOWN_SIZE] = "";

    for (int i = 0; i < N_RULES; i++) {
        if (strcmp(names[i], name) == 0) {
            fill(rules, i);
            return STATUS_OK;
        }
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    return error_set(error, STATUS_BAD_RULES, "unknown rule set '%.40s'; known: %s", name, known);
}

enum status rules_by_id(struct rules *rules, unsigned id, struct error *error)
{
    if (id < 1 || id > N_RULES)
        return error_set(error, STATUS_BAD_RULES, "unknown rule set number %u", id);
    fill(rules, (int)id - 1);
    return STATUS_OK;
}

const char *const *rules_names(void)
{
    return names;
}
