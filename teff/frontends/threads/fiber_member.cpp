// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of a fiber for tasks, and the decision whether its forks are plain; see fiber_member.hpp.
#include <teff/frontends/threads/fiber_member.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/running_thread.hpp>

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

namespace {

bool can_be_left() noexcept { return fiber_state::that_can_wait() != nullptr; }

}  // namespace

bool fiber_member::push(task_header& made) noexcept { return can_be_left() && worker_.push(made); }

// If forks must be plain, the member reports that enough tasks are queued.
unsigned fiber_member::visible() const noexcept { return can_be_left() ? worker_.visible() : unlimited; }
std::size_t fiber_member::queued() const noexcept { return can_be_left() ? worker_.queued() : unlimited; }

void fiber_member::give_up_seat() noexcept {
    if (!running_strand().home->fiber->is_bound())
        worker_.give_up_seat();
}

bool fiber_member::wait(const wait_condition& awaited, const wait_rules& rules) noexcept {
    if (rules.until != nullptr) {
        if (awaited.is_met())
            return false;
        if (worker_.take_back(*rules.until))
            return true;
        wait_for_job(*rules.until);
    } else if (can_be_left()) {
        while (!awaited.is_met())
            wait_for_count(*awaited.watched);
    } else {
        wait_on_thread(awaited, rules);
    }
    return false;
}

// Makes the thread the worker's member for the wait, since the tasks that it runs are the worker's. Keeps the worker's
// seat, since the fiber below may be bound.
void fiber_member::wait_on_thread(const wait_condition& awaited, const wait_rules& rules) noexcept {
    running_thread.member = &worker_;
    kept_seat kept;
    worker_.keep_seat(kept);
    [[maybe_unused]] const bool taken_back = worker_.wait(awaited, rules);
    worker_.end_keeping_seat(kept);
    // In the child of a fork() the thread is no member any more.
    if (running_thread.member != nullptr)
        running_thread.member = this;
}

}  // namespace teff::threads
