// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of a crew, and the choice of the member that gets a job; see crew.hpp.
#include <teff/frontends/fork_join/crew.hpp>

#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>

#include <algorithm>

namespace teff::forking {
namespace {

// The mailbox of the member with this number.
mailbox<task_header>& mailbox_of(task_team& team, const crew& among, unsigned number) noexcept {
    slots<mailbox<task_header>>& all = *team.mailboxes();
    const unsigned slot = among.first + number;
    return all[slot < all.size() ? slot : slot - all.size()];
}

}  // namespace

crew others(std::size_t most) noexcept {
    task_member* const self = running_thread.member;
    if (self == nullptr || self->team().mailboxes() == nullptr || !has_stack())
        return {};
    const std::size_t slots = self->team().how().settings.slots;
    return {self->slot(), 1, static_cast<unsigned>(std::min(slots, most + 1))};
}

crew those_after_me(unsigned first, unsigned end) noexcept {
    const task_member* const self = running_thread.member;
    // In the child of a fork() there are no other members.
    if (self == nullptr)
        return {first, end, end};
    const unsigned slots = self->team().how().settings.slots;
    const unsigned number = self->slot() + (self->slot() < first ? slots : 0) - first;
    return {first, number < end ? number + 1 : end, end};
}

unsigned link_to_any(const crew& among, job& made) {
    // Checked again: since the crew was made, the process may have called fork(), and the outer parts of the call have
    // used some of the stack.
    if (among.is_empty() || running_thread.member == nullptr || !has_stack())
        return nobody;
    task_member& self = *running_thread.member;
    task_team& team = self.team();
    if (team.is_stopping())
        throw_stopped();
    strand& own_strand = running_strand();
    made.before = own_strand.youngest;
    own_strand.youngest = &made;
    prepare_to_give(self, own_strand, made);
    const auto gives_to = [&](unsigned number) {
        made.given_to = &mailbox_of(team, among, number);
        return made.given_to->put(made);
    };
    // Gives the job to the wanted member without checking first whether it waits: in a sequence of loops it does, and
    // the check would move its cache line once more. If a task begins a loop of its own (looks_first), the others may
    // well be busy, and an exchange without a check would take their lines away.
    const unsigned wanted = among.end - among.given();
    const bool looks_first = among.begin == 1 && self.is_inside();
    const bool may_wait = !looks_first || mailbox_of(team, among, wanted).is_open();
    unsigned number = may_wait && gives_to(wanted) ? wanted : nobody;
    const auto tries = [&](unsigned next) {
        if (mailbox_of(team, among, next).is_open() && gives_to(next))
            number = next;
    };
    for (unsigned next = wanted + 1; number == nobody && next != among.end; ++next)
        tries(next);
    for (unsigned next = wanted; number == nobody && next-- != among.begin;)
        tries(next);
    if (number == nobody)
        own_strand.youngest = made.before;
    else
        self.count_given();
    return number;
}

}  // namespace teff::forking
