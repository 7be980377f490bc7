// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers for scenarios: functions on stacks of their own, in a team. Only what has no part in the protocols is replaced
// (model/overlay/fibers.cpp).
#pragma once

#include "fork_join_kit.hpp"
#include "scenarios.hpp"

#include <model/overlay/fibers.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/fiber.hpp>
#include <teff/strand/running_thread.hpp>

#include <functional>
#include <utility>

namespace scenarios {

using model::has_memory_for_stacks;

// The action of a fiber's worker while the fiber waits.
enum class meanwhile { runs_tasks, spins };

// Calls the function on a fiber of the calling thread's team, and returns when it has ended. The thread takes tasks one
// by one, so that the fiber always returns to it when it waits, and never switches to another fiber directly. (The
// steps are few, so that more interleavings are explored.)
template <meanwhile Does = meanwhile::runs_tasks, class F>
void run_on_fiber(F&& function) {
    teff::atomic<bool> has_ended{false};
    const auto call = [&] {
        function();
        // release: the function may have ended on another worker; partner: the acquire below.
        has_ended.store(true, std::memory_order_release);
    };
    teff::task_member& worker = *teff::running_thread.member;
    auto* const made = new teff::threads::fiber_of<std::reference_wrapper<const decltype(call)>>(std::ref(call), {});
    made->run_detached_on(worker);
    // acquire: partner: the release above.
    while (!has_ended.load(std::memory_order_acquire)) {
        teff::task_header* const ready = Does == meanwhile::runs_tasks ? worker.take({}) : nullptr;
        if (ready != nullptr)
            worker.run(*ready);
        else
            teff::yield_thread();
    }
}

// A thread of a scenario that calls the function as the caller of a team of its own.
template <class F>
class as_caller {
public:
    explicit as_caller(F function, unsigned slots = 2, const char* scheduler = "demand")
        : function_(std::move(function)), team_(slots, scheduler) {}

    void operator()() {
        teff::running_thread.member = &worker_;
        function_();
        teff::running_thread.member = nullptr;
    }

private:
    F function_;
    const open_team team_;
    teff::task_member& worker_ = *teff::running_thread.member;
};

// The same on a fiber. The team has two slots, even if the pool has no worker. So the fiber is left before others may
// wake it.
template <class F>
auto as_fiber(F function) {
    return as_caller([function = std::move(function)] { run_on_fiber(function); });
}

// Scenarios of a full/empty variable that is empty at first, with functions write(item), take(), expect_all_taken().
template <class Shared>
void each_value_is_taken_once() {
    Shared shared;
    model::parallel([&] { shared.write(0); }, [&] { shared.write(1); }, as_fiber([&] {
                        shared.take();
                        shared.take();
                    }));
    shared.expect_all_taken();
}

template <class Shared>
void two_readers_take_one_value_each() {
    Shared shared;
    model::parallel([&] { shared.take(); }, as_fiber([&] { shared.take(); }), [&] {
        shared.write(0);
        shared.write(1);
    });
    shared.expect_all_taken();
}

}  // namespace scenarios
