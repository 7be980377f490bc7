// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a task runs, it has an entry in the running strand's chain of enclosing tasks (strand/strand.hpp). By the
// chain a wait detects that it would wait for its own task (place_in_tasks_of(), in group_state.cpp).
#pragma once

#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/strand/running_strand.hpp>

namespace teff::forking {

class arena_life;

// Where the calling code is with respect to the tasks of a group or an arena.
enum class place_in_tasks {
    outside,
    inside,  // the code is a part of a task of the group
    on_top   // the code runs on top of a task of the group, and that task waits
};
place_in_tasks place_in_tasks_of(const void* group) noexcept;

// A task that its group, its arena or another waiter counts. It runs on top of unrelated code on the stack. So around()
// is the chain of the code that has made the task, with the task's own entry in front.
class counted_task {
public:
    counted_task(const group_state& group, const enclosing& made_in) noexcept : counted_task(&group, made_in, false) {}
    counted_task(const arena_life& home, const enclosing& made_in) noexcept : counted_task(&home, made_in, true) {}
    // Another task that runs on top of unrelated code: a dataflow task, or a coroutine that is resumed.
    explicit counted_task(const enclosing& made_in) noexcept : counted_task(nullptr, made_in, false) {}
    counted_task(const counted_task&) = delete;
    counted_task& operator=(const counted_task&) = delete;

    const enclosing& around() const noexcept { return around_; }

private:
    counted_task(const void* counts, const enclosing& made_in, bool is_of_arena) noexcept
        : self_{counts, running_strand().around.task, true, false, is_of_arena}, around_(made_in) {
        around_.task = &self_;
    }

    const running_task self_;
    enclosing around_;
};

// A task that is called at once, as a part of the calling code.
class called_task {
public:
    explicit called_task(group_state& group) noexcept : called_task(group, false) { group.check_next_wait(); }
    // A part of a task that an arena counts may be counted by its group, too.
    called_task(const group_state& group, bool is_counted) noexcept
        : strand_(running_strand()), self_{&group, strand_.around.task, is_counted, true} {
        strand_.around.task = &self_;
    }
    ~called_task() { strand_.around.task = self_.around; }
    called_task(const called_task&) = delete;
    called_task& operator=(const called_task&) = delete;

private:
    strand& strand_;
    const running_task self_;
};

}  // namespace teff::forking
