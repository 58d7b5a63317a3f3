/* Each square is two columns wide, so that the board looks about square. */
#include "cli/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/print.h"
#include "cli/system.h"

enum { CELL_SIZE = 16 }; /* bytes of a cell */

bool board_is_wanted(const struct options *options)
{
    return !options->json && !options->tsv && system_is_terminal(stdout);
}

static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = getenv(names[i]);
        if (locale == NULL || locale[0] == '\0')
            continue;
        const char *set = strchr(locale, '.');
        return set != NULL && (strncasecmp(set, ".utf-8", 6) == 0 || strcasecmp(set, ".utf8") == 0);
    }
    return false;
}

/* The sequence that switches colours, or nothing. */
static const char *colour(const char *sequence)
{
    const char *terminal = getenv("TERM");
    const char *none = getenv("NO_COLOR");
    if ((none != NULL && none[0] != '\0') || terminal == NULL || strcmp(terminal, "dumb") == 0)
        return "";
    return sequence;
}

static const char *colour_of(einspul_outcome outcome)
{
    return colour(outcome == EINSPUL_WIN    ? "\033[32m"
                  : outcome == EINSPUL_DRAW ? "\033[33m"
                                            : "\033[31m");
}

/* The piece on a square, one column wide. */
static void piece_text(const struct placement *at, int square, bool utf8, char text[CELL_SIZE])
{
    static const char *const pieces[2][2][2] = {{{"w", "W"}, {"⛀", "⛁"}}, {{"b", "B"}, {"⛂", "⛃"}}};
    snprintf(text, CELL_SIZE, "%s", utf8 ? "·" : ".");
    for (int side = WHITE; side <= BLACK; side++)
        for (int king = 0; king < 2; king++)
            if (((king ? at->kings[side] : at->men[side]) & square_bit(square)) != 0)
                snprintf(text, CELL_SIZE, "%s", pieces[side][utf8 ? 1 : 0][king]);
}

static void show_square(const struct placement *at, int square, const struct square_map *map,
                        bool utf8)
{
    char text[CELL_SIZE];
    const bool white = (placement_own(at, WHITE) & square_bit(square)) != 0;
    const bool black = (placement_own(at, BLACK) & square_bit(square)) != 0;
    const char *before = white ? colour("\033[1m") : black ? colour("\033[36m") : "";
    piece_text(at, square, utf8, text);
    if (map != NULL && map->square[square].possible) {
        const struct verdict *verdict = &map->square[square].verdict;
        before = colour_of(verdict->outcome);
        snprintf(text, sizeof text, "%c", verdict->known ? "LDW"[(int)verdict->outcome + 1] : '?');
    }
    printf("%s%s%s ", before, text, before[0] != '\0' ? "\033[0m" : "");
}

/* Each row between the numbers of its first and last squares. Dark squares begin in the second
 * column of the top row. */
static void show_squares(const struct rules *rules, const struct placement *at,
                         const struct square_map *map)
{
    const int n_row = rules->board.n_rows / 2;
    const bool utf8 = has_utf8();
    for (int row = 0; row < rules->board.n_rows; row++) {
        printf("  %2d  ", row * n_row + 1);
        for (int i = 0; i < n_row; i++) {
            if (row % 2 == 0)
                fputs("  ", stdout);
            show_square(at, row * n_row + i, map, utf8);
            if (row % 2 != 0)
                fputs("  ", stdout);
        }
        printf(" %2d\n", (row + 1) * n_row);
    }
}

/* A line for each king run and for a limit. */
static void show_rule_state(const struct rules *rules, const struct state *state)
{
    const struct limit_left limit = state_limit_left(rules, state);
    for (int side = WHITE; side <= BLACK; side++) {
        const struct run run = state->run[side];
        if (run.count > 0)
            printf("%s's king on %d has moved %d time%s in a row%s.\n", side_name((enum side)side),
                   run.square + 1, run.count, run.count == 1 ? "" : "s",
                   run.count >= rules->king_run_limit ? " and must rest" : "");
    }
    if (limit.limit > 0 && limit.of_side)
        printf("%s has %d of %d moves left to win.\n", side_name(limit.side), limit.left,
               limit.limit);
    else if (limit.limit > 0)
        printf("%d of %d plies are left before a draw.\n", limit.left, limit.limit);
}

void board_show(const struct rules *rules, const struct state *state)
{
    const struct material material = material_of(&state->at);
    printf("%s%s%s, %s to move (%s)\n\n", colour("\033[1m"),
           material_pieces(&material) <= MAX_PIECES ? material_name(&material).text : "Position",
           colour("\033[0m"), side_name(state->at.side), rules->name);
    show_squares(rules, &state->at, NULL);
    putchar('\n');
    show_rule_state(rules, state);
}

void board_show_verdict(enum side side, einspul_outcome outcome, int plies)
{
    const char *winner = side_name(outcome == EINSPUL_WIN ? side : side_other(side));
    fputs(colour_of(outcome), stdout);
    if (outcome == EINSPUL_DRAW)
        fputs("A draw.", stdout);
    else if (plies == 0)
        printf("%s has no move and has lost.", side_name(side));
    else if (plies < 0)
        printf("%s wins.", winner);
    else
        printf("%s wins in %d %s.", winner, plies, plies == 1 ? "ply" : "plies");
    printf("%s\n\n", colour("\033[0m"));
}

void board_show_reason(const char *condition, enum side side, einspul_outcome outcome, int plies)
{
    printf("%s, ", condition);
    if (outcome == EINSPUL_DRAW)
        fputs("it would be a draw", stdout);
    else
        printf("%s would win", side_name(outcome == EINSPUL_WIN ? side : side_other(side)));
    if (plies > 0)
        printf(" in %d %s", plies, plies == 1 ? "ply" : "plies");
    puts(".\n");
}

void board_show_move(int ply, const char *move, einspul_outcome outcome, int plies)
{
    if (ply > 0)
        printf("%4d. ", ply);
    printf("  %-14s %s%s", move, colour_of(outcome), outcome_text(outcome));
    if (plies >= 0)
        printf(" in %d", plies);
    printf("%s\n", colour("\033[0m"));
}

void board_show_map(const struct rules *rules, const struct state *state, int square,
                    const struct square_map *map)
{
    int n[3] = {0, 0, 0};
    board_show(rules, state);
    for (int i = 0; i < rules->board.n_squares; i++)
        if (map->square[i].possible && map->square[i].verdict.known)
            n[(int)map->square[i].verdict.outcome + 1]++;
    printf("The piece from %d on each square where it may stand: W, D, L for %s to move\n\n",
           square + 1, side_name(state->at.side));
    show_squares(rules, &state->at, map);
    printf("\n%d wins, %d draws, %d losses.\n", n[2], n[1], n[0]);
}
