# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packages of an installation: `make deb`, or `cpack -G DEB` or `cpack -G TGZ` in a build folder. On Debian the
# components become libteffX.Y (what programs need), teff-openmp, libteff-dev, teff (the command), libteff-mpi and
# libteff-mpi-dataflow (the libraries for many machines, each with what is needed to build programs with it).
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
set(on_same_library "${library_package} (= ${PROJECT_VERSION})")
set(needed "${on_same_library}")
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
if(TARGET teff_mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    list(APPEND package_names libteff-mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${on_same_library}")
endif()
if(TARGET teff_mpi_dataflow)
    list(APPEND CPACK_COMPONENTS_ALL mpi_dataflow)
    list(APPEND package_names libteff-mpi-dataflow)
    set(CPACK_DEBIAN_MPI_DATAFLOW_PACKAGE_DEPENDS "${on_same_library}, libteff-mpi (= ${PROJECT_VERSION})")
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
set(CPACK_DEBIAN_MPI_PACKAGE_NAME libteff-mpi)
set(CPACK_DEBIAN_MPI_DATAFLOW_PACKAGE_NAME libteff-mpi-dataflow)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_OPENMP_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MPI_DATAFLOW_PACKAGE_SECTION libs)
# Their headers are in libteff-dev.
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "libteff-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_DATAFLOW_PACKAGE_RECOMMENDS "libteff-dev (= ${PROJECT_VERSION})")
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
set(CPACK_COMPONENT_MPI_DESCRIPTION "The library for many machines: the ranks of an MPI
program share the tasks of a reduction.")
set(CPACK_COMPONENT_MPI_DATAFLOW_DESCRIPTION "Dataflow on many machines: tasks on objects that
ranks own, by StarPU-MPI.")
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
