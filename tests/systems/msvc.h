/* Workarounds for compiling with clang's MSVC target and MinGW headers, included before everything
 * else. The headers assume that only gcc has __attribute__, which clang's own headers need, put
 * __declspec where it is not allowed, and declare _setjmp differently from clang. */
#include <_mingw.h>

#undef __attribute__
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN

#include <setjmp.h>
#define _setjmp clang_setjmp
#include <intrin.h>
#undef _setjmp
