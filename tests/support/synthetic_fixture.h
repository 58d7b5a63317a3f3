/* A fixture: a handle on synthetic tables, for tests of the public library. */
#ifndef EINSPUL_TESTS_SUPPORT_SYNTHETIC_FIXTURE_H
#define EINSPUL_TESTS_SUPPORT_SYNTHETIC_FIXTURE_H

#include "core/moves.h"
#include "probe/position.h"
#include "tests/support/handle.h"
#include "tests/support/moves_text.h"
#include "tests/support/synthetic_set.h"

extern struct synthetic_set synthetic;

/* For `.init` and `.fini` of a suite. */
void create_synthetic_set(void);
void drop_synthetic_set(void);

einspul *open_synthetic(size_t cache_bytes);

void remove_table(const char *name, einspul_metric metric);

/* Changes a byte of a table, counted from its start or (negative) from the end of its blocks. */
void damage_table(const char *name, einspul_metric metric, long at);

einspul_position position_of(const einspul *handle, const char *fen);

/* Probes random states of all materials and compares. */
void expect_answers(einspul *handle, int n, bool distances);

#endif
