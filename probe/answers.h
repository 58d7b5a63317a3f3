/* Values found by earlier probes, or earlier in a long one, that no table stores: of states with
 * captures, and of what a table omits. They are that of the best move, so a probe of such a state
 * takes as long as many; asked again, it is one access to memory. */
#ifndef EINSPUL_PROBE_ANSWERS_H
#define EINSPUL_PROBE_ANSWERS_H

#include "core/value.h"

#include <stddef.h>

struct answers;

/* With at most `n_bytes` of memory; NULL if that is too little, or not to be had. */
struct answers *answers_create(size_t n_bytes);

void answers_free(struct answers *answers); /* NULL is allowed */

/* The value kept under a key of answer_key, if it is there; thread-safe, as answers_add. */
bool answers_find(const struct answers *answers, uint64_t key, value_t *value);

/* Keeps a value, in the place of another one if need be. */
void answers_add(struct answers *answers, uint64_t key, value_t value);

#endif
