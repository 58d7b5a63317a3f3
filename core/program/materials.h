/* Parsing material names, successors of materials, and materials that a rule set treats specially.
 * Not part of the library. All functions are thread-safe; only reading can fail. */
#ifndef EINSPUL_CORE_PROGRAM_MATERIALS_H
#define EINSPUL_CORE_PROGRAM_MATERIALS_H

#include "core/material.h"

#include <string.h>

/* Reads a name in any case, with either side first; the material is returned as written. BAD_MATERIAL names the
 * error: no 'v', a letter that is not K or M, an empty side, more than MAX_PIECES pieces. */
einspul_status material_read(const char *name, struct material *material, einspul_error *error);

/* Like material_read, but exchanges the sides if the weaker one is named first. Unless `flipped` is
 * NULL, *flipped is true if it did. */
einspul_status material_read_canonical(const char *name, struct material *material, bool *flipped,
                                       einspul_error *error);

/* Writes the material's name as given, White first. */
static inline void material_write(const struct material *material, char name[MATERIAL_NAME_SIZE])
{
    strcpy(name, material_name(material).text);
}

bool material_equal(const struct material *a, const struct material *b);

/* True if Article 18 limits the material: KKvK, whose table holds distances without the limit. */
bool material_has_two_kings_limit(const struct rules *rules, const struct material *material);

/* True if the material's tables belong to another rule set, under which alone they are generated,
 * verified and compressed. */
bool material_is_borrowed(const struct rules *rules, const struct material *material);

/* The position of a material in a list of `n`; `n` if absent. */
int material_position_in(const struct material *list, int n, const struct material *material);

/* The moves that lead from one material to another. */
enum move_kinds { CAPTURES, CAPTURES_AND_PROMOTIONS };

/* Lists the canonical materials that one move leads to, without those with an empty side, in
 * generation order. A capture may also promote. Returns their number. */
int material_successors(const struct material *material, enum move_kinds kinds,
                        struct material list[MAX_MATERIALS]);

/* Lists the canonical materials that can be reached from a canonical one, which comes last, in
 * generation order. Returns their number. */
int material_closure(const struct material *material, struct material list[MAX_MATERIALS]);

#endif
