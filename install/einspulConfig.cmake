# Targets: einspul::einspul, the shared library, and einspul::einspul_static, which needs these two.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(zstd CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/einspulTargets.cmake)
