/* Bytes are collected in blocks of 64; each is mixed into the state in 64 rounds. */
#include "core/program/sha256.h"

#include <stdio.h>
#include <string.h>

static uint32_t rotated(uint32_t word, int n)
{
    return word >> n | word << (32 - n);
}

static void mix(struct sha256 *sum, const uint8_t block[64])
{
    /* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t words[64];
    uint32_t state[8];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15];
        const uint32_t b = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
                   (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    memcpy(state, sum->state, sizeof state);
    for (int i = 0; i < 64; i++) {
        const uint32_t a = state[0];
        const uint32_t e = state[4];
        const uint32_t first = state[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                               ((e & state[5]) ^ (~e & state[6])) + constants[i] + words[i];
        const uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
                                ((a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2]));
        memmove(state + 1, state, 7 * sizeof *state);
        state[4] += first;
        state[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        sum->state[i] += state[i];
}

void sha256_begin(struct sha256 *sum)
{
    *sum = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                     0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *sum, const void *bytes, size_t n_bytes)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < n_bytes; i++) {
        sum->block[sum->n_bytes++ % sizeof sum->block] = from[i];
        if (sum->n_bytes % sizeof sum->block == 0)
            mix(sum, sum->block);
    }
}

void sha256_end(struct sha256 *sum, char text[SHA256_TEXT_SIZE])
{
    static const uint8_t padding[64] = {0x80};
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(sum->n_bytes * 8 >> (56 - 8 * i));
    sha256_add(sum, padding, 1 + (119 - sum->n_bytes % 64) % 64);
    sha256_add(sum, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)sum->state[i]);
}
