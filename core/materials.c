/* A capture leaves fewer pieces; a promotion leaves as many pieces but one man less. So materials
 * sorted by number of pieces, then by number of men, can be solved in that order. */
#include "core/materials.h"

#include <string.h>

bool material_equal(const struct material *a, const struct material *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool material_is_limited(const struct rules *rules, const struct material *material)
{
    return rules->two_kings_limit > 0 && material->men[WHITE] + material->men[BLACK] == 0 &&
           material_pieces(material) == 3;
}

bool material_is_borrowed(const struct rules *rules, const struct material *material)
{
    return material_tables(rules, material) != rules->id;
}

/* True when one move of `side` in `from` can lead to `to`: at most one own man promotes, pieces of
 * the other side disappear, or both. */
static bool leads_to(const struct material *from, const struct material *to, enum side side,
                     enum succession succession)
{
    const enum side other = side_other(side);
    const int promoted = from->men[side] - to->men[side];
    const int taken_men = from->men[other] - to->men[other];
    const int taken_kings = from->kings[other] - to->kings[other];
    const bool same_pieces = from->men[side] + from->kings[side] == to->men[side] + to->kings[side];
    const int n_taken = taken_men + taken_kings;
    return same_pieces && (promoted == 0 || promoted == 1) && taken_men >= 0 && taken_kings >= 0 &&
           (succession == BY_CAPTURE ? n_taken : n_taken + promoted) > 0;
}

int material_number(const struct material *list, int n, const struct material *material)
{
    int i = 0;
    while (i < n && !material_equal(&list[i], material))
        i++;
    return i;
}

int material_successors(const struct material *material, enum succession succession,
                        struct material list[MAX_MATERIALS])
{
    const int n = material_list(2, material_pieces(material), list);
    int n_kept = 0;
    for (int i = 0; i < n; i++) {
        const struct material turned = material_turn(&list[i]);
        if (leads_to(material, &list[i], WHITE, succession) ||
            leads_to(material, &list[i], BLACK, succession) ||
            leads_to(material, &turned, WHITE, succession) ||
            leads_to(material, &turned, BLACK, succession))
            list[n_kept++] = list[i];
    }
    return n_kept;
}

int material_closure(const struct material *material, struct material list[MAX_MATERIALS])
{
    struct material successors[MAX_MATERIALS];
    bool reached[MAX_MATERIALS] = {false};
    const int n = material_list(2, material_pieces(material), list);
    int n_kept = 0;
    for (int i = n - 1; i >= 0; i--) {
        reached[i] = reached[i] || material_equal(&list[i], material);
        if (!reached[i])
            continue;
        const int n_successors = material_successors(&list[i], BY_CAPTURE_OR_PROMOTION, successors);
        for (int j = 0; j < n_successors; j++)
            for (int k = 0; k < i; k++)
                reached[k] = reached[k] || material_equal(&list[k], &successors[j]);
    }
    for (int i = 0; i < n; i++)
        if (reached[i])
            list[n_kept++] = list[i];
    return n_kept;
}
