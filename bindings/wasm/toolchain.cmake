# clang and wasi-libc of the distribution, for 32-bit WebAssembly.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(EINSPUL_CLANG NAMES clang clang-14 clang-15 clang-16 clang-19 REQUIRED)
set(CMAKE_C_COMPILER ${EINSPUL_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
