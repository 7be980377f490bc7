// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: makes allocations fail, and counts what is allocated and not yet freed.
//
// The program is linked with --wrap, so calls of malloc, posix_memalign, free and of operator new and delete from the
// library's archive and from the tests come here first. Memory that the C and C++ runtimes take for themselves (thread
// stacks, thrown objects) is left alone: the former has a test of its own, the latter has an emergency reserve.
// Rejected: replacing malloc and operator new, which the sanitizers do already. Any thread may allocate; set the plan
// while nobody does.
#pragma once

#include <atomic>

namespace teff::testing {

enum class fault_span { one, all_after };

struct allocation_fault {
    std::atomic<long> until_fault{0};  // 0: not armed; 1: the next one fails
    std::atomic<bool> sticky{false};
    std::atomic<long> failed{0};  // since arm()
    std::atomic<long> live{0};    // blocks allocated and not freed

    // The k-th allocation from now on fails, k >= 1; with all_after also every later one, until disarm().
    void arm(long k, fault_span span) {
        failed = 0;
        sticky = span == fault_span::all_after;
        until_fault = k;
    }
    void disarm() { until_fault = 0; }

    // Called for each allocation.
    bool refuses_next() {
        long left = until_fault;
        while (left > 0) {
            const long rest = left == 1 && sticky ? 1 : left - 1;
            if (until_fault.compare_exchange_weak(left, rest)) {
                failed += left == 1;
                return left == 1;
            }
        }
        return false;
    }
};

extern allocation_fault allocation_faults;

}  // namespace teff::testing
