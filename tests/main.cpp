// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of the GoogleTest programs that use the runtime, with a watchdog over every single test.
//
// A test that runs into its limit (TEST_LIMIT_S, which CTest sets a little below its own time-out) makes the program
// print its name, the states of the workers and the sizes of their queues, and abort. The watchdog is a signal, not a
// thread: it adds nothing to what tests see of the process. Rejected: leaving it to CTest, which kills without a word.
#include <teff/base/assert.hpp>
#include <teff/pool/pool.hpp>

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

// Written by the main thread between tests, read by its signal handler.
const char* suite_name = "";
const char* case_name = "";

// The report takes a lock. Should the interrupted thread hold it, the second alarm ends the program all the same.
void bark(int) {
    constexpr unsigned report_limit_s = 5;
    std::signal(SIGALRM, SIG_DFL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
    alarm(report_limit_s);
    teff::warn("watchdog: the test %s.%s does not end", suite_name, case_name);
    teff::pool::instance().report();
    std::abort();
}

class watchdog : public testing::EmptyTestEventListener {
public:
    explicit watchdog(unsigned limit_s) : limit_s_(limit_s) { std::signal(SIGALRM, bark); }

    void OnTestStart(const testing::TestInfo& test) override {
        suite_name = test.test_suite_name();
        case_name = test.name();
        alarm(limit_s_);
    }
    void OnTestEnd(const testing::TestInfo&) override { alarm(0); }

private:
    unsigned limit_s_;
};

}  // namespace

int main(int argument_count, char** arguments) {
    testing::InitGoogleTest(&argument_count, arguments);
    if (const char* limit = std::getenv("TEST_LIMIT_S"))
        testing::UnitTest::GetInstance()->listeners().Append(
            new watchdog(static_cast<unsigned>(std::strtoul(limit, nullptr, 10))));
    return RUN_ALL_TESTS();
}
