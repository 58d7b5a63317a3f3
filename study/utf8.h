/* Text from outside, which may be no UTF-8. */
#ifndef EINSPUL_STUDY_UTF8_H
#define EINSPUL_STUDY_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at `at`, and in *n_bytes how long it is; NO_CHARACTER, one byte long, where there
 * is none. `n_left` is 1 or more. */
enum { NO_CHARACTER = -1 };
int32_t utf8_decode(const char *at, size_t n_left, size_t *n_bytes);

/* The text as valid UTF-8, with U+FFFD in place of invalid bytes; ended by a zero byte that
 * *n_bytes does not count. In memory to be freed; NULL without memory. */
char *utf8_valid(const char *text, size_t *n_bytes);

/* The same of UTF-16, without its byte order mark. */
char *utf8_of_utf16(const char *text, bool low_first, size_t *n_bytes);

#endif
