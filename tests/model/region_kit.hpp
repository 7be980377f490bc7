// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of the scenarios of regions: a fixed team of the calling thread and of the pool's workers.
#pragma once

#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/task_team.hpp>

#include <type_traits>

namespace scenarios {

// A real team that the calling thread has formed and dissolves at the end of the scope.
class region_team {
public:
    explicit region_team(unsigned slots, const char* scheduler = "demand", unsigned shepherds = 0) {
        teff::team_options how;
        how.settings.slots = slots;
        how.settings.block_size = 2;
        how.settings.epoch_threshold = 1;
        how.settings.dry_polls = 1;
        how.settings.shepherds = shepherds;
        how.scheduler = scheduler;
        how.spin_us = 10;  // one look at the model's clock
        made_ = teff::make_task_team(how, {}, teff::admission::fixed);
        made_->form();
        model::check(made_->member_count() == slots, "the team has too few members");
    }
    ~region_team() {
        made_->dissolve();
        teff::destroy(made_);
    }
    region_team(const region_team&) = delete;
    region_team& operator=(const region_team&) = delete;

    teff::task_team& operator*() const noexcept { return *made_; }
    teff::task_team* operator->() const noexcept { return made_; }

    // Calls body(member, size) on `size` members.
    template <class Body>
    void run(unsigned size, Body&& body) {
        const auto call = [](void* argument, unsigned member, unsigned members) noexcept {
            (*static_cast<std::remove_reference_t<Body>*>(argument))(member, members);
        };
        model::check(made_->run_region(size, call, &body) == size, "the region has a wrong size");
    }

private:
    teff::task_team* made_;
};

inline teff::task_member& self() noexcept { return *teff::running_thread.member; }

}  // namespace scenarios
