// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what all commands share: help, version, and output that cannot be written.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <teff/version.hpp>

#include <cli/bench/bench_fixture.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

class whole_command : public bench_command {
protected:
    child_result teff(const std::vector<std::string>& words) const { return start(command(), words); }
};

TEST_F(whole_command, help_is_a_command_and_an_option) {
    for (const char* name : {"bench", "info", "graph", "run", "simulate"}) {
        const child_result asked = teff({"help", name});
        EXPECT_EQ(asked.code, 0);
        EXPECT_TRUE(has(asked.output, std::string("Usage: teff ") + name)) << name;
        EXPECT_EQ(asked.output, teff({name, "--help"}).output) << name;
    }
    EXPECT_TRUE(has(teff({"help"}).output, "  bench "));
    EXPECT_EQ(teff({"help"}).output, teff({"--help"}).output);
    const child_result wrong = teff({"help", "brench"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.errors, "teff: unknown command 'brench' (did you mean 'bench'?); see teff --help\n");
    EXPECT_EQ(teff({}).code, 2);
}

TEST_F(whole_command, tells_its_version) {
    for (const char* word : {"version", "--version", "-V"}) {
        const child_result told = teff({word});
        EXPECT_EQ(told.code, 0) << word;
        EXPECT_EQ(told.output, "teff " TEFF_VERSION_STRING "\n") << word;
    }
}

TEST_F(whole_command, the_help_of_bench_has_the_kernels) {
    EXPECT_TRUE(has(teff({"bench", "--help"}).output, "this help lists them when benchmark programs are installed"));
    install_all();
    const std::string help = teff({"bench", "--help"}).output;
    EXPECT_TRUE(has(help, "\n  reduce     good, uneven, wrong, hang, "));
    EXPECT_TRUE(has(help, "\n  fork_join  good\n"));
    EXPECT_TRUE(has(help, "\n  openmp     tasks, stray, ways\n"));
}

TEST_F(whole_command, output_that_cannot_be_written_is_an_error) {
    for (const std::string words : {"info", "info --options", "help", "--help", "bench --help", "version", "-V"}) {
        for (const std::string redirection : {">/dev/full", ">&-"}) {
            const child_result result = start("/bin/sh", {"-c", command() + " " + words + " " + redirection});
            EXPECT_EQ(result.code, 1) << words << redirection;
            EXPECT_TRUE(has(result.errors, "teff: standard output cannot be written, so results are missing there: " +
                                               std::string(redirection == ">&-" ? "Bad file descriptor"
                                                                                : "No space left on device")));
        }
    }
    // Bad usage stays bad usage; its message may be lost.
    for (const std::string redirection : {">&-", "2>&-", "2>/dev/full"})
        EXPECT_EQ(start("/bin/sh", {"-c", command() + " bogus " + redirection}).code, 2) << redirection;
}

}  // namespace
}  // namespace teff::cli
