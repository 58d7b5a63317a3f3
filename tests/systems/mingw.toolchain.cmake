# MinGW-w64 of the distribution, for 64-bit Windows, with POSIX threads: OpenMP needs them. Programs
# are linked statically, so that they run wherever they are copied.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)
# The first of OpenMP's two libraries found is a DLL.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a
  OUTPUT_VARIABLE EINSPUL_GOMP OUTPUT_STRIP_TRAILING_WHITESPACE)
set(OpenMP_gomp_LIBRARY ${EINSPUL_GOMP} CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
