# Defines zstd::libzstd_shared if zstd is found: by its CMake package (absent from several distributions),
# by pkg-config, or by a plain search. Used by the build and by the installed package.
if(NOT TARGET zstd::libzstd_shared)
  find_package(zstd CONFIG QUIET)
endif()
if(NOT TARGET zstd::libzstd_shared AND TARGET zstd::libzstd_static)
  # zstd was installed without the shared library
  add_library(zstd::libzstd_shared INTERFACE IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES
    INTERFACE_LINK_LIBRARIES zstd::libzstd_static)
endif()
if(NOT TARGET zstd::libzstd_shared)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(EINSPUL_PC_ZSTD QUIET libzstd)
  endif()
  find_path(EINSPUL_ZSTD_INCLUDE_DIR zstd.h HINTS ${EINSPUL_PC_ZSTD_INCLUDE_DIRS})
  find_library(EINSPUL_ZSTD_LIBRARY NAMES zstd zstd_static HINTS ${EINSPUL_PC_ZSTD_LIBRARY_DIRS})
  mark_as_advanced(EINSPUL_ZSTD_INCLUDE_DIR EINSPUL_ZSTD_LIBRARY)
  if(EINSPUL_ZSTD_INCLUDE_DIR AND EINSPUL_ZSTD_LIBRARY)
    add_library(zstd::libzstd_shared UNKNOWN IMPORTED)
    set_target_properties(zstd::libzstd_shared PROPERTIES
      IMPORTED_LOCATION "${EINSPUL_ZSTD_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${EINSPUL_ZSTD_INCLUDE_DIR}")
  endif()
endif()
