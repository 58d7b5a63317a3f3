/* Material names, and which materials captures and promotions lead to. */
#include "core/program/materials.h"

#include <string.h>

einspul_status material_read(const char *name, struct material *material, einspul_error *error)
{
    const char *separator = strpbrk(name, "vV");
    *material = (struct material){0};
    if (separator == NULL || strlen(name) > (size_t)MAX_PIECES + 1)
        return error_set(
            error, EINSPUL_BAD_MATERIAL,
            "material '%.40s': expected K and M for each side and 'v' in between, at most "
            "%d pieces, e.g. KKMvKM",
            name, MAX_PIECES);
    for (const char *at = name; *at != '\0'; at++) {
        const enum side side = at < separator ? WHITE : BLACK;
        if (*at == 'K' || *at == 'k')
            material->kings[side]++;
        else if (*at == 'M' || *at == 'm')
            material->men[side]++;
        else if (at != separator)
            return error_set(error, EINSPUL_BAD_MATERIAL,
                             "material '%.40s': '%c' is neither K nor M", name, *at);
    }
    for (int side = WHITE; side <= BLACK; side++)
        if (material->men[side] + material->kings[side] == 0)
            return error_set(error, EINSPUL_BAD_MATERIAL,
                             "material '%.40s': one side has no pieces", name);
    return EINSPUL_OK;
}

einspul_status material_read_canonical(const char *name, struct material *material, bool *flipped,
                                       einspul_error *error)
{
    const einspul_status status = material_read(name, material, error);
    const bool turns = status == EINSPUL_OK && !material_is_canonical(material);
    if (turns)
        *material = material_flip(material);
    if (flipped != NULL)
        *flipped = turns;
    return status;
}

bool material_equal(const struct material *a, const struct material *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool material_has_two_kings_limit(const struct rules *rules, const struct material *material)
{
    return rules->two_kings_limit > 0 && material->men[WHITE] + material->men[BLACK] == 0 &&
           material_pieces(material) == 3;
}

bool material_is_borrowed(const struct rules *rules, const struct material *material)
{
    return material_table_rules(rules, material) != rules->id;
}

/* True if one move of `side` in `from` can lead to `to`: at most one own man promotes, pieces of
 * the other side disappear, or both. */
static bool leads_to(const struct material *from, const struct material *to, enum side side,
                     enum move_kinds kinds)
{
    const enum side other = side_other(side);
    const int promoted = from->men[side] - to->men[side];
    const int taken_men = from->men[other] - to->men[other];
    const int taken_kings = from->kings[other] - to->kings[other];
    const bool same_pieces = from->men[side] + from->kings[side] == to->men[side] + to->kings[side];
    const int n_taken = taken_men + taken_kings;
    return same_pieces && (promoted == 0 || promoted == 1) && taken_men >= 0 && taken_kings >= 0 &&
           (kinds == CAPTURES ? n_taken : n_taken + promoted) > 0;
}

int material_position_in(const struct material *list, int n, const struct material *material)
{
    int i = 0;
    while (i < n && !material_equal(&list[i], material))
        i++;
    return i;
}

int material_successors(const struct material *material, enum move_kinds kinds,
                        struct material list[MAX_MATERIALS])
{
    const int n = material_list(2, material_pieces(material), list);
    int n_kept = 0;
    for (int i = 0; i < n; i++) {
        const struct material flipped = material_flip(&list[i]);
        if (leads_to(material, &list[i], WHITE, kinds) ||
            leads_to(material, &list[i], BLACK, kinds) ||
            leads_to(material, &flipped, WHITE, kinds) ||
            leads_to(material, &flipped, BLACK, kinds))
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
        const int n_successors = material_successors(&list[i], CAPTURES_AND_PROMOTIONS, successors);
        for (int j = 0; j < n_successors; j++)
            for (int k = 0; k < i; k++)
                reached[k] = reached[k] || material_equal(&list[k], &successors[j]);
    }
    for (int i = 0; i < n; i++)
        if (reached[i])
            list[n_kept++] = list[i];
    return n_kept;
}
