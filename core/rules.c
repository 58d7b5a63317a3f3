#include "core/rules.h"

#include <string.h>

struct rules_row {
    const char *name;
    enum rules_id id;
    int pdn_game_type;
    int n_rows;
    unsigned man_captures[2];
    unsigned king_captures;
    bool flying_kings;
    enum capture_choice choice;
    int king_run_limit;
    int two_kings_limit;
    enum side first_to_move;
    int start_men;
};

enum { FRISIAN_MEN = ALL_DIRECTIONS };

#define FRISIAN(name, id, run, two)                                                                \
    {                                                                                              \
        name, id, 40, 10, {FRISIAN_MEN, FRISIAN_MEN}, ALL_DIRECTIONS, true, CAPTURE_MOST_VALUABLE, \
            run, two, WHITE, 20                                                                    \
    }

static const struct rules_row rows[] = {
    FRISIAN("frisian", RULES_FRISIAN, 3, 7),
    FRISIAN("frisian-no17", RULES_FRISIAN_NO17, 0, 7),
    FRISIAN("frisian-no18", RULES_FRISIAN_NO18, 3, 0),
    FRISIAN("frisian-free", RULES_FRISIAN_FREE, 0, 0),
    {"international",
     RULES_INTERNATIONAL,
     20,
     10,
     {DIAGONALS, DIAGONALS},
     DIAGONALS,
     true,
     CAPTURE_MOST_PIECES,
     0,
     0,
     WHITE,
     20},
    {"english",
     RULES_ENGLISH,
     21,
     8,
     {NORTH_DIAGONALS, SOUTH_DIAGONALS},
     DIAGONALS,
     false,
     CAPTURE_ANY,
     0,
     0,
     BLACK,
     12},
};

static const char *const names[] = {
    "frisian", "frisian-no17", "frisian-no18", "frisian-free", "international", "english", NULL};

enum { N_RULES = sizeof rows / sizeof rows[0] };

/* The squares of the pieces that can be captured from `from` along a set of directions. */
static squares_t reach(const struct board *board, unsigned directions, bool flying, int from)
{
    squares_t found = 0;
    for (int direction = 0; direction < N_DIRECTIONS; direction++) {
        int over = board->next[direction][from];
        if ((directions >> direction & 1) == 0)
            continue;
        while (over != NO_SQUARE && board->next[direction][over] != NO_SQUARE) {
            found |= square_bit(over);
            over = flying ? board->next[direction][over] : NO_SQUARE;
        }
    }
    return found;
}

static void fill(struct rules *rules, const struct rules_row *row)
{
    memset(rules, 0, sizeof *rules);
    rules->id = row->id;
    rules->name = row->name;
    rules->pdn_game_type = row->pdn_game_type;
    rules->man_captures[WHITE] = row->man_captures[WHITE];
    rules->man_captures[BLACK] = row->man_captures[BLACK];
    rules->king_captures = row->king_captures;
    rules->flying_kings = row->flying_kings;
    rules->choice = row->choice;
    rules->king_run_limit = row->king_run_limit;
    rules->two_kings_limit = row->two_kings_limit;
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
    for (int i = 0; i < N_RULES; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            fill(rules, &rows[i]);
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_BAD_RULES,
                     "unknown rule set '%.40s'; known: frisian, frisian-no17, frisian-no18, "
                     "frisian-free, international, english",
                     name);
}

enum status rules_by_id(struct rules *rules, unsigned id, struct error *error)
{
    for (int i = 0; i < N_RULES; i++) {
        if ((unsigned)rows[i].id == id) {
            fill(rules, &rows[i]);
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_BAD_RULES, "unknown rule set number %u", id);
}

const char *const *rules_names(void)
{
    return names;
}
