/* Little-endian numbers in files, on any machine. */
#ifndef EINSPUL_TABLE_BYTES_H
#define EINSPUL_TABLE_BYTES_H

#include <stdint.h>

static inline uint16_t load_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t load_u32(const uint8_t *at)
{
    return load_u16(at) | (uint32_t)load_u16(at + 2) << 16;
}

static inline uint64_t load_u64(const uint8_t *at)
{
    return load_u32(at) | (uint64_t)load_u32(at + 4) << 32;
}

static inline void store_u16(uint8_t *at, uint16_t number)
{
    at[0] = (uint8_t)(number & 0xff);
    at[1] = (uint8_t)(number >> 8);
}

static inline void store_u32(uint8_t *at, uint32_t number)
{
    store_u16(at, (uint16_t)(number & 0xffff));
    store_u16(at + 2, (uint16_t)(number >> 16));
}

static inline void store_u64(uint8_t *at, uint64_t number)
{
    store_u32(at, (uint32_t)(number & 0xffffffff));
    store_u32(at + 4, (uint32_t)(number >> 32));
}

#endif
