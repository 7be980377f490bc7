# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What all examples' projects are: an optimised program of one source, with the library. The project that includes this
# file has the name of the program.
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
find_package(Teff CONFIG REQUIRED)
add_executable(${PROJECT_NAME} ${PROJECT_NAME}.cpp)
target_link_libraries(${PROJECT_NAME} PRIVATE Teff::teff)
