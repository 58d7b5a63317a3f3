/* Language extensions that only programs use, like those of core/compiler.h: relaxed atomic access
 * to ordinary memory, and functions for several instruction sets. */
#ifndef EINSPUL_CORE_PROGRAM_EXTENSIONS_H
#define EINSPUL_CORE_PROGRAM_EXTENSIONS_H

#include "core/bits.h"

/* Threads may access the same word at once; parallel regions end with a barrier. */
#define ATOMIC_OR(word, bits)   __atomic_fetch_or(word, bits, __ATOMIC_RELAXED)
#define ATOMIC_AND(word, bits)  __atomic_fetch_and(word, bits, __ATOMIC_RELAXED)
#define ATOMIC_LOAD(word)       __atomic_load_n(word, __ATOMIC_RELAXED)
#define ATOMIC_STORE(word, new) __atomic_store_n(word, new, __ATOMIC_RELAXED)

/* MULTI_TARGET compiles a function for several instruction sets; the loader selects the best one
 * the processor supports. Without compiler support, or with EINSPUL_PORTABLE, there is one
 * version. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(EINSPUL_PORTABLE)
#define HAS_TARGETS
#define MULTI_TARGET   __attribute__((target_clones("avx2", "default")))
#define TARGET_AVX2    __attribute__((target("avx2")))
#define CPU_HAS_AVX2() __builtin_cpu_supports("avx2")
#else
#define MULTI_TARGET
#endif

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
