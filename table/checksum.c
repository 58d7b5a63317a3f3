/* XXH64 of xxHash (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) with seed 0, implemented here so
 * that nothing depends on libxxhash; test_checksum compares it with published values. */
#include "table/checksum.h"

#include "table/bytes.h"

#include <string.h>

static const uint64_t prime_1 = 0x9e3779b185ebca87u;
static const uint64_t prime_2 = 0xc2b2ae3d27d4eb4fu;
static const uint64_t prime_3 = 0x165667b19e3779f9u;
static const uint64_t prime_4 = 0x85ebca77c2b2ae63u;
static const uint64_t prime_5 = 0x27d4eb2f165667c5u;

enum { STRIPE_SIZE = sizeof((struct checksum *)NULL)->rest };

static inline uint64_t rotate_left(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

static inline uint64_t xxh_round(uint64_t sum, uint64_t word)
{
    return rotate_left(sum + word * prime_2, 31) * prime_1;
}

void checksum_begin(struct checksum *sum)
{
    *sum = (struct checksum){.sums = {prime_1 + prime_2, prime_2, 0, 0 - prime_1}};
}

static void add_stripes(struct checksum *sum, const uint8_t *at, size_t n_stripes)
{
    for (; n_stripes > 0; n_stripes--, at += STRIPE_SIZE)
        for (int i = 0; i < 4; i++)
            sum->sums[i] = xxh_round(sum->sums[i], load_u64(at + 8 * i));
}

void checksum_add(struct checksum *sum, const void *bytes, size_t n_bytes)
{
    const uint8_t *at = bytes;
    const size_t n_rest = (size_t)(sum->n_bytes % STRIPE_SIZE);
    const size_t missing = STRIPE_SIZE - n_rest;
    sum->n_bytes += n_bytes;
    if (n_bytes < missing) {
        if (n_bytes > 0) /* otherwise the pointer may be NULL */
            memcpy(sum->rest + n_rest, at, n_bytes);
        return;
    }
    memcpy(sum->rest + n_rest, at, missing);
    add_stripes(sum, sum->rest, 1);
    at += missing;
    n_bytes -= missing;
    add_stripes(sum, at, n_bytes / STRIPE_SIZE);
    memcpy(sum->rest, at + n_bytes / STRIPE_SIZE * STRIPE_SIZE, n_bytes % STRIPE_SIZE);
}

static uint64_t merge_sums(const uint64_t sums[4])
{
    static const int rotations[4] = {1, 7, 12, 18};
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++)
        hash += rotate_left(sums[i], rotations[i]);
    for (int i = 0; i < 4; i++)
        hash = (hash ^ xxh_round(0, sums[i])) * prime_1 + prime_4;
    return hash;
}

uint64_t checksum_end(const struct checksum *sum)
{
    const uint8_t *at = sum->rest;
    const uint8_t *end = at + sum->n_bytes % STRIPE_SIZE;
    uint64_t hash = sum->n_bytes < STRIPE_SIZE ? prime_5 : merge_sums(sum->sums);
    hash += sum->n_bytes;
    for (; end - at >= 8; at += 8)
        hash = rotate_left(hash ^ xxh_round(0, load_u64(at)), 27) * prime_1 + prime_4;
    if (end - at >= 4) {
        hash = rotate_left(hash ^ load_u32(at) * prime_1, 23) * prime_2 + prime_3;
        at += 4;
    }
    for (; at < end; at++)
        hash = rotate_left(hash ^ *at * prime_5, 11) * prime_1;
    hash = (hash ^ hash >> 33) * prime_2;
    hash = (hash ^ hash >> 29) * prime_3;
    return hash ^ hash >> 32;
}

uint64_t format_checksum(const void *bytes, size_t n_bytes)
{
    struct checksum sum;
    checksum_begin(&sum);
    checksum_add(&sum, bytes, n_bytes);
    return checksum_end(&sum);
}
