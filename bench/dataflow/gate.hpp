// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds the first task of a program while the others are spawned, so that none of them is ready.
#pragma once

#include <bench/harness/worker_number.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace bench::dataflow {

class gate {
public:
    gate() : spawner_(worker_number()) {}

    // For the first task: waits until open(). On the thread that is to open the gate it returns, as that thread would
    // wait for itself.
    void pass() noexcept {
        // relaxed: that thread reads what it has written itself.
        if (worker_number() == spawner_ && !is_open_.load(std::memory_order_relaxed)) {
            is_missed_ = true;
            return;
        }
        // acquire: sees what the opening thread did before; partner: the release in open().
        while (!is_open_.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    // By the thread that has made this. release: see pass().
    void open() noexcept { is_open_.store(true, std::memory_order_release); }
    // Whether the first task ran on that thread while the gate was closed: the others have not waited.
    bool is_missed() const noexcept { return is_missed_; }

private:
    const unsigned spawner_;
    std::atomic<bool> is_open_{false};
    bool is_missed_ = false;
};

// Calls once(gate&), which returns a result, until the gate was not missed. A runtime may call a task at once where it
// is spawned, unless another thread is idle.
template <class F> auto with_gate(const F& once) {
    constexpr int most_trials = 1000;
    for (int trial = 0; trial < most_trials; ++trial) {
        gate first;
        const auto result = once(first);
        if (!first.is_missed()) return result;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    throw std::runtime_error("no other thread takes the first task, however often it is spawned");
}

}  // namespace bench::dataflow
