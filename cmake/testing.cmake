# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How a folder of the tree declares its tests. Without TEFF_BUILD_TESTS (and in the model build)
# both functions do nothing.
#
#   teff_unit_test(a_test.cpp b_test.cpp)
#       adds the sources to the one program teff_unit_tests; each of its cases is a CTest test with label `unit`, but
#       under a sanitizer, where many share one.
#   teff_test_executable(NAME n SOURCES ... [LABELS ...] [TIMEOUT seconds] [LIBRARIES ...] [SHARDS n]
#           [NO_GTEST] [NO_TEFF])
#       a program of its own. Each of its cases is a CTest test; with SHARDS they are dealt out to so many; with
#       NO_GTEST the program has its own main() and is one test.
#
# Tests link the archive teff_internals, which holds the library's objects before its symbols are hidden; with NO_TEFF
# only what LIBRARIES names. In a sanitizer build every test also carries the label asan or tsan. A test that runs into
# its time limit reports what the workers do (tests/main.cpp) just before CTest would kill it.
if(TEFF_BUILD_TESTS)
    enable_testing()
endif()
if(NOT TEFF_BUILD_TESTS OR TEFF_MODEL)
    function(teff_unit_test)
    endfunction()
    function(teff_test_executable)
    endfunction()
    return()
endif()

find_package(GTest REQUIRED)
include(GoogleTest)

set(teff_build_label "")
if(TEFF_SANITIZE MATCHES address)
    set(teff_build_label asan)
elseif(TEFF_SANITIZE MATCHES thread)
    set(teff_build_label tsan)
endif()

# Registers the cases of a GoogleTest program in so many CTest tests, where a process for each would cost more than the
# cases.
function(teff_add_shards target prefix labels timeout shards)
    # For each case, while the timeout is that of a whole shard. Both are against tests that hang, and far above what a
    # test takes under ThreadSanitizer beside other programs.
    set(limit_s 300)
    foreach(shard RANGE 1 ${shards})
        math(EXPR index "${shard} - 1")
        set(name ${prefix}shard_${shard}_of_${shards})
        add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
        set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
            ENVIRONMENT "TEST_LIMIT_S=${limit_s};GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
    endforeach()
endfunction()

# Registers each of them as a CTest test. gtest_discover_tests splits a list among its PROPERTIES, so the labels
# are set by a file of their own that CTest reads after the discovery.
function(teff_discover_cases target prefix labels timeout)
    math(EXPR limit_s "${timeout} - 5")
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX "${prefix}"
        PROPERTIES TIMEOUT ${timeout} ENVIRONMENT TEST_LIMIT_S=${limit_s})
    set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
    file(CONFIGURE OUTPUT ${labels_file} @ONLY CONTENT
        [[if(@target@_TESTS)
    set_tests_properties(${@target@_TESTS} PROPERTIES LABELS "@labels@")
endif()
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()

# What a test shows does not depend on how well it is optimised itself, and compiling is most of a test run: the release
# build's tests are at -O1, which takes two thirds of the time of -O2, those of the sanitizers at -O0. The stress tests,
# the benchmark runners and the library's own sources are as the build says.
set(teff_test_options $<$<CONFIG:Release>:-O1>)
if(TEFF_SANITIZE)
    set(teff_test_options -O0)
endif()

# With the precompiled header of all tests that are compiled with these options.
add_library(teff_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp)
target_link_libraries(teff_test_main PUBLIC teff_internals GTest::gtest)
# From the archive a program gets the loader of the collector only if it asks for it (teff/reclaim).
target_link_options(teff_test_main PUBLIC LINKER:--undefined=teff_load_collector)
target_compile_options(teff_test_main PRIVATE ${teff_test_options})
target_compile_definitions(teff_test_main PRIVATE TEFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
teff_precompile(teff_test_main PRIVATE <gtest/gtest.h>)

add_executable(teff_unit_tests ${PROJECT_SOURCE_DIR}/tests/thread_sanitizer_options.cpp)
target_link_libraries(teff_unit_tests PRIVATE teff_test_main)
target_compile_options(teff_unit_tests PRIVATE ${teff_test_options})
# Small ones are compiled together. Those of structures are not small, and use the same names.
set_target_properties(teff_unit_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
teff_precompile(teff_unit_tests REUSE_FROM teff_test_main)
target_compile_definitions(teff_unit_tests PRIVATE TEFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
if(TEFF_SANITIZE)
    # To start under a sanitizer takes longer than most of these cases.
    teff_add_shards(teff_unit_tests unit/ "unit;${teff_build_label}" 900 8)
else()
    teff_discover_cases(teff_unit_tests "" unit 120)
endif()

function(teff_unit_test)
    target_sources(teff_unit_tests PRIVATE ${ARGN})
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/queue$")
        set_source_files_properties(${ARGN} TARGET_DIRECTORY teff_unit_tests
            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()

function(teff_test_executable)
    cmake_parse_arguments(PARSE_ARGV 0 test "NO_GTEST;NO_TEFF" "NAME;TIMEOUT;SHARDS" "SOURCES;LABELS;LIBRARIES")
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 120)
    endif()
    set(labels ${test_LABELS} ${teff_build_label})
    add_executable(${test_NAME} ${test_SOURCES})
    if(NOT stress IN_LIST labels)
        target_compile_options(${test_NAME} PRIVATE ${teff_test_options})
        if(NOT test_NO_GTEST AND NOT test_NO_TEFF)
            teff_precompile(${test_NAME} REUSE_FROM teff_test_main)
        endif()
    endif()
    target_compile_definitions(${test_NAME} PRIVATE TEFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    if(CMAKE_CROSSCOMPILING_EMULATOR)
        target_compile_definitions(${test_NAME} PRIVATE TEFF_EMULATED)
    endif()
    target_link_libraries(${test_NAME} PRIVATE $<$<NOT:$<BOOL:${test_NO_TEFF}>>:teff_internals> ${test_LIBRARIES})
    if(test_NO_GTEST)
        add_test(NAME ${test_NAME} COMMAND ${test_NAME})
        set_tests_properties(${test_NAME} PROPERTIES
            LABELS "${labels}" TIMEOUT ${test_TIMEOUT})
    else()
        if(test_NO_TEFF)
            target_link_libraries(${test_NAME} PRIVATE GTest::gtest_main)
        else()
            target_link_libraries(${test_NAME} PRIVATE teff_test_main GTest::gtest)
        endif()
        if(test_SHARDS)
            teff_add_shards(${test_NAME} ${test_NAME}/ "${labels}" ${test_TIMEOUT} ${test_SHARDS})
        else()
            teff_discover_cases(${test_NAME} ${test_NAME}/ "${labels}" ${test_TIMEOUT})
        endif()
    endif()
endfunction()

# A program of one source in C, compiled by the build's C++ compiler, so that the build needs no other one.
function(teff_c_executable name source include_directory)
    set(sanitize "")
    if(TEFF_SANITIZE)
        set(sanitize -fsanitize=${TEFF_SANITIZE})
    endif()
    add_custom_command(OUTPUT ${name}.o
        COMMAND ${CMAKE_CXX_COMPILER} -x c -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror ${sanitize}
            -I${include_directory} -MD -MF ${name}.d -MT ${name}.o -c ${source} -o ${name}.o
        DEPENDS ${source} DEPFILE ${name}.d
        VERBATIM)
    add_executable(${name} ${name}.o)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
