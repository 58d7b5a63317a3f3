/* Rule sets, materials and states from their texts; and states at random. */
#ifndef EINSPUL_TESTS_SUPPORT_PARSE_H
#define EINSPUL_TESTS_SUPPORT_PARSE_H

#include "core/fen.h"
#include "core/material.h"

struct rules rules_named(const char *name);
struct material material_named(const char *name);
struct state state_named(const struct rules *rules, const char *fen);

/* A state the rules allow, of few pieces as often as of up to so many, one in four of kings alone. */
struct state any_state(const struct rules *rules, int most_pieces, uint64_t *seed);

#endif
