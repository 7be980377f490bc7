// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scenarios of forks and of groups share: a team of the calling thread, and functions that must be called
// once.
#pragma once

#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/team_options.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/task_team.hpp>

#include <cstddef>

namespace scenarios {

namespace forking = teff::forking;

// A team whose caller is the calling thread.
class open_team {
public:
    explicit open_team(unsigned slots, const char* scheduler = "demand",
                       std::size_t private_items = teff::scheduler_settings{}.private_items,
                       long spin_us = 10,  // one look at the model's clock
                       std::size_t rename_memory = teff::team_options{}.rename_memory) {
        teff::team_options how;
        how.settings.slots = slots;
        how.settings.private_items = private_items;
        how.settings.dry_polls = 1;
        how.scheduler = scheduler;
        how.spin_us = spin_us;
        how.rename_memory = rename_memory;
        how.fiber_stack = std::size_t{64} << 10;  // of the thread's heap
        made_ = teff::make_task_team(how, {});
        made_->enter_as_caller();
    }
    ~open_team() {
        made_->leave_as_caller();
        teff::destroy(made_);
    }
    open_team(const open_team&) = delete;
    open_team& operator=(const open_team&) = delete;

    teff::task_team& operator*() const noexcept { return *made_; }
    teff::task_team* operator->() const noexcept { return made_; }

private:
    teff::task_team* made_;
};

// A function that must be called exactly once, and whose effect must be visible at its join.
class visit {
public:
    explicit visit(unsigned number) noexcept : number_(number) {}
    unsigned operator()() noexcept {
        model::take(number_);
        left_ = number_ + 1;
        return left_;
    }
    void expect(unsigned result) const noexcept {
        model::check(result == number_ + 1 && left_ == number_ + 1, "a result did not arrive");
    }

private:
    const unsigned number_;
    unsigned left_ = 0;
};

// A group whose functions throw nothing.
class plain_group : public forking::group_state {
public:
    forking::group_state& state() noexcept { return *this; }
    template <class F>
    static void run_here(F& f) noexcept {
        f();
    }
};
// Makes the function a task of the group, or calls it.
template <class F>
void run_in(plain_group& group, const F& function) {
    if (!forking::hand_over(group, function))
        function();
}

}  // namespace scenarios
