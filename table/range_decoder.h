/* The decoder of a binary range coder: each decision is coded with the probability of its likelier
 * outcome, in 1/65536. */
#ifndef EINSPUL_TABLE_RANGE_DECODER_H
#define EINSPUL_TABLE_RANGE_DECODER_H

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

/* True if the decision had its likelier outcome. */
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

#endif
