# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The options: their table, the values, and the page that documents them.
target_sources(${core} PRIVATE
    bounded_text.cpp
    nearest_name.cpp
    option_environment.cpp
    option_table.cpp
    options.cpp)
target_sources(teff PRIVATE option_document.cpp)

teff_unit_test(
    bounded_text_test.cpp
    nearest_name_test.cpp
    option_document_test.cpp
    option_environment_test.cpp
    option_table_test.cpp
    options_test.cpp)

# Writes docs/options.md to its standard output.
add_executable(teff_option_document EXCLUDE_FROM_ALL option_document_main.cpp)
target_link_libraries(teff_option_document PRIVATE teff)
