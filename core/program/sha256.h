/* SHA-256 (FIPS 180-4), for checksums that people check with `sha256sum`. */
#ifndef EINSPUL_CORE_PROGRAM_SHA256_H
#define EINSPUL_CORE_PROGRAM_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT_SIZE = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t n_bytes;
    uint8_t block[64];
};

void sha256_begin(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *bytes, size_t n_bytes);

/* Writes the sum as 64 hexadecimal digits. */
void sha256_end(struct sha256 *sum, char text[SHA256_TEXT_SIZE]);

#endif
