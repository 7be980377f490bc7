// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of tasks in the chain of the running strand (runtime/enclosing.hpp), for the scope in which they run.
#pragma once

#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/runtime/running_strand.hpp>

namespace teff::forking {

// A task that its group counts. It runs on top of what is on the stack, so around() is what is around the code that has
// made it, with this entry.
class counted_task {
public:
    counted_task(const group_state& group, const enclosing& made_in) noexcept
        : self_{&group, running_strand().around.task, true, false}, around_(made_in) {
        around_.task = &self_;
    }
    counted_task(const counted_task&) = delete;
    counted_task& operator=(const counted_task&) = delete;

    const enclosing& around() const noexcept { return around_; }

private:
    const running_task self_;
    enclosing around_;
};

// A task that is called at once. It is a part of the code that calls it.
class called_task {
public:
    explicit called_task(group_state& group) noexcept
        : strand_(running_strand()), self_{&group, strand_.around.task, false, true} {
        strand_.around.task = &self_;
        group.expect_wait_inside();
    }
    ~called_task() { strand_.around.task = self_.around; }
    called_task(const called_task&) = delete;
    called_task& operator=(const called_task&) = delete;

private:
    strand& strand_;
    const running_task self_;
};

}  // namespace teff::forking
