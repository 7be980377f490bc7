// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers for scenarios: stand-ins without a stack of their own, whose functions are in sync_var_scenarios.cpp. A thread
// of the scenario is first the fiber, and when the fiber parks, the worker that leaves it and then the one that enters
// it when it is ready.
#pragma once

#include "scenarios.hpp"

#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/runtime/running_strand.hpp>

namespace scenarios {

// Makes the calling thread a fiber.
class as_fiber {
public:
    as_fiber() { teff::running_strand().fiber = &fiber_; }
    ~as_fiber() { teff::running_strand().fiber = nullptr; }
    as_fiber(const as_fiber&) = delete;
    as_fiber& operator=(const as_fiber&) = delete;

private:
    static constexpr teff::threads::fiber_state::actions none{nullptr, nullptr, nullptr};
    teff::threads::fiber_state fiber_{none, {}};
};

// Scenarios of a full/empty variable that is empty at first, with functions write(item), take(), expect_all_taken().
template <class Shared>
void each_value_is_taken_once() {
    Shared shared;
    model::parallel([&] { shared.write(0); }, [&] { shared.write(1); },
                    [&] {
                        const as_fiber here;
                        shared.take();
                        shared.take();
                    });
    shared.expect_all_taken();
}

template <class Shared>
void two_readers_take_one_value_each() {
    Shared shared;
    model::parallel([&] { shared.take(); },
                    [&] {
                        const as_fiber here;
                        shared.take();
                    },
                    [&] {
                        shared.write(0);
                        shared.write(1);
                    });
    shared.expect_all_taken();
}

}  // namespace scenarios
