/* Materials: how many men and kings each side has. A table belongs to a material.
 *
 * Written `KKMvKM`: kings before men, the stronger side first. The stronger side has more pieces,
 * or as many and more kings; it is White in the table. With colours exchanged, a position is looked
 * up in the same table with the board rotated. All functions are thread-safe, and none can fail. */
#ifndef EINSPUL_CORE_MATERIAL_H
#define EINSPUL_CORE_MATERIAL_H

#include "core/placement.h"

enum {
    MAX_PIECES = 8,                             /* on the board, in any material with a table */
    MATERIAL_NAME_SIZE = EINSPUL_MATERIAL_SIZE, /* bytes of a name, terminating NUL included */
    MAX_MATERIALS =
        216 /* at least the number of canonical materials of 2..MAX_PIECES pieces (210) */
};

struct material {
    uint8_t men[2];   /* by side */
    uint8_t kings[2]; /* by side */
};

struct material material_of(const struct placement *placement);
int material_pieces(const struct material *material);

/* True if both sides have the same pieces, as in KMvKM: the table is the same when flipped. */
bool material_is_symmetric(const struct material *material);

/* True if the stronger side is White, or the material is symmetric. */
bool material_is_canonical(const struct material *material);
struct material material_flip(const struct material *material);

/* True if a limit may end games in this material. */
bool material_has_limit(const struct rules *rules, const struct material *material);

/* The number of clocks a material's table is indexed by: the plies of its lone-king limit, or 1 if
 * it has none. (Article 18's limit is applied when probing, so it counts as none.) */
int material_clocks(const struct rules *rules, const struct material *material);

/* The rule set that owns a material's table: `rules` itself, or the one it borrows tables from. */
enum rules_id material_table_rules(const struct rules *rules, const struct material *material);

/* The material's name as given, White first, returned by value for use inside an expression:
 * material_name(&material).text. */
struct material_name {
    char text[MATERIAL_NAME_SIZE];
};
struct material_name material_name(const struct material *material);

/* Lists all canonical materials of `min` to `max` pieces (2..MAX_PIECES) in generation order: every
 * material comes after those its captures and promotions lead to. Returns their number. */
int material_list(int min, int max, struct material list[MAX_MATERIALS]);

#endif
