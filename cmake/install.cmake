# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` gives: headers, library, CMake package and .pc files here; the command and the benchmark runners
# are installed by their own folders.
include(CMakePackageConfigHelpers)

# The components, which are also the packages: runtime (what programs need), development, command, mpi and mpi_dataflow
# (the libraries for many machines), and runners, which has no package.
set(objects teff)
set(namelink NAMELINK_COMPONENT development)
if(TARGET teff_core)
    list(APPEND objects teff_core)
    # Functions of the core are called from headers, and the linker takes functions only from libraries that it was
    # given. So what `-lteff` finds is a line for the linker that names both.
    set(namelink NAMELINK_SKIP)
    set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/libteff.so.txt @ONLY
        CONTENT "/* GNU ld script */\nINPUT(libteff.so.@soversion@ AS_NEEDED(libteff-core.so.@soversion@))\n")
    install(FILES ${PROJECT_BINARY_DIR}/libteff.so.txt DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libteff.so
        COMPONENT development)
endif()
# The archive beside the shared library.
get_target_property(has_no_archive teff_internals EXCLUDE_FROM_ALL)
if(NOT has_no_archive)
    list(APPEND objects teff_internals)
endif()
install(TARGETS ${objects} EXPORT TeffTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime ${namelink}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/teff DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# The library's headers that the public ones include. The prefix is known at installation only.
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${header_folder})
    string(PREPEND header_folder "\${CMAKE_INSTALL_PREFIX}/")
endif()
install(CODE "set(source_folder \"${PROJECT_SOURCE_DIR}\")
    set(header_folder \"${header_folder}\")" COMPONENT development)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT development)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Teff)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TeffConfig.cmake.in ${PROJECT_BINARY_DIR}/TeffConfig.cmake
    INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TeffConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TeffConfig.cmake ${PROJECT_BINARY_DIR}/TeffConfigVersion.cmake
    DESTINATION ${package_directory} COMPONENT development)
if(TARGET teff_mpi)
    install(EXPORT TeffMpiTargets NAMESPACE Teff:: DESTINATION ${package_directory} COMPONENT mpi)
endif()
if(TARGET teff_mpi_dataflow)
    install(EXPORT TeffMpiDataflowTargets NAMESPACE Teff:: DESTINATION ${package_directory} COMPONENT mpi_dataflow)
endif()
install(EXPORT TeffTargets NAMESPACE Teff:: DESTINATION ${package_directory} COMPONENT development)

# The .pc files find their prefix from their own place, so that an installed tree can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
get_target_property(definitions teff INTERFACE_COMPILE_DEFINITIONS)
set(pc_definitions "")
if(definitions)
    list(TRANSFORM definitions PREPEND " -D")
    list(JOIN definitions "" pc_definitions)
endif()
# teff_install_pc(name component)
function(teff_install_pc name component)
    configure_file(${PROJECT_SOURCE_DIR}/packaging/pkgconfig/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()
teff_install_pc(teff development)
if(TARGET teff_openmp)
    teff_install_pc(teff-omp development)
endif()
if(TARGET teff_mpi)
    teff_install_pc(teff-mpi mpi)
endif()
if(TARGET teff_mpi_dataflow)
    teff_install_pc(teff-mpi-dataflow mpi_dataflow)
endif()
