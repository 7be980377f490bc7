# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a build cannot do without. All that is missing is named at once, with the package that has it.
set(missing "")
# teff_require(found-or-not text): a variable that is true if it was found.
macro(teff_require variable text)
    if(NOT ${variable})
        string(APPEND missing "\n  ${text}")
    endif()
endmacro()

# The switch between the stacks of fibers: as an archive, so that no program needs Boost when it runs. Where a
# distribution has no archive of it, the shared library does, and is then needed.
find_library(TEFF_BOOST_CONTEXT NAMES libboost_context.a boost_context)
find_path(TEFF_BOOST_INCLUDE boost/context/detail/fcontext.hpp)
set(has_boost_context OFF)
if(TEFF_BOOST_CONTEXT AND TEFF_BOOST_INCLUDE)
    set(has_boost_context ON)
endif()
teff_require(has_boost_context "Boost.Context (Debian: libboost-context-dev). If it is elsewhere, set TEFF_BOOST_CONTEXT \
to its libboost_context.a and TEFF_BOOST_INCLUDE to the folder that has boost/")

if(TEFF_BUILD_CLI)
    set(for_command "for the command; TEFF_BUILD_CLI=OFF builds without it")
    find_package(CLI11 QUIET)
    find_package(fmt QUIET)
    find_package(nlohmann_json QUIET)
    teff_require(CLI11_FOUND "CLI11 (Debian: libcli11-dev), ${for_command}")
    teff_require(fmt_FOUND "fmt (Debian: libfmt-dev), ${for_command}")
    teff_require(nlohmann_json_FOUND "nlohmann-json (Debian: nlohmann-json3-dev), ${for_command}")
endif()
if(TEFF_BUILD_TESTS AND NOT TEFF_MODEL)
    find_package(GTest QUIET)
    teff_require(GTest_FOUND "GoogleTest (Debian: libgtest-dev), for the tests; TEFF_BUILD_TESTS=OFF builds without them")
endif()

if(missing)
    message(FATAL_ERROR "Teff needs the following, which was not found:${missing}\n"
        "CMake also looks in the folders of CMAKE_PREFIX_PATH.")
endif()
