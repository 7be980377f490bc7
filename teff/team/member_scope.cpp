// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches between the strands of a thread. All functions are out of line, so that each accesses the thread-local state
// of the thread that it runs on.
#include <teff/team/member_scope.hpp>

#include <teff/observe/thread_waits.hpp>
#include <teff/team/task_team.hpp>

namespace teff {

strand& switch_to(strand& next) noexcept {
    strand& before = running_strand();
    switch_to(running_thread, next);
    return before;
}

member_scope::member_scope(task_member& self) noexcept
    : outer_(running_strand()), self_(self), outer_member_(running_thread.member),
      outer_scope_(running_thread.innermost) {
    inner_.views = outer_.views;
    inner_.place = outer_.place;
    inner_.stack = outer_.stack;
    inner_.home = outer_.home;
    inner_.around.task = outer_.around.task;
    running_thread.innermost = this;
    // A guest of an arena has opened no team.
    know_this_thread();
    running_thread.member = &self;
    switch_to(inner_);
}

member_scope::~member_scope() {
    if (inner_.spawned != nullptr) [[unlikely]]
        inner_.spawned->end(*inner_.spawned);
    outer_.views = inner_.views;
    running_thread.member = outer_member_;
    running_thread.innermost = outer_scope_;
    switch_to(outer_);
}

task_member* member_scope::find(const task_team& team, bool& is_innermost) noexcept {
    // In the child of a fork() the thread is no member any more.
    if (running_thread.member == nullptr)
        return nullptr;
    const member_scope* const first = running_thread.innermost;
    for (const member_scope* each = first; each != nullptr; each = each->outer_scope_) {
        if (&each->self_.team() == &team) {
            is_innermost = each == first;
            return &each->self_;
        }
    }
    return nullptr;
}

}  // namespace teff
