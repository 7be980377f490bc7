// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of the derived classes: counting tasks, waking threads, recycling descriptors.
#include <teff/scheduler/task_scheduler.hpp>

#include <teff/base/sanitizers.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace teff {
namespace {

std::size_t limit_of(const scheduler_settings& settings) noexcept {
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    const std::size_t own = settings.task_limit == 0 ? unlimited : settings.task_limit;
    return settings.max_queued == 0 ? own : std::min(own, settings.max_queued);
}

}  // namespace

task_scheduler::task_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                               std::size_t payload_alignment)
    : dealing_team(settings, idle), payload_size_(payload_size), payload_alignment_(payload_alignment),
      limit_(limit_of(settings)) {}

task_scheduler::~task_scheduler() = default;

void task_scheduler::prepare_for_idle_workers() noexcept {
    registry_.expect(std::min(1 + idle_.count(), settings_.slots));
}

bool task_scheduler::enter(unsigned slot, unsigned worker) noexcept {
    member& mine = slots_[slot];
    const bool needs_pool = payload_size_ != 0 && !mine.pool.is_open();
    if (needs_pool && !mine.pool.open(payload_size_, payload_alignment_))
        return false;
    if (!join_slot(slot, worker))
        return false;
    mine.was_entered = true;
    registry_[slot].enter();
    registry_.admit(slot);
    end_look(slot);
    return true;
}

void task_scheduler::leave(unsigned slot) noexcept {
    leave_slot(slot);
    begin_look(slot);
    registry_.leave(slot);
}

bool task_scheduler::admits(unsigned slot, std::size_t pending) noexcept {
    if (!has_room(slot))
        return false;
    if (pending < limit_) [[likely]]
        return true;
    return admits_beyond_limit(slot);
}

// A task beyond the limit is accepted only if a worker is idle and the queue of some member has run dry.
bool task_scheduler::admits_beyond_limit(unsigned slot) noexcept {
    const bool is_needed = idle_.any() && has_dry_queue();
    slots_[slot].is_beyond_limit = is_needed;
    return is_needed;
}

task_descriptor* task_scheduler::make(unsigned slot) noexcept {
    if (!has_room(slot))
        return nullptr;
    descriptor_pool& pool = slots_[slot].pool;
    if (pool.pending() >= limit_) [[unlikely]] {
        pool.gather_some();
        if (pool.pending() >= limit_ && !admits_beyond_limit(slot))
            return nullptr;
    }
    return pool.take();
}

task_descriptor* task_scheduler::make_unbounded(unsigned slot) noexcept {
    descriptor_pool& pool = slots_[slot].pool;
    if (task_descriptor* const taken = pool.take())
        return taken;
    pool.gather();
    return pool.take();
}

void task_scheduler::take_back(unsigned slot, task_descriptor& made) noexcept { slots_[slot].pool.put_back(made); }

void task_scheduler::push(unsigned slot, task_header& made) noexcept {
    sanitizers::happens_before(&made);
    slots_[slot].account.count_push();
    const unsigned only_for = push_to_queue(slot, made);
    if (only_for == no_memory) [[unlikely]]
        keep(slot, made);
    // seq_cst: the task is in its queue before we look for idle workers; partner: the fence in
    // event_count::prepare_sleep(). So no idle worker misses the task, and tasks may wait for each other if there are
    // enough members. Compared with the queues' own operations the fence costs nothing.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (idle_.any()) [[unlikely]]
        advertisement_.advertise(idle_);
    notify_if_asleep(only_for);
}

void task_scheduler::push_overflow(unsigned slot, task_header& made) noexcept {
    slots_[slot].account.count_push();
    keep(slot, made);
}

void task_scheduler::keep(unsigned slot, task_header& task) noexcept {
    // relaxed: only the member uses the list.
    task.next.store(std::exchange(slots_[slot].overflow, &task), std::memory_order_relaxed);
}

task_header* task_scheduler::claim(unsigned slot) noexcept {
    task_header* const claimed = claim_untold(slot);
    if (claimed != nullptr)
        sanitizers::happens_after(claimed);
    return claimed;
}

inline task_header* task_scheduler::claim_untold(unsigned slot) noexcept {
    member& mine = slots_[slot];
    if (mine.hand != nullptr) [[unlikely]]
        return std::exchange(mine.hand, nullptr);
    if (task_header* const next = pop(slot))
        return next;
    task_header* const kept = mine.overflow;
    if (kept != nullptr)
        // relaxed: only the member uses the list.
        mine.overflow = kept->next.load(std::memory_order_relaxed);
    return kept;
}

void task_scheduler::release(unsigned slot, task_descriptor& claimed) noexcept {
    member& mine = slots_[slot];
    if (claimed.owner == &mine.pool)
        mine.pool.put_back(claimed);
    else
        descriptor_pool::finish(claimed);
    mine.run_uncounted = true;
}

void task_scheduler::ran_one(unsigned slot) noexcept {
    member& mine = slots_[slot];
    if (std::exchange(mine.run_uncounted, false))
        mine.account.count_run();
}

void task_scheduler::retire(unsigned slot) noexcept {
    slots_[slot].account.release_hold();
    notify_if_finished();
}

bool task_scheduler::steal(unsigned slot) noexcept {
    advertisement_.withdraw();
    member& mine = slots_[slot];
    if (mine.hand == nullptr)
        mine.hand = claim_untold(slot);
    if (mine.hand == nullptr)
        mine.hand = steal_from_others(slot);
    return mine.hand != nullptr;
}

bool task_scheduler::has_visible_work() const noexcept { return wants_workers() || has_free_tasks(); }

}  // namespace teff
