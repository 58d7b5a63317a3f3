/* The encoder of the binary range coder that table/range_decoder.h decodes. */
#ifndef EINSPUL_TABLE_WRITE_RANGE_ENCODER_H
#define EINSPUL_TABLE_WRITE_RANGE_ENCODER_H

#include "core/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `bytes` must hold two bytes per decision plus eight. */
struct range_encoder {
    uint8_t *bytes;
    size_t n;
    uint64_t low, range;
};

static inline void range_encode_start(struct range_encoder *encoder, uint8_t *bytes)
{
    *encoder = (struct range_encoder){.bytes = bytes, .range = UINT64_MAX};
}

static inline void range_carry(struct range_encoder *encoder)
{
    size_t i = encoder->n;
    while (++encoder->bytes[--i] == 0)
        continue;
}

ALWAYS_INLINE void range_shift(struct range_encoder *encoder, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++) {
        encoder->bytes[encoder->n++] = (uint8_t)(encoder->low >> 56);
        encoder->low <<= 8;
    }
}

ALWAYS_INLINE void range_encode(struct range_encoder *encoder, uint32_t probability, bool likely)
{
    const uint64_t bound = (encoder->range >> 16) * probability;
    if (likely) {
        encoder->range = bound;
    } else {
        encoder->low += bound;
        if (encoder->low < bound)
            range_carry(encoder);
        encoder->range -= bound;
    }
    if (encoder->range < (uint64_t)1 << 32) {
        range_shift(encoder, 4);
        encoder->range <<= 32;
    }
}

/* Ends with as few bytes as possible; returns the total number. */
static inline size_t range_encode_end(struct range_encoder *encoder)
{
    for (int zeros = 8; zeros >= 0; zeros--) {
        const uint64_t mask = zeros == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * zeros) - 1;
        const uint64_t code = (encoder->low + mask) & ~mask;
        if (code - encoder->low >= encoder->range)
            continue;
        if (code < encoder->low)
            range_carry(encoder);
        encoder->low = code;
        break;
    }
    range_shift(encoder, 8);
    while (encoder->n > 0 && encoder->bytes[encoder->n - 1] == 0)
        encoder->n--;
    return encoder->n;
}

#endif
