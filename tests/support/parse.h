/* Parses rule sets, materials and states; random states. */
#ifndef EINSPUL_TESTS_SUPPORT_PARSE_H
#define EINSPUL_TESTS_SUPPORT_PARSE_H

#include "core/fen.h"
#include "core/material.h"

struct rules rules_named(const char *name);

/* The rule set with a limit on quiet play. */
#define FMJD_RULES (einspul_rules_list()[RULES_INTERNATIONAL_FMJD - 1])
struct material material_named(const char *name);
struct state state_named(const struct rules *rules, const char *fen);

/* A random legal state: half of them of two to four pieces, half of two to `most_pieces`; one in
 * four has kings only. */
struct state random_legal_state(const struct rules *rules, int most_pieces, uint64_t *seed);

#endif
