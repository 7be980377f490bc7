// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for tasks in the teams further out; see outer_work.hpp.
#include <teff/team/outer_work.hpp>

#include <teff/base/backoff.hpp>

namespace teff {
namespace {

// The first scope, from `in` outwards, in which the thread is this member; nullptr: there is none.
const member_scope* first_of(const task_member& member, const member_scope* in) noexcept {
    while (in != nullptr && &in->self() != &member)
        in = in->outer();
    return in;
}

}  // namespace

// Calls visit(member) for each team further out, the nearest first, until it returns true; returns that member.
template <class Visit>
task_member* outer_work::find(Visit&& visit) const noexcept {
    // In the child of a fork() the thread is in none of its scopes any more.
    const member_scope* const innermost = running_thread.innermost;
    for (const member_scope* each = innermost; each != nullptr; each = each->outer()) {
        task_member& member = each->self();
        // If the thread works as this member in a scope further in, too, the member was visited already.
        const bool is_new = &member != &self_ && first_of(member, innermost) == each;
        if (is_new && !member.team().is_fixed() && visit(member))
            return &member;
        if (!member.team().takes_guests() && first_of(member, each->outer()) == nullptr)
            return nullptr;
    }
    return nullptr;
}

void outer_work::pass_on() noexcept {
    find([](task_member& outer) {
        outer.team().pass_on_wake_up();
        return false;
    });
}

// Whether the thread takes tasks out of other members' queues. In a team that deals tasks out, always: only this thread
// can take those dealt to it, and the members that deal do not know how much stack is left here.
bool outer_work::takes_others(const task_member& outer) const noexcept {
    return rules_.takes_others || !outer.team().shares_on_request();
}
// Whether the thread leaves even its own tasks to an idle worker, since its stack is used up.
bool outer_work::leaves_all(const task_member& outer) const noexcept {
    return rules_.leaves_own && outer.team().idle().any();
}

bool outer_work::look() noexcept {
    is_due_ = find([&](task_member& outer) {
                  return !leaves_all(outer) && outer.sees_work(takes_others(outer));
              }) != nullptr;
    has_slept_ = has_slept_ && is_due_;
    return is_due_;
}

void outer_work::run_one() noexcept {
    is_due_ = false;
    task_header* taken = nullptr;
    // Taking a task may change the seat of this member, on which the code below on the stack relies.
    kept_seat kept;
    task_member* const owner = find([&](task_member& outer) {
        if (leaves_all(outer))
            return false;
        outer.keep_seat(kept);
        taken = outer.take_some(takes_others(outer));
        if (taken == nullptr)
            outer.end_keeping_seat(kept);
        return taken != nullptr;
    });
    // Passed on before the task, which may be long.
    if (std::exchange(has_slept_, false))
        pass_on();
    if (owner == nullptr) {
        yield_thread();
        return;
    }
    {
        const scoped_return level(*owner);
        if (rules_.runs != nullptr)
            rules_.runs(*owner, *taken);
        else
            owner->run(*taken);
    }
    owner->end_keeping_seat(kept);
}

void outer_work::announce(event_count& where) noexcept {
    is_announced_ = true;
    find([&](task_member& outer) {
        // In a quiet team no thread would be woken.
        outer.team().idle().bursts().end_quiet();
        outer.team().sleepers(takes_others(outer)).add_second(outer.second(), where);
        outer.team().request();
        return false;
    });
}

void outer_work::withdraw() noexcept {
    is_announced_ = false;
    has_slept_ = true;
    find([&](task_member& outer) {
        outer.team().sleepers(takes_others(outer)).remove_second(outer.second());
        return false;
    });
}

[[gnu::noinline]] void leave_for_a_while() noexcept {
    if (task_member* const self = running_thread.member) {
        self->show_all();
        self->give_up_seat();
    }
}

}  // namespace teff
