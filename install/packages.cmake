# What `cpack -G DEB` makes of a build configured with -D CMAKE_INSTALL_PREFIX=/usr: packages of the
# library, of what links it, and of the program, as Debian divides them.
set(CPACK_PACKAGE_NAME einspul)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Endgame tables for Frisian, international and English draughts")
set(CPACK_PACKAGE_CONTACT "The maintainers of einspul <maintainers@einspul.invalid>")
set(CPACK_PACKAGE_FILE_NAME einspul-${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL library development program)

set(so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION games)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libeinspul${so_version})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "The shared library. Answers who wins a position of few pieces, and in how many plies, from tables on disk.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libeinspul-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libeinspul${so_version} (= ${PROJECT_VERSION}), libzstd-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Development files: header, static library, and what CMake and pkg-config need.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME einspul)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "The program. Generates, verifies and compresses tables, answers from them on the command line, over HTTP and as a Hub engine.")

# Only in packages: each has its licence where Debian looks for it.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright EXCLUDE_FROM_ALL
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
    COMPONENT ${component})
endforeach()

include(CPack)
