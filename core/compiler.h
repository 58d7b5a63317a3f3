/* Language extensions, which differ between compilers: format checks, forced inlining, prefetches,
 * vectors; bit operations are in core/bits.h. gcc and clang use their own; other compilers, such as
 * Microsoft's, and builds with EINSPUL_PLAIN_C use plain C with the same results. Atomics are those
 * of C17; Microsoft's compiler needs /experimental:c11atomics for them. */
#ifndef EINSPUL_CORE_COMPILER_H
#define EINSPUL_CORE_COMPILER_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(EINSPUL_PLAIN_C)
#define HAS_GNU_C 1
#else
#define HAS_GNU_C 0
#endif

/* Declares a printf-like function: `format_at` is the index of the format argument, `first` that of
 * the first value (0 for a va_list). On MinGW the C standard's formats are checked, not
 * Windows'. */
#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_LIKE(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define PRINTF_LIKE(format_at, first)
#endif

/* PREFETCH is a hint, safe to ignore: this memory will be read soon. */
#if HAS_GNU_C
#define ALWAYS_INLINE     static inline __attribute__((always_inline))
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define ALWAYS_INLINE     static inline
#define PREFETCH(address) ((void)(address))
#endif

#endif
