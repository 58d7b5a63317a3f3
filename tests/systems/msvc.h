/* Read before everything else where clang checks sources for Microsoft's system, for MinGW's
 * headers stand in for Microsoft's. They take a compiler that is not gcc for one without
 * __attribute__, which clang's own headers need, put __declspec where it may not stand, and
 * declare _setjmp otherwise than clang does. */
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
