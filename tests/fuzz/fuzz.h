/* A fuzz target: a function that accepts arbitrary bytes, and its seed inputs. With driver.c it is
 * a plain program and an ordinary test; libFuzzer calls the same function. */
#ifndef EINSPUL_TESTS_FUZZ_FUZZ_H
#define EINSPUL_TESTS_FUZZ_FUZZ_H

#include "core/rules.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_MAX_BYTES = 1 << 20 };

/* Runs one input. Aborts if an answer is wrong; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes);

/* Writes a seed of at most FUZZ_MAX_BYTES; returns its size, 0 if there is no seed `number`
 * (0..). */
size_t fuzz_seed(int number, uint8_t *bytes);

static inline void fuzz_expect(bool truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

/* The rule set that a byte selects: '0' the first, '1' the second, …; any byte selects one. */
static inline void fuzz_rules(struct rules *rules, uint8_t byte)
{
    fuzz_expect(rules_by_id(rules, 1 + byte % 16u % N_RULES, NULL) == EINSPUL_OK, "a rule set");
}

/* The unread rest of the input; zeros after its end. */
struct fuzz_input {
    const uint8_t *bytes;
    size_t n_bytes;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (input->n_bytes == 0)
        return 0;
    input->n_bytes--;
    return *input->bytes++;
}

#endif
