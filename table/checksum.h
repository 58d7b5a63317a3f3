/* The checksum of table files and packs: XXH64 with seed 0. */
#ifndef EINSPUL_TABLE_CHECKSUM_H
#define EINSPUL_TABLE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t format_checksum(const void *bytes, size_t n_bytes);

#endif
