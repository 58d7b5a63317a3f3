/* Code that is compiled twice: for values of one byte and of two (core/value.h).
 *
 * Such code stands in files named *_template.h. A file *_8.c and a file *_16.c each set VALUE_BITS
 * before anything else and include the templates; in them value_t is a byte or two, all functions are
 * static, and what has another size has another name: SIZED(name). No other header of the generator
 * may hold a value_t in a struct. Only the tables of functions that stand at the end of the templates
 * are seen outside. */
#ifndef EINSPUL_GEN_VALUES_SIZED_H
#define EINSPUL_GEN_VALUES_SIZED_H

#include "core/value.h"

#if VALUE_BITS == 8
#define SIZED(name) name##_8
#else
#define SIZED(name) name##_16
#endif

#endif
