/* Code that is compiled twice: for values of one byte and of two (core/value.h).
 *
 * Such code stands in files named *_template.h. A file *_8.c and a file *_16.c each set
 * VALUE_BITS before anything else and include the templates; in them value_t is value_8 or
 * value_16, all functions are static, and what is seen outside has a name for each size:
 * SIZED(name). That is only the table of functions at the end of a template. Headers that
 * templates include hold no value_t in a struct. */
#ifndef EINSPUL_GEN_VALUES_SIZED_H
#define EINSPUL_GEN_VALUES_SIZED_H

#include "core/value.h"

#if VALUE_BITS == 8
#define SIZED(name) name##_8
#else
#define SIZED(name) name##_16
#endif

#endif
