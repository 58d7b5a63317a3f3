/* XXH64 of xxHash (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) with seed 0, implemented here so
 * that nothing depends on libxxhash; test_checksum compares it with published values. */
#include "table/checksum.h"

#include "table/bytes.h"

static const uint64_t prime_1 = 0x9e3779b185ebca87u;
static const uint64_t prime_2 = 0xc2b2ae3d27d4eb4fu;
static const uint64_t prime_3 = 0x165667b19e3779f9u;
static const uint64_t prime_4 = 0x85ebca77c2b2ae63u;
static const uint64_t prime_5 = 0x27d4eb2f165667c5u;

static inline uint64_t rotate_left(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

static inline uint64_t xxh_round(uint64_t sum, uint64_t word)
{
    return rotate_left(sum + word * prime_2, 31) * prime_1;
}

struct checksum_sums checksum_start(void)
{
    return (struct checksum_sums){{prime_1 + prime_2, prime_2, 0, 0 - prime_1}};
}

void checksum_stripes(struct checksum_sums *sums, const uint8_t *at, size_t n_stripes)
{
    for (; n_stripes > 0; n_stripes--, at += CHECKSUM_STRIPE)
        for (int i = 0; i < 4; i++)
            sums->sum[i] = xxh_round(sums->sum[i], load_u64(at + 8 * i));
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

uint64_t checksum_result(const struct checksum_sums *sums, uint64_t n_bytes, const uint8_t *rest)
{
    const uint8_t *at = rest;
    const uint8_t *end = at + n_bytes % CHECKSUM_STRIPE;
    uint64_t hash = n_bytes < CHECKSUM_STRIPE ? prime_5 : merge_sums(sums->sum);
    hash += n_bytes;
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
    struct checksum_sums sums = checksum_start();
    const size_t n_stripes = n_bytes / CHECKSUM_STRIPE;
    checksum_stripes(&sums, bytes, n_stripes);
    return checksum_result(&sums, n_bytes, (const uint8_t *)bytes + n_stripes * CHECKSUM_STRIPE);
}
