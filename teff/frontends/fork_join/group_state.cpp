// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The out-of-line parts of a group: how a task is submitted to a team, the wait, errors and views, and the memory of
// tasks.
#include <teff/frontends/fork_join/group_state.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/frontends/fork_join/task_marks.hpp>
#include <teff/pool/pool.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/latch_wait.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace teff::forking {
namespace {

// The member by which the calling thread may queue a task; nullptr: it has no team.
task_member* queueing_member() {
    attach();
    task_member* const self = running_thread.member;
    if (self == nullptr)
        return nullptr;
    require_stack_to_queue(queueing_use);
    if (self->team().is_stopping())
        throw_stopped();
    return self;
}

}  // namespace

bool group_state::wants_task(unsigned counted_ahead) {
    task_member* const self = queueing_member();
    return self != nullptr &&
           deferral::wants_task(*self, count_.size() - counted_ahead, home_ != running_strand().home);
}

bool group_state::has_team() { return queueing_member() != nullptr; }

bool group_state::has_other_threads() {
    const task_member* const self = queueing_member();
    return self != nullptr && !self->team().is_alone();
}

void group_state::begin(unsigned tasks) noexcept {
    end_if_orphaned();
    // relaxed: all threads of a process store the same value, and the release in count_up() orders the store.
    generation_.store(pool::instance().generation(), std::memory_order_relaxed);
    // relaxed: as above.
    has_submitted_.store(true, std::memory_order_relaxed);
    count_.count_up(tasks);
}

bool group_state::submit(task_header& made) noexcept {
    begin_one();
    const unsigned siblings = count_.size();
    // From the push on, another thread may have run the task and destroyed it; if one of the group's tasks submitted
    // it, the group may be destroyed by then, too. So nothing is used after a successful push.
    const bool is_taken = deferral::submit(*running_thread.member, made, siblings);
    if (!is_taken)
        count_.count_down();
    return is_taken;
}

void group_state::queue(task_header& made) noexcept {
    begin_one();
    deferral::queue_surely(*running_thread.member, made);
}

// In the child of a POSIX fork() the tasks of the parent process never end, so a wait for them would hang: ends the
// process with a message instead.
void group_state::end_if_orphaned() const noexcept {
    // relaxed: ordered by the acquire in is_over(), which pairs with the release in count_up().
    if (!is_over() && generation_.load(std::memory_order_relaxed) != pool::instance().generation())
        stop_state::end_orphan();
}

void group_state::fail(std::exception_ptr error) noexcept {
    // acquire: the thread that took the previous error no longer uses error_; partner: the release in finish_unusual().
    if ((events_.fetch_or(stopped | failing, std::memory_order_acquire) & failing) != 0)
        return;
    error_ = std::move(error);
    // release: makes the error visible; partner: the acquire in finish_unusual().
    events_.fetch_or(failed, std::memory_order_release);
}

void group_state::keep_views(view* left) noexcept {
    view** last = &left->next;
    while (*last != nullptr)
        last = &(*last)->next;
    // relaxed: only the address is used.
    *last = views_.load(std::memory_order_relaxed);
    // release: makes the views visible; partner: the acquire in finish_unusual(). relaxed on failure: as above.
    while (!views_.compare_exchange_weak(*last, left, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

void group_state::take(group_state& other) noexcept {
    other.wait();
    // relaxed, all: the acquire in is_over() has ordered them, and no other thread uses either group.
    views_.store(other.views_.exchange(nullptr, std::memory_order_relaxed), std::memory_order_relaxed);
    error_ = std::exchange(other.error_, nullptr);
    events_.store(other.events_.exchange(0, std::memory_order_relaxed), std::memory_order_relaxed);
}

bool group_state::finish_unusual() {
    // acquire: the views can be read; partner: the release in keep_views(). With several waiters nothing else orders
    // this access.
    if (view* const left = views_.exchange(nullptr, std::memory_order_acquire))
        append_views(left);
    // relaxed: the compare-and-swap checks the value.
    unsigned seen = events_.load(std::memory_order_relaxed);
    for (;;) {
        // `failing` without `failed`: another thread owns error_. It is either storing an error, which the next wait
        // gets, or moving one out. So this thread leaves the bit set.
        const unsigned rest = (seen & failed) != 0 ? failing : seen & failing;
        // acquire: the error can be read; partner: the release in fail(). relaxed on failure: tried again.
        if (events_.compare_exchange_weak(seen, rest, std::memory_order_acquire, std::memory_order_relaxed))
            break;
    }
    if ((seen & failed) != 0) {
        std::exception_ptr error = std::exchange(error_, nullptr);
        // release: we no longer use error_, so the next error may be written; partner: the acquire in fail().
        events_.fetch_and(~failing, std::memory_order_release);
        std::rethrow_exception(std::move(error));
    }
    return (seen & stopped) != 0;
}

void group_state::require_outside_of_tasks() const noexcept {
    switch (place_in_tasks_of(this)) {
    case place_in_tasks::inside:
        fatal("task_group",
              "a task waits for the group that it belongs to, and so for itself (a handle is a group of one task)",
              "let the code that made the group wait for it; for what a task hands over, use a group of its own");
    case place_in_tasks::on_top:
        fatal("task_group",
              "a task waits for the group of another task, on top of which it runs while that one waits, so that "
              "neither can end",
              "let a task wait only for what it has handed over itself");
    case place_in_tasks::outside:
        return;
    }
}

void group_state::wait_for_end() noexcept {
    if (running_strand().around.task != nullptr)
        require_outside_of_tasks();
    wait_unchecked();
}

void group_state::wait_unchecked() noexcept {
    if (!is_over()) {
        end_if_orphaned();
        // If the thread cannot get a team, it waits in the one that it is in, or without one. Too little stack is asked
        // for first, since an exception would need stack, too.
        try {
            if (has_stack())
                attach();
        } catch (...) {
            // No memory for a team.
        }
        if (running_thread.member != nullptr) {
            wait_with_room([this]() noexcept { wait_in_team(); });
        } else {
            while (!is_over())
                yield_thread();
        }
    }
    end_wait();
}

// Out of line: it may be called on another stack, and afterwards the caller may be on another thread.
[[gnu::noinline]] void group_state::wait_in_team() noexcept {
    task_member* const self = running_thread.member;
    const wait_reason why{.kind = "task_group", .event = "to end", .object = this, .is_for_tasks = true};
    wait_rules rules = deferral::rules_for_wait(*self);
    rules.why = &why;
    // As in wait_for(): what is counted afterwards belongs to the next wait.
    self->wait({count_.word(), count_latch::unfinished, &count_}, rules);
}

bool share_counted(task_header& ready, unsigned siblings) noexcept {
    return deferral::submit(*running_thread.member, ready, siblings);
}

namespace {

// During the wait the thread may have used up the tasks that it had queued for idle workers; after_join() then makes
// its next fork or run() share again. Out of line: the wait may have run any code, so no address of thread-local
// storage may be kept across it.
[[gnu::noinline]] void share_again() noexcept {
    if (running_thread.member != nullptr)
        after_join(*running_thread.member);
}

}  // namespace

void group_state::end_wait() noexcept {
    // relaxed: see has_to_wait().
    has_submitted_.store(false, std::memory_order_relaxed);
    share_again();
}

void wait_for_end(count_latch& awaited) noexcept {
    wait_with_room([&awaited]() noexcept { wait_for(awaited); });
    share_again();
}

void queue_on_more_stack(void (*function)(void*), void* argument) {
    require_stack_to_leave(queueing_use);
    if (!call_on_more_stack(function, argument))
        throw_stack_exhausted(tasks_use);
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

// The search for a group or an arena in the chain of enclosing tasks (task_marks.hpp).
place_in_tasks place_in_tasks_of(const void* group) noexcept {
    const strand& own_strand = running_strand();
    const auto address = reinterpret_cast<std::uintptr_t>(group);
    const bool is_on_stack =
        own_strand.stack != nullptr && address >= own_strand.stack->low && address < own_strand.stack->high;
    bool is_inside = true;
    for (const running_task* each = own_strand.around.task; each != nullptr; each = each->around) {
        // The group was made after this task had begun, and so after those around it.
        const auto begun = reinterpret_cast<std::uintptr_t>(each);
        if (is_on_stack && begun > address && begun < own_strand.stack->high)
            break;
        if (each->group == group && is_inside)
            return place_in_tasks::inside;
        if (each->group == group && each->is_counted)
            return place_in_tasks::on_top;
        is_inside = is_inside && each->is_inside;
    }
    return place_in_tasks::outside;
}

}  // namespace teff::forking
