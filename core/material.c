/* Counts of pieces, and the list of materials. A capture leaves fewer pieces, a promotion as many
 * pieces but one man fewer, so materials sorted by the number of pieces, then by the number of men,
 * can be solved in that order. */
#include "core/material.h"

struct material material_of(const struct placement *placement)
{
    struct material material;
    for (int side = WHITE; side <= BLACK; side++) {
        material.men[side] = (uint8_t)bits_count(placement->men[side]);
        material.kings[side] = (uint8_t)bits_count(placement->kings[side]);
    }
    return material;
}

static int side_pieces(const struct material *material, enum side side)
{
    return material->men[side] + material->kings[side];
}

int material_pieces(const struct material *material)
{
    return side_pieces(material, WHITE) + side_pieces(material, BLACK);
}

struct material material_flip(const struct material *material)
{
    const struct material flipped = {{material->men[BLACK], material->men[WHITE]},
                                     {material->kings[BLACK], material->kings[WHITE]}};
    return flipped;
}

bool material_is_symmetric(const struct material *material)
{
    return material->men[WHITE] == material->men[BLACK] &&
           material->kings[WHITE] == material->kings[BLACK];
}

bool material_is_canonical(const struct material *material)
{
    const int white = side_pieces(material, WHITE);
    const int black = side_pieces(material, BLACK);
    return white != black ? white > black : material->kings[WHITE] >= material->kings[BLACK];
}

/* The number of plies in which it must be won, or 0. */
static int limit_of(const struct rules *rules, const struct material *material)
{
    const int men[2] = {material->men[WHITE], material->men[BLACK]};
    const int kings[2] = {material->kings[WHITE], material->kings[BLACK]};
    return limit_of_counts(rules, men, kings);
}

bool material_has_limit(const struct rules *rules, const struct material *material)
{
    return rules->quiet_limit > 0 || limit_of(rules, material) > 0;
}

int material_clocks(const struct rules *rules, const struct material *material)
{
    const int limit = rules->two_kings_limit > 0 ? 0 : limit_of(rules, material);
    return limit > 0 ? limit : 1;
}

enum rules_id material_table_rules(const struct rules *rules, const struct material *material)
{
    return material_clocks(rules, material) > 1 ? rules->id : rules->table_rules;
}

struct material_name material_name(const struct material *material)
{
    struct material_name name = {0};
    char *at = name.text;
    for (int side = WHITE; side <= BLACK; side++) {
        if (side == BLACK)
            *at++ = 'v';
        for (int i = 0; i < material->kings[side]; i++)
            *at++ = 'K';
        for (int i = 0; i < material->men[side]; i++)
            *at++ = 'M';
    }
    return name;
}

int material_list(int min, int max, struct material list[MAX_MATERIALS])
{
    int n = 0;
    for (int pieces = min; pieces <= max; pieces++)
        for (int n_men = 0; n_men <= pieces; n_men++)
            for (int white = pieces - 1; 2 * white >= pieces; white--)
                for (int white_men = 0; white_men <= white && white_men <= n_men; white_men++) {
                    const int black_men = n_men - white_men;
                    if (black_men > pieces - white)
                        continue;
                    const struct material material = {
                        {(uint8_t)white_men, (uint8_t)black_men},
                        {(uint8_t)(white - white_men), (uint8_t)(pieces - white - black_men)}};
                    if (material_is_canonical(&material))
                        list[n++] = material;
                }
    return n;
}
