// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common parts of the scenarios of forks and of groups: a team of the calling thread, and functions that must be
// called once.
#pragma once

#include "scenarios.hpp"

#include <tests/conformance/caller_team.hpp>

#include <teff/base/allocation.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

#include <cstddef>

namespace scenarios {

namespace forking = teff::forking;

// A team whose caller is the calling thread.
class open_team : public conformance::caller_team {
public:
    explicit open_team(unsigned slots, const char* scheduler = "demand",
                       std::size_t private_items = teff::scheduler_settings{}.private_items,
                       long spin_us = 10,  // one look at the model's clock
                       std::size_t rename_memory = teff::team_options{}.rename_memory)
        : caller_team(options_of(slots, scheduler, private_items, spin_us, rename_memory)) {}

private:
    static teff::team_options options_of(unsigned slots, const char* scheduler, std::size_t private_items,
                                         long spin_us, std::size_t rename_memory) {
        teff::team_options how;
        how.settings.slots = slots;
        how.settings.private_items = private_items;
        how.settings.dry_polls = 1;
        how.scheduler = scheduler;
        how.spin_us = spin_us;
        how.rename_memory = rename_memory;
        how.fiber_stack = std::size_t{64} << 10;  // of the thread's heap
        return how;
    }
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
