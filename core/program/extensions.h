/* Language extensions that only programs use, like those of core/compiler.h: relaxed atomic access
 * to ordinary memory, and functions for several instruction sets. */
#ifndef EINSPUL_CORE_PROGRAM_EXTENSIONS_H
#define EINSPUL_CORE_PROGRAM_EXTENSIONS_H

#include "core/bits.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Threads may access the same word at once; parallel regions end with a barrier. */
#define ATOMIC_OR(word, bits)   __atomic_fetch_or(word, bits, __ATOMIC_RELAXED)
#define ATOMIC_AND(word, bits)  __atomic_fetch_and(word, bits, __ATOMIC_RELAXED)
#define ATOMIC_LOAD(word)       __atomic_load_n(word, __ATOMIC_RELAXED)
#define ATOMIC_STORE(word, new) __atomic_store_n(word, new, __ATOMIC_RELAXED)

/* MULTI_TARGET compiles a function for several instruction sets; the loader selects the best one
 * the processor supports. Without compiler support, or with EINSPUL_PORTABLE, there is one
 * version; likewise with the thread sanitizer, which is not ready when the loader selects. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) &&                              \
    !defined(EINSPUL_PORTABLE) && !defined(__SANITIZE_THREAD__)
#define HAS_TARGETS
#define MULTI_TARGET   __attribute__((target_clones("avx2", "default")))
#define TARGET_AVX2    __attribute__((target("avx2")))
#define CPU_HAS_AVX2() __builtin_cpu_supports("avx2")
#else
#define MULTI_TARGET
#endif

/* Which of 64 bytes have a value: bit i for bytes[i]. */
static inline uint64_t bytes_matching(const uint8_t bytes[64], uint8_t value)
{
    uint64_t matching = 0;
#if defined(__SSE2__) && !defined(EINSPUL_PORTABLE)
    for (int i = 0; i < 64; i += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        const __m128i equal = _mm_cmpeq_epi8(some, _mm_set1_epi8((char)value));
        matching |= (uint64_t)(uint32_t)_mm_movemask_epi8(equal) << i;
    }
#else
    uint8_t equal[64];
    for (int i = 0; i < 64; i++)
        equal[i] = bytes[i] == value;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = 0; /* a byte each */
        for (int j = 0; j < 8; j++)
            eight |= (uint64_t)equal[i + j] << (8 * j);
        matching |= (eight * 0x0102040810204080u >> 56) << i;
    }
#endif
    return matching;
}

/* The highest bit set in a word, which must not be 0. */
static inline int bits_last(uint64_t word)
{
#if HAS_GNU_C
    return 63 - __builtin_clzll(word);
#else
    for (int shift = 1; shift < 64; shift *= 2)
        word |= word >> shift; /* all bits below it too */
    return bits_count(word) - 1;
#endif
}

#endif
