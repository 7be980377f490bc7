# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings, and the sanitizers a preset asks for; both hold for every target of the tree. Precompiled headers.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_COMPILE_WARNING_AS_ERROR AND CMAKE_VERSION VERSION_LESS 3.24)
    add_compile_options(-Werror)  # newer ones do so themselves
endif()

if(TEFF_SANITIZE)
    # recover=all off: the first report ends the program, so that a test cannot pass with a report on its stderr.
    add_compile_options(-fsanitize=${TEFF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TEFF_SANITIZE})
endif()

# teff_precompile(target PRIVATE header...), teff_precompile(target REUSE_FROM another): half of the time that a small
# source takes to compile are such headers. GCC no longer knows them for system headers then, and of its optimiser's
# warnings these are wrong in there.
function(teff_precompile target)
    target_precompile_headers(${target} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
    else()
        target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
    endif()
endfunction()
