// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From variables to settings: the values that are taken, those that are refused with a line, and the precedence of
// variables. The environment is a table of the test.
#include <teff/frontends/openmp/core/environment/read.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace {

using namespace teff::openmp;
using namespace teff::openmp::environment;

std::map<std::string, std::string> variables_of_test;

const char* value_of(const char* variable) noexcept {
    const auto found = variables_of_test.find(variable);
    return found == variables_of_test.end() ? nullptr : found->second.c_str();
}

struct outcome {
    reading read;
    std::string lines;
};
outcome read_with(std::map<std::string, std::string> set, unsigned processors = 4) {
    variables_of_test = std::move(set);
    outcome made;
    testing::internal::CaptureStderr();
    read(made.read, &value_of);
    made.lines = testing::internal::GetCapturedStderr();
    resolve(made.read, processors);
    return made;
}

TEST(openmp_environment, nothing_set) {
    const outcome seen = read_with({});
    const settings& values = seen.read.values;
    EXPECT_EQ(seen.lines, "");
    EXPECT_TRUE(values.threads.count == 1 && values.threads.at[0] == 4);
    EXPECT_TRUE(values.binds.count == 1 && values.binds.at[0] == binding::none);
    EXPECT_EQ(values.max_active_levels, 1);
    EXPECT_EQ(values.thread_limit, long{no_limit});
    EXPECT_EQ(values.block_time_us, 50);
    EXPECT_EQ(values.stack_size, 0U);
    EXPECT_EQ(values.schedule.kind, schedule_kind::dynamic);
}

TEST(openmp_environment, every_variable_refuses_what_it_cannot_use) {
    std::set<std::string> names;
    for (const variable& each : variables()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        const outcome seen = read_with({{each.name, "certainly-not\a value"}});
        const std::string begin = "OMP: Warning #";
        if (each.parse == nullptr) {
            EXPECT_EQ(seen.lines, "") << each.name;
            EXPECT_TRUE(seen.read.has(each.name)) << each.name;
        } else {
            EXPECT_EQ(seen.lines.substr(0, begin.size()), begin) << each.name;
            EXPECT_NE(seen.lines.find(std::string(each.name) + "='certainly-not\\x07 value'"), std::string::npos);
            EXPECT_EQ(seen.lines.find('\n'), seen.lines.size() - 1) << seen.lines;
        }
    }
    EXPECT_LE(variables().size(), most_variables);
}

TEST(openmp_environment, lines_say_what_is_wrong_with_a_number) {
    const auto line_about = [](const char* name, const char* text) { return read_with({{name, text}}).lines; };
    EXPECT_NE(line_about("OMP_NUM_THREADS", "0").find("since it is too small; it can be:"), std::string::npos);
    EXPECT_NE(line_about("KMP_DISP_NUM_BUFFERS", "4097").find("since it is too large"), std::string::npos);
    EXPECT_NE(line_about("OMP_DYNAMIC", "7").find("cannot be used; it can be:"), std::string::npos);
}

TEST(openmp_environment, warnings_can_be_turned_off) {
    EXPECT_EQ(read_with({{"KMP_WARNINGS", "false"}, {"OMP_DYNAMIC", "perhaps"}}).lines, "");
}

TEST(openmp_environment, levels) {
    EXPECT_EQ(read_with({{"OMP_NUM_THREADS", "4,3"}}).read.values.max_active_levels, long{no_limit});
    EXPECT_EQ(read_with({{"OMP_PROC_BIND", "spread,close"}}).read.values.max_active_levels, long{no_limit});
    EXPECT_EQ(read_with({{"OMP_NUM_THREADS", "4,3"}, {"OMP_NESTED", "false"}}).read.values.max_active_levels, 1);
    EXPECT_EQ(read_with({{"OMP_NESTED", "true"}}).read.values.max_active_levels, long{no_limit});
    EXPECT_EQ(read_with({{"OMP_NUM_THREADS", "4,3"}, {"OMP_MAX_ACTIVE_LEVELS", "2"}}).read.values.max_active_levels, 2);
    EXPECT_EQ(read_with({{"OMP_MAX_ACTIVE_LEVELS", "0"}}).read.values.max_active_levels, 0);
}

TEST(openmp_environment, limits) {
    EXPECT_EQ(read_with({{"OMP_THREAD_LIMIT", "3"}}).read.values.threads.at[0], 3U);
    EXPECT_EQ(read_with({{"OMP_THREAD_LIMIT", "3"}, {"OMP_NUM_THREADS", "8"}}).read.values.threads.at[0], 8U);
    EXPECT_EQ(read_with({{"OMP_THREAD_LIMIT", "9"}, {"KMP_ALL_THREADS", "5"}}).read.values.thread_limit, 5);
}

TEST(openmp_environment, waiting) {
    const auto time = [](std::map<std::string, std::string> set) { return read_with(set).read.values.block_time_us; };
    EXPECT_EQ(time({{"OMP_WAIT_POLICY", "active"}}), endless_us);
    EXPECT_EQ(time({{"OMP_WAIT_POLICY", "PASSIVE"}}), 0);
    EXPECT_EQ(time({{"OMP_WAIT_POLICY", "active"}, {"GOMP_SPINCOUNT", "100k"}}), 1000);
    EXPECT_EQ(time({{"GOMP_SPINCOUNT", "infinity"}}), endless_us);
    EXPECT_EQ(time({{"GOMP_SPINCOUNT", "5"}, {"KMP_BLOCKTIME", "2"}}), 2000);
    EXPECT_EQ(time({{"KMP_LIBRARY", "turnaround"}}), endless_us);
}

TEST(openmp_environment, stacks) {
    const auto size = [](std::map<std::string, std::string> set) { return read_with(set).read.values.stack_size; };
    EXPECT_EQ(size({{"OMP_STACKSIZE", "2M"}, {"KMP_STACKSIZE", "3M"}}), std::size_t{2} << 20);
    EXPECT_EQ(size({{"GOMP_STACKSIZE", "100"}, {"KMP_STACKSIZE", "300000"}}), 300'000U);
    EXPECT_EQ(size({{"GOMP_STACKSIZE", "100"}}), 102'400U);
}

TEST(openmp_environment, binding_and_places) {
    const auto bind = [](std::map<std::string, std::string> set) { return read_with(set).read.values.binds.at[0]; };
    EXPECT_EQ(bind({{"OMP_PLACES", "cores"}}), binding::any);
    EXPECT_EQ(bind({{"OMP_PLACES", "cores"}, {"OMP_PROC_BIND", "false"}}), binding::none);
    EXPECT_EQ(bind({{"GOMP_CPU_AFFINITY", "0 1"}}), binding::any);
    EXPECT_EQ(bind({{"KMP_AFFINITY", "compact"}}), binding::close);
    EXPECT_EQ(bind({{"KMP_AFFINITY", "scatter"}}), binding::spread);
    EXPECT_EQ(bind({{"KMP_AFFINITY", "none"}}), binding::none);
    EXPECT_EQ(bind({{"KMP_AFFINITY", "scatter"}, {"OMP_PROC_BIND", "close"}}), binding::close);
    // The usable part of the value is used.
    const outcome seen = read_with({{"OMP_PLACES", "sockets("}});
    EXPECT_NE(seen.lines.find("sockets is used instead"), std::string::npos) << seen.lines;
    EXPECT_EQ(seen.read.text_of("OMP_PLACES"), "sockets");
    EXPECT_EQ(read_with({{"OMP_PLACES", "invalid"}}).read.text_of("OMP_PLACES"), "cores");
}

TEST(openmp_environment, allocators) {
    const auto allocator = [](const char* text) {
        const outcome seen = read_with({{"OMP_ALLOCATOR", text}});
        allocator_text refused;
        refused.allocator = 99;
        return seen.lines.empty() ? seen.read.values.allocator : refused;
    };
    EXPECT_EQ(allocator("omp_high_bw_mem_alloc").allocator, 4U);
    EXPECT_EQ(allocator(" OMP_THREAD_MEM_ALLOC ").allocator, 8U);
    EXPECT_EQ(allocator("omp_low_lat_mem_space").allocator, 5U);
    const allocator_text made = allocator("omp_large_cap_mem_space:alignment=16,pinned=true,fallback=allocator_fb,"
                                          "fb_data=omp_low_lat_mem_alloc");
    EXPECT_TRUE(made.space == 1 && made.trait_count == 4);
    EXPECT_TRUE(made.traits[0].key == 2 && made.traits[0].value == 16);
    EXPECT_TRUE(made.traits[1].key == 7 && made.traits[1].value == 1);
    EXPECT_TRUE(made.traits[2].key == 5 && made.traits[2].value == 14);
    EXPECT_TRUE(made.traits[3].key == 6 && made.traits[3].value == 5);
    for (const char* text :
         {"", "111", "omp_default_mem_alloc_xyz", "omp_default_mem_alloc:alignment=16", "omp_default_mem_space:",
          "omp_default_mem_space:alignment", "omp_default_mem_space:alignment=3", "omp_default_mem_space:pinned=all",
          "omp_default_mem_space:color=red", "omp_default_mem_space:access=nearest"})
        EXPECT_EQ(allocator(text).allocator, 99U) << text;
}

}  // namespace
