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

/* An escape sequence, or nothing if the terminal has no colours. */
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
    return colour(outcome == EINSPUL_WIN ? "\033[32m" : outcome == EINSPUL_DRAW ? "" : "\033[31m");
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

/* Prints a square. On a map, the square that the piece was moved from is inverted. */
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
        before = white || black ? colour("\033[7m") : colour_of(verdict->outcome);
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

/* Explains the glyphs below the first board. */
static void show_legend(void)
{
    static bool shown;
    if (!shown && has_utf8())
        puts("\n  ⛀ White man  ⛁ White king  ⛂ Black man  ⛃ Black king");
    shown = true;
}

/* One line for each king run, and one for a move limit. */
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
        printf("Move limit: %s has %d of %d moves left.\n", side_name(limit.side), limit.left,
               limit.limit);
    else if (limit.limit > 0)
        printf("Move limit: %d of %d plies are left before a draw.\n", limit.left, limit.limit);
}

static void show_title(const struct rules *rules, const struct state *state)
{
    const struct material material = material_of(&state->at);
    const bool named = material_pieces(&material) <= MAX_PIECES;
    printf("%s%s to move%s%s%s (%s)\n\n", colour("\033[1m"), side_name(state->at.side),
           colour("\033[0m"), named ? ", " : "", named ? material_name(&material).text : "",
           rules->name);
}

void board_show_squares(const struct rules *rules, const struct state *state)
{
    show_squares(rules, &state->at, NULL);
    show_legend();
    putchar('\n');
}

void board_show(const struct rules *rules, const struct state *state)
{
    show_title(rules, state);
    board_show_squares(rules, state);
    show_rule_state(rules, state);
}

void board_show_verdict(enum side side, einspul_outcome outcome, int plies)
{
    const char *winner = side_name(outcome == EINSPUL_WIN ? side : side_other(side));
    fputs(colour_of(outcome), stdout);
    if (outcome == EINSPUL_DRAW)
        fputs("Draw.", stdout);
    else if (plies == 0)
        printf("%s has no move and has lost.", side_name(side));
    else if (plies < 0)
        printf("%s wins.", winner);
    else
        printf("%s wins in %d %s (%d %s).", winner, plies, plies == 1 ? "ply" : "plies",
               (plies + 1) / 2, plies <= 2 ? "move" : "moves");
    printf("%s\n\n", colour("\033[0m"));
}

void board_show_known(enum side side, const struct known_wins *known)
{
    einspul_outcome outcome;
    if (known_outcome(known, side, &outcome))
        board_show_verdict(side, outcome, -1);
    else if (known->decided[side])
        printf("%s does not win. Draw or loss is not decided.\n\n", side_name(side));
    else if (known->decided[side_other(side)])
        printf("%s does not lose. Win or draw is not decided.\n\n", side_name(side));
    else
        puts("Not decided.\n");
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

void board_show_move(const char *move, einspul_outcome outcome, int plies)
{
    printf("  %-14s %s%s", move, colour_of(outcome), outcome_text(outcome));
    if (plies >= 0)
        printf(" in %d %s", plies, plies == 1 ? "ply" : "plies");
    printf("%s\n", colour("\033[0m"));
}

void board_show_line_move(int ply, enum side side, const char *move)
{
    if (side == WHITE && ply > 1)
        putchar('\n');
    if (side == WHITE || ply == 1)
        printf("%4d. ", ply / 2 + 1);
    if (side == BLACK && ply == 1)
        printf("%-16s ", "...");
    printf(side == WHITE ? "%-16s " : "%s", move);
}

void board_show_map(const struct rules *rules, const struct state *state, int square,
                    const struct square_map *map)
{
    int n[3] = {0, 0, 0};
    const enum side owner =
        (placement_own(&state->at, WHITE) & square_bit(square)) != 0 ? WHITE : BLACK;
    const bool king = (state->at.kings[owner] & square_bit(square)) != 0;
    show_title(rules, state);
    for (int i = 0; i < rules->board.n_squares; i++)
        if (map->square[i].possible && map->square[i].verdict.known)
            n[(int)map->square[i].verdict.outcome + 1]++;
    show_squares(rules, &state->at, map);
    show_legend();
    printf("\n%s %s from %d on each square: W win, D draw, L loss for %s\n", side_name(owner),
           king ? "king" : "man", square + 1, side_name(state->at.side));
    printf("%d wins, %d draws, %d losses.\n", n[2], n[1], n[0]);
}
