// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rare ends of a group: what is handed to a team, the wait, and who is called at the end.
#include <teff/frontends/fork_join/group_state.hpp>

#include <teff/base/backoff.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/scheduler/stop_state.hpp>

#include <new>
#include <utility>

namespace teff::forking {

bool group_state::wants_task() {
    attach();
    task_member* const self = running_thread.member;
    if (self == nullptr)
        return false;
    if (self->team().is_stopping())
        throw_stopped();
    return forking::wants_task(*self, count_.size(), home_ != running_strand().home);
}

bool group_state::submit(task_header& made) noexcept {
    end_if_orphaned();
    // relaxed: the same from all threads of a process, and ordered by the release in add().
    generation_.store(pool::instance().generation(), std::memory_order_relaxed);
    // relaxed: the thread's own.
    if (home_ == running_strand().home && !is_counted_.load(std::memory_order_relaxed)) {
        // relaxed: as above.
        is_counted_.store(true, std::memory_order_relaxed);
        ++running_strand().groups;
    }
    count_.count_up();
    // From here on the task may have ended, and with it, if it was submitted by one of the group's tasks, more.
    const bool is_taken = forking::submit(*running_thread.member, made);
    if (!is_taken)
        count_.count_down();
    return is_taken;
}

// What the child of a fork() waits for will not come.
void group_state::end_if_orphaned() const noexcept {
    // relaxed: ordered by the acquire in is_over().
    if (!is_over() && generation_.load(std::memory_order_relaxed) != pool::instance().generation())
        stop_state::end_orphan();
}

void group_state::fail(std::exception_ptr error) noexcept {
    // acquire: who took the error before us has done with it; partner: the release in finish_unusual().
    if ((events_.fetch_or(stopped | failing, std::memory_order_acquire) & failing) != 0)
        return;
    error_ = std::move(error);
    // release: the error can be taken.
    events_.fetch_or(failed, std::memory_order_release);
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
    // acquire: the views can be used; between two waiters nothing else orders them.
    if (view* const left = views_.exchange(nullptr, std::memory_order_acquire))
        append_views(left);
    // relaxed: judged by the swap.
    unsigned seen = events_.load(std::memory_order_relaxed);
    for (;;) {
        // An error that is being written, or taken, is the next wait's, or another one's.
        const unsigned rest = (seen & failed) != 0 ? failing : seen & failing;
        // acquire: the error can be taken; partner: the release in fail(). relaxed on failure: tried again.
        if (events_.compare_exchange_weak(seen, rest, std::memory_order_acquire, std::memory_order_relaxed))
            break;
    }
    if ((seen & failed) != 0) {
        std::exception_ptr error = std::exchange(error_, nullptr);
        // release: the next error may be written.
        events_.fetch_and(~failing, std::memory_order_release);
        std::rethrow_exception(std::move(error));
    }
    return (seen & stopped) != 0;
}

void group_state::wait_for_end() noexcept {
    if (!is_over()) {
        end_if_orphaned();
        try {
            attach();
        } catch (...) {
            // It has a team all the same, or waits without one.
        }
        if (task_member* const self = running_thread.member)
            self->wait({count_.word(), count_latch::unfinished, &count_}, rules_for_group(*self));
        while (!is_over())
            yield_thread();
    }
    uncount();
}

// Out of line, since the wait may have run anything.
[[gnu::noinline]] void group_state::uncount() noexcept {
    strand& here = running_strand();
    // relaxed: the thread's own.
    if (home_ != here.home || !is_counted_.load(std::memory_order_relaxed))
        return;
    // relaxed: as above.
    is_counted_.store(false, std::memory_order_relaxed);
    if (here.groups != 0)
        --here.groups;
    if (running_thread.member != nullptr)
        took_back(*running_thread.member);
}

task_descriptor& take_descriptor(std::size_t payload_size, std::size_t payload_alignment) {
    task_pools* const pools = running_thread.member->make_pools();
    task_descriptor* const made = pools == nullptr ? nullptr : pools->take(payload_size, payload_alignment);
    if (made == nullptr)
        throw std::bad_alloc();
    return *made;
}

void return_descriptor(task_descriptor& ended, std::size_t payload_size, std::size_t payload_alignment) noexcept {
    task_member* const self = running_thread.member;
    task_pools::finish(ended, self == nullptr ? nullptr : self->pools(), payload_size, payload_alignment);
}

bool is_team_stopping() noexcept {
    const task_member* const self = running_thread.member;
    return self != nullptr && self->team().is_stopping();
}

}  // namespace teff::forking
