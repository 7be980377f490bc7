// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: counts and refuses all allocations of a process, those of the C and C++ libraries included.
//
// The C library lets a program define the functions of malloc's family itself; these ask the C library's own functions
// under their other names. So a program that is linked with every_allocation.cpp can have each allocation refused that
// malloc serves, such as the one for a thread-local destructor, and each mapping that the runtime asks for. Shared
// objects of the program reach these functions, too. The functions of allocation_fault.hpp wrap calls of the
// library's archive alone. Unlike them, these exclude the sanitizers, which define malloc themselves.
#pragma once

#include <atomic>

namespace teff::testing {

struct every_allocation {
    std::atomic<bool> is_armed{false};
    std::atomic<long> until_fault{0};  // 1: the next one fails
    std::atomic<long> asked{0};        // since arm()
    std::atomic<long> live{0};         // blocks allocated and not freed

    // The k-th allocation from now on fails, k >= 1. No other thread may be allocating.
    void arm(long k) {
        until_fault = k;
        asked = 0;
        is_armed = true;
    }
    void disarm() { is_armed = false; }
    bool has_refused() const { return until_fault <= 0; }

    // Called for each allocation.
    bool refuses_next() {
        if (!is_armed)
            return false;
        ++asked;
        return --until_fault == 0;
    }
};

extern every_allocation all_allocations;

// Whether blocks are lost by a call in which an allocation is refused: their number grows with each such call between
// two others, as often as they are made. Caches grow for some time.
template <class Right, class Refused>
bool leaks(const Right& right, const Refused& refused) {
    constexpr int usual = 40, most = 500;
    int grew = 0;
    for (int round = 0; round < most && (round < usual || grew == round); ++round) {
        right();
        const long before = all_allocations.live;
        refused();
        right();
        grew += all_allocations.live > before ? 1 : 0;
    }
    return grew == most;
}

}  // namespace teff::testing
