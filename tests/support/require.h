/* What a test takes for granted: where it is not so, a message and the end of the program, which is
 * a failure of any test. */
#ifndef EINSPUL_TESTS_SUPPORT_REQUIRE_H
#define EINSPUL_TESTS_SUPPORT_REQUIRE_H

#include <stdbool.h>

#define must(truth, ...) ((truth) ? (void)0 : must_not_be(__FILE__, __LINE__, __VA_ARGS__))

/* Does not come back. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), noreturn))
#endif
void must_not_be(const char *file, int line, const char *format, ...);

#endif
