/* The checksum of table files and packs: XXH64 with seed 0. */
#ifndef EINSPUL_TABLE_CHECKSUM_H
#define EINSPUL_TABLE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t format_checksum(const void *bytes, size_t n_bytes);

/* Its parts: the sums at the beginning, whole stripes of bytes, and the result, from the sums, the
 * number of all bytes, and those after the last whole stripe. */
enum { CHECKSUM_STRIPE = 32 };
struct checksum_sums {
    uint64_t sum[4];
};
struct checksum_sums checksum_start(void);
void checksum_stripes(struct checksum_sums *sums, const uint8_t *at, size_t n_stripes);
uint64_t checksum_result(const struct checksum_sums *sums, uint64_t n_bytes, const uint8_t *rest);

#endif
