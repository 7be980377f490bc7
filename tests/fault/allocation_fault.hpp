// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: makes allocations fail, and counts what is allocated and not yet freed.
//
// The program is linked with --wrap, so calls of malloc, posix_memalign, free and operator new and delete from the
// library's archive and from the tests reach these functions first. Memory that the C and C++ runtimes allocate for
// themselves is not affected: thread stacks have a test of their own (thread_fault_test.cpp), and thrown objects have
// an emergency reserve. Rejected: replacing malloc and operator new, which the sanitizers already do. Any thread may
// allocate at any time, but arm() and disarm() must be called while no other thread allocates.
#pragma once

#include <atomic>

namespace teff::testing {

enum class fault_span { one, all_after };

struct allocation_fault {
    std::atomic<long> until_fault{0};  // 0: not armed; 1: the next one fails
    std::atomic<bool> sticky{false};
    std::atomic<long> failed{0};  // since arm()
    std::atomic<long> live{0};    // blocks allocated and not freed

    // The k-th allocation from now on fails, k >= 1. With all_after every later one fails, too, until disarm().
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
