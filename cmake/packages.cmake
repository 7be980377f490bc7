# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packages of an installation: `make deb`, or `cpack -G DEB` or `cpack -G TGZ` in a build folder. On Debian the
# components become libteffX.Y (what programs need), teff-openmp, libteff-dev and teff (the command).
set(CPACK_PACKAGE_NAME teff)
set(CPACK_PACKAGE_VENDOR "The Teff project")
set(CPACK_PACKAGE_CONTACT "The Teff project <teff@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(library_package libteff${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_COMPONENTS_ALL runtime development)
set(package_names ${library_package} libteff-dev)
set(needed "${library_package} (= ${PROJECT_VERSION})")
if(TARGET teff_openmp)
    list(APPEND CPACK_COMPONENTS_ALL openmp)
    list(APPEND package_names teff-openmp)
    set(CPACK_DEBIAN_OPENMP_PACKAGE_DEPENDS "${needed}")
    string(APPEND needed ", teff-openmp (= ${PROJECT_VERSION})")
endif()
if(TARGET teff_cli)
    list(APPEND CPACK_COMPONENTS_ALL command)
    list(APPEND package_names teff)
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${needed}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${needed}")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libteff-dev)
set(CPACK_DEBIAN_OPENMP_PACKAGE_NAME teff-openmp)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME teff)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_OPENMP_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The shared libraries as programs need them
when they run: libteff and the interface of Qthreads.")
set(CPACK_COMPONENT_OPENMP_DESCRIPTION "The OpenMP runtime. Programs in C, C++ and
Fortran that were compiled for GNU's or LLVM's OpenMP runtime run on this one
when the command teff starts them. It lies in a folder of its own, where no
program finds it by itself.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "What is needed to build programs with Teff
in C++20: headers, and the files for CMake and pkg-config.")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The command teff: it starts OpenMP programs on
Teff, tells what the runtime sees of the machine, draws task graphs, and runs the
library on simulated processors.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libgc1")
# The versions of libc and libstdc++ that the files ask for.
find_program(TEFF_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TEFF_DPKG_SHLIBDEPS)
if(TEFF_DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
endif()
# Which package has the libraries that another package's programs need; and the loader is told of them (ldconfig).
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

# Where Debian looks for the terms of each package.
foreach(component package IN ZIP_LISTS CPACK_COMPONENTS_ALL package_names)
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
            COMPONENT ${component})
    endif()
endforeach()
include(CPack)
