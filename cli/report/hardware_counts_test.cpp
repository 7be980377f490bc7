// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of hardware_counts.hpp: which columns there are, what is in them, and what is said of missing ones.
#include <cli/report/hardware_counts.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

measurement counted(const char* runtime, const char* hardware) {
    measurement row;
    row.what.runtime = runtime;
    row.counters = {{"cpu_ms", 3}};
    if (hardware != nullptr)
        row.counters["hardware"] = nlohmann::json::parse(hardware);
    return row;
}

TEST(hardware_counts, have_the_columns_that_were_counted) {
    const std::vector<measurement> rows = {
        counted("teff", R"({"cycles":12345678901,"instructions":5000000000,"context_switches":7,"counted_share":0.5})"),
        counted("serial", nullptr),
        counted("tbb", R"({"cycles":800,"context_switches":12000,"task_clock_ns":1500000000})"),
    };
    const hardware_counts found = hardware_counts_of(rows);
    EXPECT_EQ(found.titles, (std::vector<std::string>{"CPU s", "cycles", "instructions", "cycles/instr.", "switches",
                                                      "counted"}));
    ASSERT_EQ(found.rows.size(), 2U);
    EXPECT_EQ(found.rows[1], &rows[2]);
    EXPECT_EQ(found.cells[0], (std::vector<std::string>{"-", "12.35 G", "5.000 G", "2.469", "7", "50.0%"}));
    EXPECT_EQ(found.cells[1], (std::vector<std::string>{"1.500", "800", "-", "-", "12.00 k", "-"}));
}

TEST(hardware_counts, are_empty_without_the_option) {
    const std::vector<measurement> rows = {counted("teff", nullptr), measurement{}};
    EXPECT_TRUE(hardware_counts_of(rows).empty());
    EXPECT_TRUE(missing_hardware_counts(rows).empty());
}

TEST(hardware_counts, each_reason_is_told_once) {
    const char* const without_pmu =
        R"({"unavailable":[{"counters":["cycles","instructions"],"reason":"no PMU; get one"}]})";
    const std::vector<measurement> rows = {
        counted("teff", without_pmu), counted("tbb", without_pmu),
        counted("libomp", R"({"unavailable":[{"counters":["cycles"],"reason":"busy; wait"}]})")};
    EXPECT_EQ(missing_hardware_counts(rows),
              (std::vector<std::string>{"not counted: cycles and instructions: no PMU; get one",
                                        "not counted: cycles: busy; wait"}));
    EXPECT_TRUE(hardware_counts_of(rows).empty());
}

}  // namespace
}  // namespace teff::cli
