/* Texts as UTF-8: decoded, repaired. Thread-safe. */
#ifndef EINSPUL_STUDY_UTF8_H
#define EINSPUL_STUDY_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Decodes one UTF-8 character and stores its length; NO_CHARACTER with length 1 for an invalid
 * byte. `n_left` is 1 or more. */
enum { NO_CHARACTER = -1 };
int32_t utf8_decode(const char *at, size_t n_left, size_t *n_bytes);

/* The text as valid UTF-8, with U+FFFD in place of invalid bytes; ended by a zero byte that
 * *n_bytes does not count. Free it with free(); NULL if out of memory. */
char *utf8_valid(const char *text, size_t *n_bytes);

#endif
