// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every single allocation of OpenMP programs is refused once, at the first use of the runtime in a process and again
// when it is warm; and so is each thread. OpenMP has no way to report this. So a construct has the right result, maybe
// with fewer threads, or a routine returns what it says about a lack of memory, or the program ends with one line that
// says what there is no memory for. It never ends without that line, hangs, or leaks.
#include <tests/fault/refused_face.hpp>
#include <tests/openmp/refused/constructs.hpp>

#include <cstdlib>
#include <gtest/gtest.h>
#include <span>
#include <string>

namespace teff::testing {
namespace {

class every_allocation_of_openmp : public refused_face<openmp_construct> {
protected:
    every_allocation_of_openmp()
        : refused_face({.last = "teff: OpenMP: there is no memory for ",
                        .more = "teff: OMP_ALLOCATOR: the allocator cannot be made"}) {}

    void set_variables() const override {
        ::setenv("OMP_NUM_THREADS", std::to_string(GetParam().threads).c_str(), 1);
        for (const char* const each : GetParam().tried->variables)
            if (each != nullptr)
                ::putenv(const_cast<char*>(each));
    }
    // No exception leaves a construct or a routine.
    void expect_right_or_refused(long k) const override {
        const long result = run(k);
        EXPECT_TRUE(result == -1 || result == GetParam().tried->expected) << result << ", allocation " << k;
    }
};

INSTANTIATE_TEST_SUITE_P(, every_allocation_of_openmp,
                         ::testing::ValuesIn(calls_with_two_schedulers(
                             std::span<const openmp_construct>(openmp_constructs, openmp_construct_count))),
                         [](const auto& about) { return about.param.name(); });

TEST_P(every_allocation_of_openmp, is_refused_at_the_first_use) { try_first_use(); }
TEST_P(every_allocation_of_openmp, is_refused_when_warm_and_leaks_nothing) { try_when_warm(); }
TEST_P(every_allocation_of_openmp, no_thread_can_be_created_from_the_kth_on) { try_without_threads(); }

}  // namespace
}  // namespace teff::testing
