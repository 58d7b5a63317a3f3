/* A checksum (table/checksum.h) over bytes that arrive in parts. For the programs. */
#ifndef EINSPUL_TABLE_CHECKSUM_PARTS_H
#define EINSPUL_TABLE_CHECKSUM_PARTS_H

#include "table/checksum.h"

struct checksum {
    struct checksum_sums sums;
    uint64_t n_bytes;
    uint8_t rest[CHECKSUM_STRIPE]; /* the last n_bytes % CHECKSUM_STRIPE bytes */
};

void checksum_begin(struct checksum *sum);
void checksum_add(struct checksum *sum, const void *bytes, size_t n_bytes);
uint64_t checksum_end(const struct checksum *sum);

#endif
