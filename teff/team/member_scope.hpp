// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the calling thread a member of a task team for the duration of a scope.
#pragma once

#include <teff/strand/running_strand.hpp>

#include <utility>

namespace teff {

class task_team;

// The constructor installs `self` as the calling thread's member, with a new strand nested in the running one; the
// destructor undoes that. Both set the thread's own request flag once, since the thread may have missed requests while
// it worked as another member.
class member_scope {
public:
    explicit member_scope(task_member& self) noexcept;
    ~member_scope();
    member_scope(const member_scope&) = delete;
    member_scope& operator=(const member_scope&) = delete;

    task_member& self() const noexcept { return self_; }
    // The thread's next scope outwards; nullptr: none.
    const member_scope* outer() const noexcept { return outer_scope_; }

    // The calling thread's member of this team, even if the thread has joined other teams since; nullptr: none.
    // is_innermost: whether it works as this member now.
    static task_member* find(const task_team& team, bool& is_innermost) noexcept;

private:
    strand& outer_;
    strand inner_;
    task_member& self_;
    task_member* const outer_member_;
    const member_scope* const outer_scope_;
};

}  // namespace teff
