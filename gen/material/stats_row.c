/* A linear search; the files have a few tens of kilobytes. */
#include "gen/material/stats_row.h"

#include <stdio.h>
#include <string.h>

/* The number of plies in a column; -1: none, or not known. */
static int number_of(const char *text)
{
    int number = -1;
    return sscanf(text, "%d", &number) == 1 ? number : -1;
}

bool stats_row_find(const char *text, const char *material, const char *side, const char *states,
                    struct stats_row *row)
{
    char key[64];
    unsigned long long n[3];
    char max_win[8];
    char max_loss[8];
    const int n_key = snprintf(key, sizeof key, "\n%s\t%s\t%s\t", material, side, states);
    const char *found = strstr(text, key);
    if (found == NULL || sscanf(found + n_key, "%llu\t%llu\t%llu\t%7[^\t]\t%7[^\t]\t%319[^\t\n]",
                                &n[0], &n[1], &n[2], max_win, max_loss, row->fen) != 6)
        return false;
    row->counts = (struct stats_counts){.wins = n[0],
                                        .draws = n[1],
                                        .losses = n[2],
                                        .max_win = number_of(max_win),
                                        .max_loss = number_of(max_loss)};
    if (row->fen[0] == '-')
        row->fen[0] = '\0';
    return true;
}
