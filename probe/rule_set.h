/* Rule sets by name, for calls without a handle. */
#ifndef EINSPUL_PROBE_RULE_SET_H
#define EINSPUL_PROBE_RULE_SET_H

#include "core/rules.h"

/* The rule set of a name, NULL for the first. It is permanent, except that while another thread is computing it for the
 * first time, `spare` is filled and returned instead. NULL for an unknown name: BAD_RULES.
 * Thread-safe, and never waits. */
const struct rules *rule_set(const char *name, struct rules *spare, einspul_error *error);

#endif
