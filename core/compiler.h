/* What is not C17 and every compiler has under another name, or not at all: checks of formats, forced
 * inlining, prefetches, operations on the bits of a word, vectors. With gcc and clang what they have;
 * else, as with Microsoft's compiler, or where EINSPUL_PLAIN_C asks for it, plain C with the same
 * results. Atomics are C17's: with Microsoft's compiler they take /experimental:c11atomics. */
#ifndef EINSPUL_CORE_COMPILER_H
#define EINSPUL_CORE_COMPILER_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(EINSPUL_PLAIN_C)
#define HAS_GNU_C 1
#else
#define HAS_GNU_C 0
#endif

/* A function that takes the arguments of a format, which is its argument number `format`; they begin
 * at number `first`, or are a va_list if that is 0. printf is C's, also where the system's is not. */
#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_LIKE(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define PRINTF_LIKE(format_at, first)
#endif

#if HAS_GNU_C
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define ALWAYS_INLINE static __forceinline
#else
#define ALWAYS_INLINE static inline
#endif

/* A hint, safe to ignore: memory that is read soon. */
#if HAS_GNU_C
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Not every processor of x86-64 has the instruction for it, so a compiler that is to serve them all
 * makes a call, which takes three times as long as the sum below. */
static inline int bits_count(uint64_t word)
{
#if HAS_GNU_C && (defined(__POPCNT__) || !defined(__x86_64__))
    return __builtin_popcountll(word);
#else
#if HAS_GNU_C && !defined(EINSPUL_PORTABLE)
    if (__builtin_cpu_supports("popcnt")) {
        __asm__("popcntq %1, %0" : "=r"(word) : "rm"(word) : "cc");
        return (int)word;
    }
#endif
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
#endif
}

/* The number of the lowest bit of a word that is not zero: how many are below it. */
static inline int bits_first(uint64_t word)
{
#if HAS_GNU_C
    return __builtin_ctzll(word);
#else
    return bits_count((word & (0 - word)) - 1);
#endif
}

/* The number of the highest bit of a word that is not zero. */
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

/* The bytes in the other order. */
static inline uint64_t bytes_swap(uint64_t word)
{
#if HAS_GNU_C
    return __builtin_bswap64(word);
#else
    word = (word & 0x00ff00ff00ff00ffu) << 8 | (word >> 8 & 0x00ff00ff00ff00ffu);
    word = (word & 0x0000ffff0000ffffu) << 16 | (word >> 16 & 0x0000ffff0000ffffu);
    return word << 32 | word >> 32;
#endif
}

/* Sums side by side, of 16 bits each. */
enum { N_LANES = 8 };
#if HAS_GNU_C
typedef int16_t lanes_t __attribute__((vector_size(2 * N_LANES)));
#else
typedef struct {
    int16_t lane[N_LANES];
} lanes_t;
#endif

/* Adds a number of 8 bits to each of them. What does not fit is cut off. */
ALWAYS_INLINE void lanes_add(lanes_t *lanes, const int8_t *numbers)
{
#if HAS_GNU_C
    typedef int8_t part __attribute__((vector_size(N_LANES)));
    part added;
    memcpy(&added, numbers, sizeof added);
    *lanes += __builtin_convertvector(added, lanes_t);
#else
    for (int i = 0; i < N_LANES; i++)
        lanes->lane[i] = (int16_t)(lanes->lane[i] + numbers[i]);
#endif
}

#endif
