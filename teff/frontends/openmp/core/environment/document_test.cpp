// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/openmp_environment.md is made from the table of variables. To regenerate it, run this test with the variable
// WRITE_OPENMP_ENVIRONMENT set to the path of the page.
#include <teff/frontends/openmp/core/environment/variables.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

using namespace teff::openmp::environment;

constexpr const char* opening =
    "# The environment of OpenMP programs\n"
    "\n"
    "This page is made from the table of variables (`teff/frontends/openmp/core/environment/variables.cpp`); a test\n"
    "compares the two, and its first comment says how to write the page anew.\n"
    "\n"
    "The variables are read at the program's first use of OpenMP. A value that cannot be used never stops a program:\n"
    "one line on stderr names the variable, the value and what it can be, and the default is used. Upper and lower\n"
    "case are the same, and blanks around words do not matter. `OMP_DISPLAY_ENV=true` prints the variables of the\n"
    "first table with the values in force and where each came from, `verbose` also the others. In a program that runs\n"
    "with more rights than its user, the variables do not count. Teff's own variables are in\n"
    "[options.md](options.md).\n";

void write_rows(std::ostream& page, origin from) {
    page << "\n| variable | what it sets | values | default | meaning |\n|---|---|---|---|---|\n";
    for (const variable& each : variables())
        if (each.from == from)
            page << "| `" << each.name << "` | " << each.icv << " | " << each.values << " | " << each.usual << " | "
                 << each.meaning << " |\n";
}

std::string generated() {
    std::ostringstream page;
    page << opening << "\n## OpenMP 5.1\n";
    write_rows(page, origin::openmp);
    page << "\n## Of libgomp and of LLVM's runtime\n";
    write_rows(page, origin::other);
    page << "\n## Accepted without effect\n\nThey tune parts of the other runtimes that do not exist here, or exist in "
            "another form.\n\n";
    const char* separator = "";
    for (const variable& each : variables())
        if (each.from == origin::silent) {
            page << separator << '`' << each.name << '`';
            separator = ",\n";
        }
    page << ".\n";
    return page.str();
}

TEST(openmp_environment_document, is_the_page_in_the_tree) {
    if (const char* const path = std::getenv("WRITE_OPENMP_ENVIRONMENT"))
        std::ofstream(path) << generated();
    std::ifstream file(TEFF_SOURCE_DIR "/docs/openmp_environment.md");
    ASSERT_TRUE(file.is_open());
    const std::string written((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_EQ(written, generated()) << "the first comment of this test says how to write the page anew";
}

TEST(openmp_environment_document, every_row_with_a_meaning_tells_it) {
    for (const variable& each : variables()) {
        const bool has_meaning = each.from != origin::silent;
        EXPECT_EQ(std::string(each.meaning).empty(), !has_meaning) << each.name;
        // Variables without a meaning take any value, except those for which programs expect a warning.
        EXPECT_EQ(std::string(each.values).empty(), !has_meaning && each.parse == nullptr) << each.name;
    }
}

}  // namespace
