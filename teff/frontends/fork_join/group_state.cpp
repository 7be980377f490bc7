// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rare ends of a group: what is handed to a team, the wait, and who is called at the end.
#include <teff/frontends/fork_join/group_state.hpp>

#include <teff/base/backoff.hpp>
#include <teff/frontends/fork_join/fork_team.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/scheduler/stop_state.hpp>

#include <utility>

namespace teff::forking {

bool group_state::wants_task() {
    attach();
    if (current.self != nullptr && current.self->team().is_stopping())
        throw_stopped();
    return current.self != nullptr && current.self->wants_task(count_.size(), home_ != &current);
}

bool group_state::submit(job& made) noexcept {
    // relaxed: the same from all threads of a process.
    generation_.store(pool::instance().generation(), std::memory_order_relaxed);
    count_.add();
    if (!current.self->submit(made)) {
        count_.end_one();
        return false;
    }
    // The task may have ended, but not the group: its wait comes after this call.
    // relaxed: see there.
    if (counted_by_.load(std::memory_order_relaxed) == nullptr) {
        ++current.groups;
        // relaxed: as above.
        counted_by_.store(&current, std::memory_order_relaxed);
    }
    return true;
}

void group_state::fail(std::exception_ptr error) noexcept {
    stop();
    // relaxed: only decides who writes error_; the waiter reads it after the end.
    if (!has_failed_.exchange(true, std::memory_order_relaxed))
        error_ = std::move(error);
}

void group_state::keep_views(view* left) noexcept {
    view** last = &left->next;
    while (*last != nullptr)
        last = &(*last)->next;
    // relaxed: only its address is used.
    *last = views_.load(std::memory_order_relaxed);
    // release: the views can be used; relaxed on failure: as above.
    while (!views_.compare_exchange_weak(*last, left, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

bool group_state::finish_unusual() {
    // relaxed, all: count_.is_over() has ordered them, and of several waiters one gets each.
    const bool was_stopped = is_stopped() && stopped_.exchange(false, std::memory_order_relaxed);
    std::exception_ptr error;
    if (has_failed_.load(std::memory_order_relaxed) && has_failed_.exchange(false, std::memory_order_relaxed))
        error = std::exchange(error_, nullptr);
    if (views_.load(std::memory_order_relaxed) != nullptr)
        // acquire: between two waiters nothing else orders them.
        append_views(views_.exchange(nullptr, std::memory_order_acquire));
    if (error)
        std::rethrow_exception(std::move(error));
    return was_stopped;
}

void group_state::wait_for_end() noexcept {
    if (!count_.is_over()) {
        // relaxed: as in submit().
        if (generation_.load(std::memory_order_relaxed) != pool::instance().generation())
            stop_state::end_orphan();
        try {
            attach();
        } catch (...) {
            // It has a team all the same, or waits without one.
        }
        if (current.self != nullptr)
            current.self->wait({count_.word(), awaited_count::unfinished, &count_}, nullptr);
        while (!count_.is_over())
            yield_thread();
    }
    // relaxed: see there.
    if (counted_by_.load(std::memory_order_relaxed) == &current && current.groups != 0) {
        --current.groups;
        if (current.self != nullptr)
            current.self->took_back();
    }
    // relaxed: as above.
    counted_by_.store(nullptr, std::memory_order_relaxed);
}

}  // namespace teff::forking
