/* Names of materials, which lead to which, and which ones a rule set treats in its own way.
 * For the programs; the library needs none of it. All functions are thread-safe; only
 * reading can fail. */
#ifndef EINSPUL_CORE_PROGRAM_MATERIALS_H
#define EINSPUL_CORE_PROGRAM_MATERIALS_H

#include "core/material.h"

#include <string.h>

/* Reads a name with either side first; the material is returned as written. BAD_MATERIAL names the
 * mistake: no 'v', a letter that is not K or M, an empty side, more than MAX_PIECES pieces. */
einspul_status material_read(const char *name, struct material *material, einspul_error *error);

/* The same, flipped where the weaker side is named first; `*flipped`, which may be NULL, says
 * whether it was. */
einspul_status material_read_canonical(const char *name, struct material *material, bool *flipped,
                                       einspul_error *error);

/* Writes the name of the material as it is, White first. */
static inline void material_write(const struct material *material, char name[MATERIAL_NAME_SIZE])
{
    strcpy(name, material_name(material).text);
}

bool material_equal(const struct material *a, const struct material *b);

/* True when Article 18 limits the material: KKvK, whose table holds distances without the limit. */
bool material_has_two_kings_limit(const struct rules *rules, const struct material *material);

/* True when its tables are another rule set's: read from there, and made, checked and compressed
 * under that one only. */
bool material_is_borrowed(const struct rules *rules, const struct material *material);

/* The number of a material in a list of `n`; `n` where it is not in it. */
int material_position_in(const struct material *list, int n, const struct material *material);

/* The moves that lead from one material to another. */
enum succession { BY_CAPTURE, BY_CAPTURE_OR_PROMOTION };

/* Lists the canonical materials that one move leads to, without those with an empty side, in
 * generation order. A capture may also promote. Returns their number. */
int material_successors(const struct material *material, enum succession succession,
                        struct material list[MAX_MATERIALS]);

/* Lists the canonical materials that can be reached from a canonical one, which comes last, in
 * generation order. Returns their number. */
int material_closure(const struct material *material, struct material list[MAX_MATERIALS]);

#endif
