// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The waits of a fiber for a job and for a count latch; see task_wait.hpp.
#include <teff/frontends/threads/task_wait.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/strand/running_strand.hpp>

namespace teff::threads {
namespace {

// One wait for a job; lies on the stack of the waiting fiber.
struct task_wait : parked_wait {
    task_wait() noexcept : parked_wait{[](parked_wait& self) noexcept { static_cast<task_wait&>(self).here.wake(); }} {}

    parking here;
};

struct job_wait : task_wait {
    job_wait(task_header& awaited, strand& fiber) noexcept : job(awaited), of(fiber) {}

    // Called when the fiber may be made ready. False: the job has ended already.
    bool begins() noexcept {
        of.parked = this;
        // release: the fiber can be entered, and `parked` be read; partner: the acquire at the end of a taken job.
        // acquire: what the job did is seen where the fiber goes on; partner: the release there.
        if ((job.state.fetch_or(task_header::has_waiter, std::memory_order_acq_rel) & task_header::unfinished) != 0)
            return true;
        sanitizers::happens_after(job.state.address());
        return false;
    }

    task_header& job;
    strand& of;
};

struct count_wait : task_wait {
    explicit count_wait(count_latch& awaited) noexcept : count(awaited) {}

    bool begins() noexcept { return count.watch_unless_over(self); }

    count_latch& count;
    count_latch::watcher self{.where = nullptr, .parked = this};
};

template <class Wait>
void park(Wait& wait, const char* what) noexcept {
    wait.here.wait_if(
        {.kind = what, .event = "to end", .is_for_tasks = true},
        [](void* self) noexcept { return static_cast<Wait*>(self)->begins(); }, &wait);
}

}  // namespace

void wait_for_job(task_header& job) noexcept {
    job_wait wait(job, running_strand());
    park(wait, "the second function of a fork");
}

void wait_for_count(count_latch& count) noexcept {
    count_wait wait(count);
    park(wait, "tasks of a group");
}

}  // namespace teff::threads
