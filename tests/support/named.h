/* Rule sets, materials and states from their texts. */
#ifndef EINSPUL_TESTS_SUPPORT_NAMED_H
#define EINSPUL_TESTS_SUPPORT_NAMED_H

#include "core/fen.h"
#include "core/material.h"

struct rules rules_named(const char *name);
struct material material_named(const char *name);
struct state state_named(const struct rules *rules, const char *fen);

#endif
