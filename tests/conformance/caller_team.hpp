// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team with options of the test's own, such as one that does not know the machine, whose caller is the calling
// thread as long as the object lives. Also for scenarios of the model checker.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

namespace conformance {

class caller_team {
public:
    explicit caller_team(const teff::team_options& how) : made_(teff::make_task_team(how, {})) {
        made_->enter_as_caller();
    }
    ~caller_team() {
        made_->leave_as_caller();
        teff::destroy(made_);
    }
    caller_team(const caller_team&) = delete;
    caller_team& operator=(const caller_team&) = delete;

    teff::task_team& operator*() const noexcept { return *made_; }
    teff::task_team* operator->() const noexcept { return made_; }

private:
    teff::task_team* const made_;
};

}  // namespace conformance
