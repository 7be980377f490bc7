// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of tasks in the chain of the running strand (runtime/enclosing.hpp), for the scope in which they run.
// They show a wait that would wait for its own task.
#pragma once

#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/runtime/running_strand.hpp>

namespace teff::forking {

class arena_life;

// Where the calling code is with respect to the tasks of a group or an arena.
enum class place_in_tasks {
    outside,
    inside,  // the code is a part of a task of the group
    on_top   // the code runs on top of one, which waits
};
place_in_tasks place_in_tasks_of(const void* group) noexcept;

// A task that its group counts, or its arena. It runs on top of what is on the stack, so around() is what is around the
// code that has made it, with this entry.
class counted_task {
public:
    counted_task(const group_state& group, const enclosing& made_in) noexcept : counted_task(&group, made_in, false) {}
    counted_task(const arena_life& home, const enclosing& made_in) noexcept : counted_task(&home, made_in, true) {}
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

// A task that is called at once. It is a part of the code that calls it.
class called_task {
public:
    explicit called_task(group_state& group) noexcept : called_task(group, false) { group.expect_wait_inside(); }
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
