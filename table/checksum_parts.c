/* Collects bytes until there is a whole stripe. */
#include "table/checksum_parts.h"

#include <string.h>

void checksum_begin(struct checksum *sum)
{
    *sum = (struct checksum){.sums = checksum_start()};
}

void checksum_add(struct checksum *sum, const void *bytes, size_t n_bytes)
{
    const uint8_t *at = bytes;
    const size_t n_rest = (size_t)(sum->n_bytes % CHECKSUM_STRIPE);
    const size_t missing = CHECKSUM_STRIPE - n_rest;
    sum->n_bytes += n_bytes;
    if (n_bytes < missing) {
        if (n_bytes > 0) /* otherwise the pointer may be NULL */
            memcpy(sum->rest + n_rest, at, n_bytes);
        return;
    }
    memcpy(sum->rest + n_rest, at, missing);
    checksum_stripes(&sum->sums, sum->rest, 1);
    at += missing;
    n_bytes -= missing;
    const size_t n_whole = n_bytes / CHECKSUM_STRIPE;
    checksum_stripes(&sum->sums, at, n_whole);
    memcpy(sum->rest, at + n_whole * CHECKSUM_STRIPE, n_bytes % CHECKSUM_STRIPE);
}

uint64_t checksum_end(const struct checksum *sum)
{
    return checksum_result(&sum->sums, sum->n_bytes, sum->rest);
}
