// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source places in the compiler's form, and in other forms.
#include <teff/frontends/openmp/core/environment/warning.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

std::string shown(const char* described) {
    char storage[64];
    teff::bounded_text text(storage);
    teff::openmp::add_source_place(text, described);
    return std::string(text.view());
}

TEST(openmp_source_place, shows_file_line_and_column) {
    EXPECT_EQ(shown(";a file.c;main;12;3;;"), "a file.c:12:3");
    EXPECT_EQ(shown(";f;;0;0;;"), "f:0:0");
}

TEST(openmp_source_place, of_another_form_is_unknown) {
    for (const char* const other : {static_cast<const char*>(nullptr), "", "file.c", ";file.c;main;12"})
        EXPECT_EQ(shown(other), "unknown");
}

}  // namespace
