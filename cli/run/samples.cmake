# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs to try `teff run` on, for its tests. One that no library can be loaded into, one that has functions of an
# OpenMP runtime inside, and one that asks for another runtime by a name that Teff's does not have:
add_executable(teff_sample_static run/sample.cpp)
target_link_options(teff_sample_static PRIVATE -static)

add_executable(teff_sample_inside run/sample.cpp run/sample_runtime.cpp)

add_library(teff_sample_runtime SHARED run/sample_runtime.cpp)
set_target_properties(teff_sample_runtime PROPERTIES OUTPUT_NAME gomp-0a1b2c3d)
add_executable(teff_sample_other run/sample.cpp)
target_compile_definitions(teff_sample_other PRIVATE CALLS_RUNTIME)
target_link_libraries(teff_sample_other PRIVATE teff_sample_runtime)

# One that uses OpenMP.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fopenmp)
check_cxx_source_compiles("#include <omp.h>\nint main() { return omp_get_num_threads() - 1; }" TEFF_SAMPLE_HAS_OPENMP)
unset(CMAKE_REQUIRED_FLAGS)
if(TEFF_SAMPLE_HAS_OPENMP)
    add_executable(teff_sample_openmp run/sample_openmp.cpp)
    target_compile_options(teff_sample_openmp PRIVATE -fopenmp)
    target_link_options(teff_sample_openmp PRIVATE -fopenmp)
    list(APPEND with_openmp openmp)
endif()

foreach(sample IN ITEMS static inside other runtime ${with_openmp})
    add_dependencies(teff_command_tests teff_sample_${sample})
    string(TOUPPER ${sample} name)
    target_compile_definitions(teff_command_tests PRIVATE
        TEFF_SAMPLE_${name}="$<TARGET_FILE:teff_sample_${sample}>")
endforeach()
