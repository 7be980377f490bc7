# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs to try `teff run` on, for its tests: one that no library can be loaded into, one that has functions of an
# OpenMP runtime inside, and one that asks for another runtime by a name that Teff's does not have.
add_executable(teff_sample_static run/sample.cpp)
target_link_options(teff_sample_static PRIVATE -static)

add_executable(teff_sample_inside run/sample.cpp run/sample_runtime.cpp)

add_library(teff_sample_runtime SHARED run/sample_runtime.cpp)
set_target_properties(teff_sample_runtime PROPERTIES OUTPUT_NAME gomp-0a1b2c3d)
add_executable(teff_sample_other run/sample.cpp)
target_compile_definitions(teff_sample_other PRIVATE CALLS_RUNTIME)
target_link_libraries(teff_sample_other PRIVATE teff_sample_runtime)

foreach(sample IN ITEMS static inside other runtime)
    add_dependencies(teff_command_tests teff_sample_${sample})
    string(TOUPPER ${sample} name)
    target_compile_definitions(teff_command_tests PRIVATE
        TEFF_SAMPLE_${name}="$<TARGET_FILE:teff_sample_${sample}>")
endforeach()
