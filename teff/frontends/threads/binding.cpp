// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding and migration; see binding.hpp. Functions that use thread-local storage are out of line, since a fiber may
// continue on another thread.
#include <teff/frontends/threads/binding.hpp>

#include <teff/frontends/threads/fiber_leaving.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <string>

namespace teff::threads {
namespace {

// The team in which the calling thread would start a fiber.
[[gnu::noinline]] task_team& team_here() {
    if (running_thread.member == nullptr)
        begin_session();
    task_member* const self = fiber_state::worker_member();
    if (self == nullptr)
        throw thread_exits("teff: a thread that is exiting has no shepherds; ask before the thread's function returns");
    return self->team();
}

void require_shepherd(const task_team& team, unsigned shepherd) {
    const unsigned count = team.shepherds().count();
    if (shepherd >= count)
        throw std::out_of_range("teff: there is no shepherd " + std::to_string(shepherd) + ": the team has " +
                                std::to_string(count) +
                                ", numbered from 0; TEFF_SHEPHERDS and TEFF_NUM_THREADS say how many");
}

[[gnu::noinline]] bool sits_at(unsigned shepherd) noexcept { return fiber_state::worker_member()->sits_at(shepherd); }

}  // namespace

void fiber_state::start_on(unsigned shepherd) {
    task_team& team = team_here();
    require_shepherd(team, shepherd);
    team.prepare_bound_tasks();
    priority = bound | shepherd;
    start();
}

void fiber_state::set_binding(std::uint32_t binding) noexcept {
    priority = binding;
    // A fiber that does not stay parked is queued, which now means in the inbox of its shepherd.
    if (is_bound() && !sits_at(shepherd()))
        park([](void*) noexcept { return false; }, nullptr);
}

}  // namespace teff::threads

namespace teff {

unsigned shepherd_count() { return threads::team_here().shepherds().count(); }

unsigned workers_of_shepherd(unsigned shepherd) {
    const task_team& team = threads::team_here();
    threads::require_shepherd(team, shepherd);
    return bound_tasks::workers_of(team.shepherds(), team.how().settings.slots, shepherd);
}

namespace this_fiber {

[[gnu::noinline]] unsigned shepherd() noexcept {
    task_member* const self = threads::fiber_state::worker_member();
    return self != nullptr ? self->shepherd() : no_shepherd;
}

unsigned bound_to() noexcept {
    const threads::fiber_state* const self = threads::fiber_state::that_can_wait();
    return self != nullptr && self->is_bound() ? self->shepherd() : no_shepherd;
}

void migrate_to(unsigned shepherd) {
    task_team& team = threads::team_here();
    threads::require_shepherd(team, shepherd);
    threads::fiber_state* const self = threads::fiber_state::that_can_wait();
    if (self == nullptr)
        throw not_on_fiber("teff: only a fiber can migrate, and only from its own calls: not inside of another team or "
                           "a reduction");
    team.prepare_bound_tasks();
    self->set_binding(task_header::bound | shepherd);
}

void unbind() noexcept {
    if (threads::fiber_state* const self = threads::fiber_state::that_can_wait())
        self->set_binding(0);
}

}  // namespace this_fiber

}  // namespace teff
