/* Preconditions of a test: if one does not hold, the program prints a message and aborts, which
 * fails any test. */
#ifndef EINSPUL_TESTS_SUPPORT_REQUIRE_H
#define EINSPUL_TESTS_SUPPORT_REQUIRE_H

#include <stdbool.h>

#define must(truth, ...) ((truth) ? (void)0 : must_not_be(__FILE__, __LINE__, __VA_ARGS__))

/* Does not return. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), noreturn))
#endif
void must_not_be(const char *file, int line, const char *format, ...);

#endif
