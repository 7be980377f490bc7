// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancels a team when a stop is requested, from the constructor to the destructor. Its functions are in the library,
// since compiling them takes longer than a small reduction.
#pragma once

#include <stop_token>

namespace teff {

class team;

class cancel_on_stop {
public:
    cancel_on_stop(const std::stop_token& stop, team& what);
    // Waits for a cancellation that is under way on another thread.
    ~cancel_on_stop();
    cancel_on_stop(const cancel_on_stop&) = delete;
    cancel_on_stop& operator=(const cancel_on_stop&) = delete;

private:
    struct canceller {
        team& what;
        void operator()() const noexcept;
    };

    const std::stop_callback<canceller> callback_;
};

}  // namespace teff
