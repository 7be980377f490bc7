// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspended tasks, and tasks that run on fibers of their own; see suspension.hpp.
#include <teff/frontends/threads/suspension.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/team/guests.hpp>
#include <teff/team/task_team.hpp>

#include <new>

namespace teff {

resume_dropped::resume_dropped()
    : std::runtime_error("teff: a suspended task cannot be resumed any more: its resume_handle was destroyed without a "
                         "call of resume(). Keep the handle until the event, or call it where the event is given up") {}

}  // namespace teff

namespace teff::threads {
namespace {

// A fiber whose function is a task of a team. It is detached from the start, and never in a queue before it runs.
class carrier final : public fiber_state {
public:
    explicit carrier(task_header& carried) noexcept : fiber_state(does, site{}), task_(carried) {}

private:
    // The task may be gone afterwards.
    static void run_carried(task_header& task) noexcept {
        // Tells ThreadSanitizer what a member tells it that runs a task (task_member_of.hpp).
        sanitizers::happens_after(&task);
        task.run(task);
    }
    static void call(fiber_state& self, local_values& locals) {
        run_carried(static_cast<carrier&>(self).task_);
        locals.destroy_all();
    }
    static void destroy(fiber_state& self) noexcept { delete static_cast<carrier*>(&self); }
    // A task throws nothing, so the exception means that there was no memory for a stack, and the task has not run.
    static void fail(fiber_state& self, std::exception_ptr) noexcept {
        run_carried(static_cast<carrier&>(self).task_);
    }
    static constexpr actions does{&call, &destroy, &fail};

    task_header& task_;
};

}  // namespace

void suspension::wait() noexcept {
    here_.wait({.kind = "suspended task", .event = "to be resumed", .object = this}, &run_on_fiber);
}

}  // namespace teff::threads

namespace teff {

void run_on_fiber(task_member& self, task_header& taken) noexcept {
    // A fixed team counts a task as ended when run() returns, so its tasks must not be suspended.
    if (threads::fiber_state::is_fiber(taken) || self.team().is_fixed())
        return self.run(taken);
    threads::carrier* made = nullptr;
    try {
        made = new threads::carrier(taken);
    } catch (const std::bad_alloc&) {
        return self.run(taken);
    }
    made->run_detached_on(self);
}

}  // namespace teff
