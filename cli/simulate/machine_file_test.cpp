// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of machine_file.hpp: names, files, and what is said of each mistake in them.
#include <cli/simulate/machine_file.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cli/test_support.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {
namespace {

std::string complaint_in_file(const std::string& text) {
    return complaint_of<usage_error>([&] { (void)machine_in(text, "m.json"); });
}

std::string complaint_about_machine(const std::string& text) {
    return complaint_of<usage_error>([&] { (void)read_machine(text); });
}

TEST(machine_file, a_name_has_sockets_cores_and_threads) {
    const simulator::machine made = read_machine("8x24x2");
    EXPECT_EQ(made.sockets(), 8U);
    EXPECT_EQ(made.cores_per_socket(), 24U);
    EXPECT_EQ(made.processors(), 384U);
    EXPECT_EQ(described(made), "8 sockets of 24 cores with 2 threads each");
    EXPECT_EQ(described(read_machine("1x16")), "1 socket with 16 cores");
    EXPECT_EQ(described(read_machine("1x1")), "1 socket with 1 core");
}

TEST(machine_file, a_name_that_is_none_is_refused) {
    for (const char* name : {"0x4", "4", "x4", "4x", "1x2x3x4", "1x-2", "ax4", "", "1xx4"})
        EXPECT_TRUE(has(complaint_about_machine(name), "it is not two or three numbers from 1 up")) << name;
    for (const char* name : {"9x99999", "1x513", "4x128x3", "1x99999999999999999999"})
        EXPECT_TRUE(has(complaint_about_machine(name), std::string("--machine '") + name +
                                                           "': it is too large; a machine has at most 512 cores and "
                                                           "1024 processors"))
            << name;
}

TEST(machine_file, a_file_has_costs_too) {
    const simulator::machine made =
        machine_in(R"({"sockets": 2, "cores": 3, "threads": 2,
                       "costs": {"near_line": 50, "smt": 1.5, "private_kib": 2}})", "m.json");
    EXPECT_EQ(made.name(), "2x3x2");
    EXPECT_EQ(made.private_lines(), 32U);
    EXPECT_EQ(made.shared_lines(), 0U);
    EXPECT_EQ(made.prices().near_line, 50);
    EXPECT_EQ(made.smt_slowdown(), 1.5);
    // What is not named has its default.
    EXPECT_EQ(made.prices().far_line, simulator::costs().far_line);
    EXPECT_EQ(machine_in(R"({"sockets": 2, "cores": 3})", "m.json").name(), "2x3");
}

TEST(machine_file, every_cost_can_be_set) {
    for (const auto& [name, value] : simulator::machine().prices_by_name()) {
        const simulator::machine made =
            machine_in(R"({"sockets": 1, "cores": 2, "costs": {")" + std::string(name) + "\": 77}}", "m.json");
        int set = 0;
        for (const auto& [other, found] : made.prices_by_name())
            set += found == 77 && other == name ? 1 : 0;
        EXPECT_EQ(set, 1) << name;
    }
}

TEST(machine_file, each_mistake_is_named) {
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 2, "coers": 3})"),
                    "--machine 'm.json': it has the unknown key 'coers' (did you mean 'cores'?)"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 2})"), "it does not say how many cores there are"));
    EXPECT_TRUE(has(complaint_in_file(R"({"cores": 2})"), "it does not say how many sockets there are"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 0, "cores": 2})"), "'sockets' is 0, not a positive whole number"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": -1, "cores": 2})"), "'sockets' is -1, not a positive"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 1, "cores": 2.5})"), "'cores' is 2.5, not a positive"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 1, "cores": "2"})"), "'cores' is \"2\", not a positive"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 1, "cores": 2, "threads": []})"), "'threads' is [], not a"));
    EXPECT_TRUE(has(complaint_in_file(R"({"sockets": 9, "cores": 99999})"), "9x99999x1 is too large; a machine has"));
    const std::string begin = R"({"sockets": 1, "cores": 2, "costs": )";
    EXPECT_TRUE(has(complaint_in_file(begin + "5}"), "'costs' is number, not an object"));
    EXPECT_TRUE(has(complaint_in_file(begin + R"({"near_lin": 5}})"),
                    "it has the unknown cost 'near_lin' (did you mean 'near_line'?); use access, modify"));
    EXPECT_TRUE(has(complaint_in_file(begin + R"({"wake": "5"}})"), "the cost 'wake' is \"5\", not a number"));
    EXPECT_TRUE(has(complaint_in_file(begin + R"({"wake": -5}})"), "the cost 'wake' is -5, not a number from 0 up"));
    EXPECT_TRUE(has(complaint_in_file("[1]"), "it holds array, not an object"));
    EXPECT_TRUE(has(complaint_in_file("{"), "it is no JSON ("));
    EXPECT_TRUE(has(complaint_in_file(""), "it is no JSON ("));
}

TEST(machine_file, files_are_read) {
    const std::string name = testing::TempDir() + "machine" + std::to_string(::getpid()) + ".json";
    std::ofstream(name) << R"({"sockets": 4, "cores": 6})";
    EXPECT_EQ(read_machine(name).name(), "4x6");
    std::filesystem::remove(name);
    EXPECT_TRUE(has(complaint_about_machine(name), "--machine '" + name + "': No such file or directory; name a file"));
    EXPECT_TRUE(has(complaint_about_machine("missing.json"), "--machine 'missing.json': No such file"));
    EXPECT_TRUE(has(complaint_about_machine(testing::TempDir()), "': it is a folder; name a file"));
}

}  // namespace
}  // namespace teff::cli
