# Targets: einspul::einspul, the shared library, which needs nothing else; and einspul::einspul_static,
# defined if zstd and threads are found; require it with COMPONENTS static.
include(${CMAKE_CURRENT_LIST_DIR}/einspulTargets.cmake)

find_package(Threads QUIET)
include(${CMAKE_CURRENT_LIST_DIR}/einspulZstd.cmake)
if(TARGET Threads::Threads AND TARGET zstd::libzstd_shared)
  include(${CMAKE_CURRENT_LIST_DIR}/einspulStaticTargets.cmake)
elseif(einspul_FIND_REQUIRED_static)
  set(einspul_FOUND FALSE)
  set(einspul_NOT_FOUND_MESSAGE "einspul::einspul_static needs zstd and threads, which are not found")
endif()
