# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Warnings, and the sanitizers a preset asks for; both hold for every target of the tree.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)

if(TEFF_SANITIZE)
    # recover=all off: the first report ends the program, so that a test cannot pass with a report on its stderr.
    add_compile_options(-fsanitize=${TEFF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TEFF_SANITIZE})
endif()

if(TEFF_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
