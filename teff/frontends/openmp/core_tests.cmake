# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests of the sources in core/, in programs that are linked with their object files (core_objects). Those of the
# other folders have versioned symbols, which only a shared object can have; tests/openmp calls them.
list(FILTER openmp_tests INCLUDE REGEX "^core/")
if(openmp_tests)
    teff_test_executable(NAME teff_openmp_tests SOURCES ${openmp_tests} LABELS unit)
endif()
if(openmp_stress_tests)
    teff_test_executable(NAME teff_openmp_stress SOURCES ${openmp_stress_tests} LABELS stress TIMEOUT 300)
endif()
foreach(program IN ITEMS teff_openmp_tests teff_openmp_stress)
    if(TARGET ${program})
        target_sources(${program} PRIVATE ${core_objects})
    endif()
endforeach()
if(TARGET teff_openmp_tests)
    set_target_properties(teff_openmp_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
endif()
