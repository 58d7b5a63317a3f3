/* The checksum of table files and packs, and the hash of values: XXH64 with seed 0. */
#ifndef EINSPUL_TABLE_CHECKSUM_H
#define EINSPUL_TABLE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The state of a checksum over bytes that arrive in parts. */
struct checksum {
    uint64_t sums[4];
    uint64_t n_bytes;
    uint8_t rest[32]; /* the last n_bytes % 32 bytes */
};

void checksum_begin(struct checksum *sum);
void checksum_add(struct checksum *sum, const void *bytes, size_t n_bytes);
uint64_t checksum_end(const struct checksum *sum);

uint64_t format_checksum(const void *bytes, size_t n_bytes);

#endif
