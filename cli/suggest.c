/* Names are compared by their edit distance: letters inserted, removed, replaced or swapped with a
 * neighbour. At most a third of the typed letters may differ, and at least one may. */
#include "cli/suggest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LENGTH = 31 };

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t at[MAX_LENGTH + 1][MAX_LENGTH + 1]; /* of the first i letters and the first j */
    for (size_t i = 0; i <= n_a; i++)
        for (size_t j = 0; j <= n_b; j++) {
            if (i == 0 || j == 0) {
                at[i][j] = i + j;
                continue;
            }
            at[i][j] =
                min(min(at[i - 1][j], at[i][j - 1]) + 1, at[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                at[i][j] = min(at[i][j], at[i - 2][j - 2] + 1);
        }
    return at[n_a][n_b];
}

void suggest(struct suggestion *best, const char *typed, const char *name)
{
    const size_t n_typed = strlen(typed);
    const size_t n_name = strlen(name);
    if (n_typed > MAX_LENGTH || n_name > MAX_LENGTH)
        return;
    const size_t distance = edit_distance(typed, n_typed, name, n_name);
    if (distance > (n_typed < 6 ? 1 : n_typed / 3) || distance >= n_typed ||
        (best->name != NULL && best->distance <= distance))
        return;
    *best = (struct suggestion){name, distance};
}

const char *suggestion_text(const struct suggestion *best, const char *before,
                            char text[SUGGEST_SIZE])
{
    if (best->name == NULL)
        return "; see";
    snprintf(text, SUGGEST_SIZE, "; did you mean '%s%s'? See", before, best->name);
    return text;
}
