/* Materials: how many men and kings each side has. A table belongs to a material.
 *
 * Written `KKMvKM`: kings before men, the stronger side first. The stronger side has more pieces,
 * or as many and more kings; it is White in the table. With colours exchanged, a position is looked
 * up in the same table with the board rotated. All functions are thread-safe, and
 * cannot fail. */
#ifndef EINSPUL_CORE_MATERIAL_H
#define EINSPUL_CORE_MATERIAL_H

#include "core/placement.h"

enum {
    MAX_PIECES = 8,          /* on the board, in any material with a table */
    MATERIAL_NAME_SIZE = 12, /* bytes of a name, end byte included */
    MAX_MATERIALS = 216      /* more than materials of 2..MAX_PIECES pieces, colours merged */
};

struct material {
    uint8_t men[2];   /* by side */
    uint8_t kings[2]; /* by side */
};

struct material material_of(const struct placement *placement);
int material_pieces(const struct material *material);

/* True for material such as KMvKM, where the flipped table is the table. */
bool material_is_symmetric(const struct material *material);

/* True when the stronger side is White, or the material is symmetric. */
bool material_is_canonical(const struct material *material);
struct material material_flip(const struct material *material);

/* How many values of the clock a material's table holds: as many as the plies of its limit, where a
 * capture ends the count or the count is shared; 1 where it has no such limit. */
int material_clocks(const struct rules *rules, const struct material *material);

/* The number of the rule set that a material's table is of: `rules` itself, or the one whose tables
 * it uses. */
enum rules_id material_table_rules(const struct rules *rules, const struct material *material);

/* The name of the material as it is, White first, for use within one expression:
 * material_name(&material).text. */
struct material_name {
    char text[MATERIAL_NAME_SIZE];
};
struct material_name material_name(const struct material *material);

/* Lists all canonical materials of `fewest` to `most` pieces (2..MAX_PIECES) in generation order:
 * every material comes after those its captures and promotions lead to. Returns their number. */
int material_list(int fewest, int most, struct material list[MAX_MATERIALS]);

#endif
