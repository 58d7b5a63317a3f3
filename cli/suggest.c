/* A name is near when the text is the beginning of it, or differs by a letter or two: the edit
 * distance (insertions, deletions, substitutions) by the usual table, a row at a time. */
#include "cli/suggest.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { MOST_LETTERS = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, const char *b)
{
    int row[MOST_LETTERS + 1];
    const size_t n = strlen(b);
    if (strlen(a) > MOST_LETTERS || n > MOST_LETTERS)
        return INT_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 0; j < n; j++) {
            const int changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
        }
    }
    return row[n];
}

void suggestion_offer(struct suggestion *suggestion, const char *name)
{
    const size_t length = strlen(suggestion->text);
    const int allowed = length > 4 ? 2 : 1;
    const int distance = length > 1 && strncmp(name, suggestion->text, length) == 0
                             ? 0
                             : edit_distance(suggestion->text, name);
    if (length > 1 && distance <= allowed &&
        (suggestion->best == NULL || distance < suggestion->distance)) {
        suggestion->distance = distance;
        suggestion->best = name;
    }
}
