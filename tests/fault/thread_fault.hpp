// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: makes the creation of threads fail for the runtime.
//
// The program is linked with --wrap=pthread_create, so calls from the library's archive reach the wrapper first, and
// calls from the standard library (std::thread in a test) do not. Any thread may create threads; refuse() must be
// called while no thread is being created.
#pragma once

#include <atomic>
#include <climits>

namespace teff::testing {

struct thread_fault {
    std::atomic<int> first_refused{INT_MAX};  // creations are counted from 1
    std::atomic<int> last_refused{INT_MAX};
    std::atomic<int> attempts{0};

    // The creations first..last from now on fail.
    void refuse(int first, int last) {
        attempts = 0;
        first_refused = first;
        last_refused = last;
    }
    bool refuses_next() {
        const int attempt = ++attempts;
        return attempt >= first_refused && attempt <= last_refused;
    }
};

extern thread_fault thread_faults;

}  // namespace teff::testing
