/* Searches the text of the files, a few tens of kilobytes, for each row; no index is needed. */
#include "serve/published.h"

#include "serve/page.h"

#include <stdio.h>
#include <string.h>

static int number_of(const char *text)
{
    int number = -1;
    return sscanf(text, "%d", &number) == 1 ? number : -1;
}

/* Reads a line that begins with `key`. */
static bool read_row(const char *line, struct published *row)
{
    char max_win[8];
    char max_loss[8];
    *row = (struct published){.max_win = -1};
    const int n = sscanf(line, "%llu\t%llu\t%llu\t%7[^\t]\t%7[^\t]\t%319[^\t\n]", &row->wins,
                         &row->draws, &row->losses, max_win, max_loss, row->fen);
    if (n != 6)
        return false;
    row->max_win = number_of(max_win);
    row->max_loss = number_of(max_loss);
    if (row->fen[0] == '-')
        row->fen[0] = '\0';
    return true;
}

bool published_find(const char *rules, const char *material, const char *side, const char *states,
                    struct published *row)
{
    char key[64];
    const int n_key = snprintf(key, sizeof key, "\n%s\t%s\t%s\t", material, side, states);
    const size_t n_rules = strlen(rules);

    for (const struct page_file *file = published_files; file->path != NULL; file++) {
        if (strncmp(file->path, rules, n_rules) != 0 || file->path[n_rules] != '-' ||
            strspn(file->path + n_rules, "-0123456789") + n_rules != strcspn(file->path, "."))
            continue;
        const char *found = strstr((const char *)file->bytes, key);
        if (found != NULL)
            return read_row(found + n_key, row);
    }
    return false;
}
