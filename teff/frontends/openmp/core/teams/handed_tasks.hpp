// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that other threads hand to a team of one thread, since they fulfil the tasks' events (completion_event.hpp). A
// team of several threads has lanes for this (queue/priority_lanes.hpp).
//
//   put                any thread, while the place exists
//   take, sleep        the thread of the place
// `changes_` counts the tasks that were put. The thread reads it before it takes tasks and sleeps only while it has not
// changed, so it misses none. The mutex's release is the last access of put() to this object: the thread
// that takes the task may end the place at once. (A wake-up uses the address only.)
#pragma once

#include <teff/base/futex.hpp>
#include <teff/base/locks.hpp>
#include <teff/pool/pool.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>

namespace teff::openmp {

class handed_tasks {
public:
    void put(task_header& ready) noexcept {
        const void* const address = changes_.address();
        {
            const scoped_lock locked(guard_);
            // relaxed, all: written under the mutex.
            ready.next.store(nullptr, std::memory_order_relaxed);
            if (first_ == nullptr)
                first_ = &ready;
            else
                last_->next.store(&ready, std::memory_order_relaxed);
            last_ = &ready;
            changes_.store(changes() + 1, std::memory_order_relaxed);
        }
        futex_wake(address, 1);
    }

    // relaxed: take() synchronizes; if a change is read late, sleep() returns at once.
    std::uint32_t changes() const noexcept { return changes_.load(std::memory_order_relaxed); }
    // nullptr: there is none.
    task_header* take() noexcept {
        const scoped_lock locked(guard_);
        task_header* const oldest = first_;
        if (oldest != nullptr)
            // relaxed: the mutex orders it.
            first_ = oldest->next.load(std::memory_order_relaxed);
        return oldest;
    }
    // seen: the result of changes() before take() returned nullptr.
    void sleep(std::uint32_t seen) noexcept {
        pool::instance().sleep_in_wait(changes_, seen, {.kind = "the events of OpenMP tasks", .event = ""});
    }

private:
    mutex guard_;
    task_header* first_ = nullptr;
    task_header* last_ = nullptr;
    futex_word changes_{0};
};

}  // namespace teff::openmp
