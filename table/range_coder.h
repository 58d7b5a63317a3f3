/* A binary range coder: each decision has the probability of its likelier outcome, in 1/65536. */
#ifndef EINSPUL_TABLE_RANGE_CODER_H
#define EINSPUL_TABLE_RANGE_CODER_H

#include "core/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes beyond the end read as zero. */
struct range_decoder {
    const uint8_t *at, *end;
    uint64_t code, range;
};

ALWAYS_INLINE uint32_t range_bytes(struct range_decoder *decoder)
{
    uint32_t word = 0;
    if (decoder->end - decoder->at >= 4) {
        const uint8_t *at = decoder->at;
        decoder->at += 4;
        return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (int i = 0; i < 4; i++)
        word = word << 8 | (decoder->at < decoder->end ? *decoder->at++ : 0);
    return word;
}

static inline void range_decode_start(struct range_decoder *decoder, const uint8_t *bytes,
                                      size_t n_bytes)
{
    decoder->at = bytes;
    decoder->end = bytes + n_bytes;
    decoder->range = UINT64_MAX;
    decoder->code = (uint64_t)range_bytes(decoder) << 32;
    decoder->code |= range_bytes(decoder);
}

/* True when the decision had its likelier outcome. */
ALWAYS_INLINE bool range_decode(struct range_decoder *decoder, uint32_t probability)
{
    const uint64_t bound = (decoder->range >> 16) * probability;
    const bool likely = decoder->code < bound;
    const uint64_t unlikely =
        (uint64_t)likely - 1; /* a mask of all bits: no branch to mispredict */
    decoder->range = bound + (unlikely & (decoder->range - 2 * bound));
    decoder->code -= unlikely & bound;
    if (decoder->range < (uint64_t)1 << 32) {
        decoder->range <<= 32;
        decoder->code = decoder->code << 32 | range_bytes(decoder);
    }
    return likely;
}

/* There must be room for two bytes a decision, and eight more. */
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
