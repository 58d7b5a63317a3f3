/* The value of a state as a number, ordered as the side to move prefers it.
 *
 *   0 .. VALUE_DRAW - 1                 loss in 2v plies (0: no legal move)
 *   VALUE_DRAW                          draw
 *   VALUE_DRAW + 1 .. VALUE_WIN_IN_1    win in 2(VALUE_WIN_IN_1 - v) + 1 plies
 *   VALUE_NONE                          no value
 *
 * So a larger number is a better outcome. One ply earlier a value v becomes VALUE_WIN_IN_1 - v for
 * the other side, plus 1 if v was a win, since its distance grows. Without distances only 0,
 * VALUE_DRAW and VALUE_WIN_IN_1 occur.
 *
 * There are two sizes. Interfaces use 16-bit values. But hardly any distance exceeds what a byte
 * can represent, and solving and storing are bound by memory: dictionaries of tables and of
 * chunks hold bytes where they can, and files compiled with VALUE_BITS 8 use bytes only. value_t
 * is the type of the file that is compiled, value_8 or value_16; all constants and functions
 * here go with it. */
#ifndef EINSPUL_CORE_VALUE_H
#define EINSPUL_CORE_VALUE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef VALUE_BITS
#define VALUE_BITS 16
#endif

enum {
    BYTE_DRAW = 127,
    BYTE_WIN_IN_1 = 254,
    BYTE_NONE = 255,
    BYTE_MAX_PLIES = 252, /* the longest distance a byte can represent */
    WIDE_DRAW = 2047,
    WIDE_WIN_IN_1 = 4094,
    WIDE_NONE = 4095
};

typedef uint8_t value_8;
typedef uint16_t value_16;

#if VALUE_BITS == 8
#define value_t value_8
enum { VALUE_DRAW = BYTE_DRAW, VALUE_NONE = BYTE_NONE };
#else
#define value_t value_16
enum { VALUE_DRAW = WIDE_DRAW, VALUE_NONE = WIDE_NONE };
#endif

enum {
    VALUE_LOST = 0, /* loss in 0 */
    VALUE_WIN_IN_1 = 2 * VALUE_DRAW,
    VALUE_LONGEST_WIN = VALUE_DRAW + 1,  /* a ply before it is a loss too long to represent */
    VALUE_MAX_PLIES = 2 * VALUE_DRAW - 2 /* the longest distance */
};

static inline einspul_outcome value_outcome(value_t value)
{
    return value > VALUE_DRAW ? EINSPUL_WIN : value == VALUE_DRAW ? EINSPUL_DRAW : EINSPUL_LOSS;
}

/* Plies to the end of the game; -1 for a draw. */
static inline int value_plies(value_t value)
{
    if (value == VALUE_DRAW)
        return -1;
    return value < VALUE_DRAW ? 2 * value : 2 * (VALUE_WIN_IN_1 - value) + 1;
}

/* A win for odd plies, a loss for even ones, 0..VALUE_MAX_PLIES. */
static inline value_t value_from_plies(int plies)
{
    return (value_t)(plies % 2 != 0 ? VALUE_WIN_IN_1 - plies / 2 : plies / 2);
}

/* The value of a move for the mover if the position after it has the value `after` for the
 * opponent. */
static inline value_t value_before(value_t after)
{
    return (value_t)(VALUE_WIN_IN_1 - after + (after > VALUE_DRAW));
}

/* The error for a move after which the opponent has the longest win. */
static inline einspul_status value_too_long(einspul_error *error)
{
    return error_set(error, EINSPUL_TOO_LONG, "a loss in more than %d plies", VALUE_MAX_PLIES);
}

/* The error for a value that may be a draw by a limit of quiet play. */
static inline einspul_status value_open(einspul_error *error)
{
    return error_set(error, EINSPUL_ONLY_BOUNDS,
                     "decided, unless a draw by quiet play comes first: the tables tell only "
                     "bounds");
}

/* The value with its distance dropped. */
static inline value_t value_sign(value_t value)
{
    return value == VALUE_DRAW ? VALUE_DRAW : value > VALUE_DRAW ? VALUE_WIN_IN_1 : VALUE_LOST;
}

/* A 2K v 1K value under the limit of `limit` own moves for the two kings, `clock` plies after the
 * material arose: a win of the two kings that comes too late is a draw. `limit` 0: no limit. */
static inline value_t value_limited(value_t raw, int limit, int clock, bool two_kings_to_move)
{
    if (limit == 0)
        return raw;
    if (two_kings_to_move)
        return raw > VALUE_DRAW && value_plies(raw) > 2 * (limit - clock / 2) - 1 ? VALUE_DRAW
                                                                                  : raw;
    return raw < VALUE_DRAW && value_plies(raw) > 2 * (limit - (clock + 1) / 2) ? VALUE_DRAW : raw;
}

/* --- both sizes ------------------------------------------------------------------------------ */

/* The 16-bit value of a byte: losses are the same number, draws and wins are shifted up, wins twice
 * as far. */
static inline uint16_t wide_of_byte(uint8_t byte)
{
    const int further = WIDE_DRAW - BYTE_DRAW;
    return (uint16_t)(byte + (byte >= BYTE_DRAW) * further + (byte > BYTE_DRAW) * further);
}

/* Whether a 16-bit value fits in a byte: a draw, or at most BYTE_MAX_PLIES plies. */
static inline bool wide_fits_byte(uint16_t wide)
{
    return wide <= BYTE_MAX_PLIES / 2 || wide == WIDE_DRAW ||
           wide > WIDE_WIN_IN_1 - BYTE_MAX_PLIES / 2;
}

/* The byte of a 16-bit value that fits. */
static inline uint8_t byte_of_wide(uint16_t wide)
{
    const int further = WIDE_DRAW - BYTE_DRAW;
    return (uint8_t)(wide - (wide >= WIDE_DRAW) * further - (wide > WIDE_DRAW) * further);
}

/* The sign of a value in a byte, as value_sign. */
static inline uint8_t byte_sign(uint8_t byte)
{
    return byte == BYTE_DRAW ? BYTE_DRAW : byte > BYTE_DRAW ? BYTE_WIN_IN_1 : VALUE_LOST;
}

static inline value_t value_of_byte(uint8_t byte)
{
    return sizeof(value_t) == 1 ? (value_t)byte : (value_t)wide_of_byte(byte);
}

/* Conversions from value_t to a byte and to 16 bits; the value must fit. */
static inline uint8_t byte_of_value(value_t value)
{
    return sizeof(value_t) == 1 ? (uint8_t)value : byte_of_wide(value);
}

static inline value_t value_of_wide(uint16_t wide)
{
    return sizeof(value_t) == 1 ? (value_t)byte_of_wide(wide) : (value_t)wide;
}

static inline uint16_t wide_of_value(value_t value)
{
    return sizeof(value_t) == 1 ? wide_of_byte((uint8_t)value) : value;
}

/* --- values in dictionaries, of one byte or two ----------------------------------------------- */

/* The 16-bit value at an index of an array, in the machine's byte order. */
static inline uint16_t wide_load(const void *values, size_t at)
{
    uint16_t wide;
    memcpy(&wide, (const uint8_t *)values + 2 * at, sizeof wide);
    return wide;
}

/* The value at an index of an array of values of `n_bytes` bytes, two bytes in the machine's
 * order. */
static inline value_t value_load(const void *values, int n_bytes, size_t at)
{
    return n_bytes == 1 ? value_of_byte(((const uint8_t *)values)[at])
                        : value_of_wide(wide_load(values, at));
}

/* Sets the value at an index. */
static inline void value_store(void *values, int n_bytes, size_t at, value_t value)
{
    const uint16_t wide = wide_of_value(value);
    if (n_bytes == 1)
        ((uint8_t *)values)[at] = byte_of_value(value);
    else
        memcpy((uint8_t *)values + 2 * at, &wide, sizeof wide);
}

/* Copies `n` values between arrays of the same or different sizes; all values must fit. */
static inline void values_copy(void *to, int to_bytes, const void *from, int from_bytes, size_t n)
{
    if (to_bytes == from_bytes)
        memcpy(to, from, n * (size_t)to_bytes);
    else
        for (size_t i = 0; i < n; i++)
            value_store(to, to_bytes, i, value_load(from, from_bytes, i));
}

/* Sets `n` values. */
static inline void values_fill(value_t *values, value_t value, size_t n)
{
    if (sizeof(value_t) == 1)
        memset(values, value, n);
    else
        for (size_t i = 0; i < n; i++)
            values[i] = value;
}

#endif
