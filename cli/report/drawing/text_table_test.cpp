// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of text_table.hpp: which columns a width leaves.
#include <cli/report/drawing/text_table.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

text_table sample(const std::string& second_size) {
    text_table table({{"kernel", false},
                      {"size", false, 2, true},
                      {"runtime", false},
                      {"median", true},
                      {"least", true, 3},
                      {"ratio", true, 1}});
    table.add({"fib", "quick", "teff", "0.1", "0.1", "0.5"});
    table.add_gap();
    table.add({"pi", second_size, "tbb", "0.2", "0.2", "1.0"});
    return table;
}

TEST(text_table, has_all_columns_unless_there_is_a_width) {
    const std::string all = "kernel  size   runtime  median  least  ratio\n"
                            "--------------------------------------------\n"
                            "fib     quick  teff        0.1    0.1    0.5\n"
                            "\n"
                            "pi      quick  tbb         0.2    0.2    1.0\n";
    EXPECT_EQ(sample("quick").text(), all);
    EXPECT_EQ(sample("quick").text(44), all);
}

TEST(text_table, leaves_out_what_is_of_least_use_first) {
    EXPECT_EQ(sample("quick").text(43),
              "kernel  size   runtime  median  ratio\n"
              "-------------------------------------\n"
              "fib     quick  teff        0.1    0.5\n"
              "\n"
              "pi      quick  tbb         0.2    1.0\n"
              "not shown: least; --wide shows all columns\n");
    EXPECT_EQ(sample("quick").text(30),
              "kernel  runtime  median  ratio\n"
              "------------------------------\n"
              "fib     teff        0.1    0.5\n"
              "\n"
              "pi      tbb         0.2    1.0\n"
              "not shown: size (quick), least; --wide shows all columns\n");
}

TEST(text_table, keeps_what_tells_rows_apart_and_what_has_no_rank) {
    EXPECT_EQ(sample("paper").text(1),
              "kernel  size   runtime  median\n"
              "------------------------------\n"
              "fib     quick  teff        0.1\n"
              "\n"
              "pi      paper  tbb         0.2\n"
              "not shown: least, ratio; --wide shows all columns\n");
}

}  // namespace
}  // namespace teff::cli
