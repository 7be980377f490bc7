// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread as a member of a team of tasks, for the time of a scope.
#pragma once

#include <teff/runtime/running_strand.hpp>

#include <utility>

namespace teff {

// Installs `self` as the calling thread's member, with a strand of its own above the one that runs, and undoes that.
// Both ends ring once: requests to the thread's other self may have been missed.
class member_scope {
public:
    explicit member_scope(task_member& self) noexcept;
    ~member_scope();
    member_scope(const member_scope&) = delete;
    member_scope& operator=(const member_scope&) = delete;

private:
    strand& outer_;
    strand inner_;
    task_member* const outer_member_;
};

}  // namespace teff
