// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task of a group: a function in a descriptor of the member that made the task. The call that submits the task
// returns before the task has run, so its frame cannot hold the function.
#pragma once

#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/task_marks.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace teff::forking {

// Memory for a task. The calling thread must be a member of a team. Throws std::bad_alloc.
task_descriptor& take_descriptor(std::size_t payload_size, std::size_t payload_alignment);
// Call after the payload was destroyed. The descriptor may be reused or freed from then on. Any thread.
void return_descriptor(task_descriptor& ended, std::size_t payload_size, std::size_t payload_alignment) noexcept;
// Whether the calling thread's team has been asked to stop.
bool is_team_stopping() noexcept;

// The payload of the descriptor.
template <class Group, class F>
class group_task {
public:
    template <class Given>
    group_task(Group& group, Given&& f) : group_(group), function_(std::forward<Given>(f)) {}

    // Throws std::bad_alloc, or what copying or moving `f` throws.
    template <class Given>
    static task_descriptor& make(Group& group, Given&& f) {
        task_descriptor& made = take_descriptor(sizeof(group_task), alignof(group_task));
        try {
            ::new (made.payload(alignof(group_task))) group_task(group, std::forward<Given>(f));
        } catch (...) {
            return_descriptor(made, sizeof(group_task), alignof(group_task));
            throw;
        }
        made.run = &run_and_end;
        return made;
    }
    // Runs a task that submit() refused, and destroys it.
    static void run_refused(task_descriptor& made) noexcept {
        group_task& mine = payload_of(made);
        {
            const called_task called(mine.group_.state());
            mine.group_.run_here(mine.function_);
        }
        end(made);
    }

private:
    static group_task& payload_of(task_descriptor& descriptor) noexcept {
        return *std::launder(static_cast<group_task*>(descriptor.payload(alignof(group_task))));
    }
    static void end(task_descriptor& made) noexcept {
        std::destroy_at(&payload_of(made));
        return_descriptor(made, sizeof(group_task), alignof(group_task));
    }

    static void run_and_end(task_header& self) noexcept {
        auto& made = static_cast<task_descriptor&>(self);
        group_task& mine = payload_of(made);
        Group& group = mine.group_;
        {
            const counted_task counted(group.state(), *mine.around_);
            own_views own(counted.around());
            if (is_team_stopping())
                group.state().stop();
            else
                group.run_here(mine.function_);
            // Before end_one(): the function's captures may refer to objects of the waiting thread, and their
            // destructors may use them.
            end(made);
            group.state().keep(own.take());
        }
        group.state().end_one();
    }

    Group& group_;
    const inherited_enclosing around_;  // so that the block ends after the function was destroyed
    F function_;
};

// A function that can be stored and called later.
template <class F>
concept taskable = std::constructible_from<std::decay_t<F>, F> && std::invocable<std::decay_t<F>&>;

// Calls a copy of `f`, or the object that it was moved to.
template <class Group, class F>
[[gnu::always_inline]] inline void call_at_once(Group& group, F&& f) {
    std::decay_t<F> own(std::forward<F>(f));
    group.run_here(own);
}

// Calls function(argument), which queues a task, on another stack (strand/more_stack.hpp). Throws stack_exhausted if
// there is none.
void queue_on_more_stack(void (*function)(void*), void* argument);
// For hand_over() where the caller's stack is used up, so that a call of `f` is the last choice.
template <class Group, class F>
bool queue_deep(Group& group, F&& f) {
    if (!group.state().has_team())
        return false;
    group.state().queue(group_task<Group, std::decay_t<F>>::make(group, std::forward<F>(f)));
    return true;
}

// Copies or moves `f` into a task and submits the task. Returns false, with `f` untouched, if the caller should call it
// at once instead.
template <class Group, class F>
[[gnu::noinline]] bool hand_over(Group& group, F&& f) {
    if (!has_stack() && !has_stack_to_queue()) [[unlikely]]
        return call_through([&] { return queue_deep(group, std::forward<F>(f)); }, &queue_on_more_stack);
    if (!group.state().wants_task())
        return false;
    using made_of = group_task<Group, std::decay_t<F>>;
    task_descriptor& made = made_of::make(group, std::forward<F>(f));
    // If the task was accepted, it may already have run and be destroyed.
    if (!group.state().submit(made))
        made_of::run_refused(made);
    return true;
}

// Makes `f` a task that other threads can take, however many are queued; `f` is never called here. False: the calling
// thread has no team, or is alone in it, and `f` is untouched.
template <class Group, class F>
bool queue(Group& group, F&& f) {
    if (!group.state().has_other_threads())
        return false;
    group.state().queue(group_task<Group, std::decay_t<F>>::make(group, std::forward<F>(f)));
    return true;
}

// The same as hand_over() where no call is plain: calls `f` in the place of a task that the team does not want.
template <class Group, class F>
[[gnu::noinline]] void hand_over_or_mark(Group& group, F&& f) {
    if (hand_over(group, std::forward<F>(f)))
        return;
    const called_task called(group.state());
    call_at_once(group, std::forward<F>(f));
}

// Makes `f` a task, or calls it. In both cases a copy of `f`, or the object that it was moved to, is called.
template <class Group, class F>
[[gnu::always_inline]] inline void hand_over_or_call(Group& group, F&& f) {
    using function = std::decay_t<F>;
    if constexpr (std::is_trivially_copyable_v<function> && std::is_copy_constructible_v<function>) {
        // Only the address of a second copy is passed on, so a call at once can have the captures in registers.
        function own(std::forward<F>(f));
        if (is_plain()) [[likely]]
            return group.run_here(own);
        function handed(std::as_const(own));
        hand_over_or_mark(group, std::move(handed));
    } else if (!is_plain()) [[unlikely]] {
        hand_over_or_mark(group, std::forward<F>(f));
    } else {
        call_at_once(group, std::forward<F>(f));
    }
}

}  // namespace teff::forking
