// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/options.md is the page that is generated from the option table.
#include <teff/options/option_table.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string generated() {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const stream = ::open_memstream(&text, &size);
    EXPECT_TRUE(teff::write_option_document(stream));
    std::fclose(stream);
    std::string result(text, size);
    std::free(text);
    return result;
}

TEST(option_document, names_every_option_and_choice) {
    const std::string page = generated();
    for (const teff::option_row& each : teff::option_table()) {
        EXPECT_NE(page.find(std::string("| `") + each.name + "` | `" + each.variable + "` |"), std::string::npos);
        EXPECT_NE(page.find(each.sentence), std::string::npos);
    }
    EXPECT_NE(page.find("| `blaze` |"), std::string::npos);
}

TEST(option_document, is_the_page_in_the_tree) {
    std::ifstream file(TEFF_SOURCE_DIR "/docs/options.md");
    ASSERT_TRUE(file.is_open());
    const std::string written((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_EQ(written, generated()) << "write it anew with the program of the target teff_option_document";
}

TEST(option_document, reports_that_writing_failed) {
    std::FILE* const full = std::fopen("/dev/full", "w");
    if (full == nullptr)
        GTEST_SKIP() << "this system has no /dev/full";
    std::setvbuf(full, nullptr, _IONBF, 0);
    EXPECT_FALSE(teff::write_option_document(full));
    std::fclose(full);
}

}  // namespace
