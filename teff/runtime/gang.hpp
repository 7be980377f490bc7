// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gang: a team of exactly N threads with the stable numbers 0 (the caller) to N-1, which all run the same function
// once, at the same time. For parallel regions with barriers, where no member may be missing.
//
// The pool is grown until N-1 workers are free for it, since members may wait for each other; if the system gives fewer
// threads, the gang is smaller and every member knows the size. Gangs may be formed from any thread, also inside tasks.
#pragma once

#include <teff/runtime/pool.hpp>
#include <teff/runtime/work_source.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/stop_state.hpp>

namespace teff {

class gang final : public work_source {
public:
    using function = void (*)(void* argument, unsigned member, unsigned size) noexcept;

    // Runs `body(argument, member, size)` on `threads` threads (1..4096) and returns when all have finished.
    // Returns the size of the gang, fewer than `threads` only if threads could not be started.
    static unsigned run(unsigned threads, function body, void* argument) noexcept;

    // Called by the pool, under its mutex, before any worker can join.
    void reserve(unsigned workers) noexcept {
        waiting_ = held_ = workers;
        size_ = workers + 1;
    }

    bool has_visible_work() const noexcept override { return waiting_ != 0; }
    void request() noexcept override {}
    void join(unsigned slot, unsigned worker) noexcept override;
    void orphan() noexcept override { stop_.orphan(); }
    std::size_t queued_estimate() const noexcept override { return waiting_; }
    unsigned take_slot() noexcept override;
    bool give_slot(unsigned) noexcept override { return --held_ == 0; }
    bool has_room() const noexcept override { return waiting_ != 0; }
    unsigned held_workers() const noexcept override { return held_; }

private:
    gang(function body, void* argument) noexcept : body_(body), argument_(argument) {}

    const function body_;
    void* const argument_;
    unsigned waiting_ = 0;  // under the pool's mutex: numbers not yet taken are 1..waiting_
    unsigned held_ = 0;     // under the pool's mutex
    unsigned size_ = 1;     // constant once members can join
    stop_state stop_;
    futex_word complete_{0};  // 1 once all numbers are taken
    futex_word left_{0};
};

}  // namespace teff
