// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of a team that are bound to a shepherd: fibers that only the workers of that shepherd may run, as Qthreads'
// qthread_fork_to and qthread_migrate_to ask for (Evans and others, ROSS 2017, section 2.3: explicit locality).
//
// A shepherd has an inbox of tasks, first in, first out, and as many seats as it has workers. A member takes tasks out
// of an inbox only while it has a seat of that shepherd, and it has one seat at most:
//
//   shepherd 0   inbox [ o o ]    seats: member 0, free
//   shepherd 1   inbox [ ]        seats: member 1, member 3
//   shepherd 2   inbox [ o ]      seats: free
//
// Workers join and leave a team, and a nested team may get no worker but its caller. So a shepherd consists of seats
// and not of threads. The home of a member is the shepherd to which the scheduler, too, assigns its worker
// (shepherds.hpp). A member takes a seat there when it first looks for bound tasks. While another shepherd has tasks
// and a free seat, a member that has no other task moves there, runs some of them, and goes home again.
//
// So at most as many threads as a shepherd has workers run its tasks at the same time, and a thread on a seat sees what
// was done on this seat before.
//
//                      put  take  try_sit  stand_up  has, any, find_unattended    safe together?
//   put                yes  yes     yes      yes                yes               any thread
//   take                    yes     yes      yes                yes               a thread that has a seat there
//   try_sit, stand_up               yes      yes                yes               any thread
//   has, any, find_unattended                                   yes               any thread; take no lock
//
// No task waits for ever while threads sleep. If all seats of its shepherd are taken, each holder is inside of a task
// or looks into the inbox before it sleeps. (Before that it runs the tasks of its own queue.) A holder that will not
// look gives up its seat: a member that leaves the team, continues in another team, or sleeps with its thread; and the
// team's caller when it is outside of all tasks. A bound fiber keeps the seat below it in all these cases: it will
// continue there. After a wait a member keeps no seat away from home. If a seat is free, any thread may take the task,
// so the task counts as visible work: for a member that looks for work or is about to sleep, and for the pool. Three
// threads take part in the argument that a sleeper does not miss the task:
//   a producer puts the task (W1);          fence F1;  looks for sleepers and wakes them
//   a sleeper announces its sleep;          fence F2;  looks for tasks, then for a free seat;  sleeps
//   a former holder gives its seat up (W3); fence F3;  looks for tasks, and if there are some, wakes sleepers
// In the single order of the seq_cst fences: if the sleeper sees no task, F2 precedes F1, and the producer wakes it. If
// the sleeper sees the task and no free seat, F2 precedes F3. Then the former holder sees the sleeper, and wakes it if
// it sees the task. If it does not see the task, F3 precedes F1. Hence F2 precedes F1, and the producer wakes the
// sleeper.
//
// Rejected: keeping bound tasks in the scheduler, which must not deal or steal them. Each of the eleven schedulers
// would need a second kind of queue.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/task/task_header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace teff {

class bound_tasks {
public:
    static constexpr unsigned none = ~0U;

    // For a team with so many slots. Throws std::bad_alloc.
    bound_tasks(const shepherd_rule& rule, unsigned team_slots) : rule_(rule), inboxes_(rule.count()) {
        for (unsigned i = 0; i < count(); ++i)
            // relaxed: published with this object.
            inboxes_[i].free_seats.store(workers_of(rule, team_slots, i), std::memory_order_relaxed);
    }

    const shepherd_rule& rule() const noexcept { return rule_; }
    unsigned count() const noexcept { return inboxes_.size(); }
    // How many workers a shepherd has in a team with so many slots. At least one: where no slot belongs to it, as in a
    // small team on a large machine, any member serves it.
    static unsigned workers_of(const shepherd_rule& rule, unsigned team_slots, unsigned shepherd) noexcept {
        unsigned workers = 0;
        for (unsigned slot = 0; slot < team_slots; ++slot)
            workers += rule.of(slot, slot) == shepherd ? 1 : 0;
        return std::max(workers, 1U);
    }

    // Puts the task into the inbox of its shepherd. The caller must then wake threads.
    void put(task_header& ready) noexcept {
        inbox& to = inboxes_[ready.shepherd()];
        const scoped_lock locked(to.lock);
        // relaxed, all: written under the lock; the fence F1 orders them for those that look without it.
        const unsigned before = to.size.load(std::memory_order_relaxed);
        if (before == 0) {
            to.first = &ready;
            in_use_.fetch_add(1, std::memory_order_relaxed);
        } else {
            to.last->next.store(&ready, std::memory_order_relaxed);
        }
        to.last = &ready;
        to.size.store(before + 1, std::memory_order_relaxed);
    }
    // Takes the oldest task; nullptr if there is none.
    task_header* take(unsigned shepherd) noexcept {
        inbox& from = inboxes_[shepherd];
        if (!has(shepherd))
            return nullptr;
        const scoped_lock locked(from.lock);
        // relaxed, all: as in put().
        const unsigned before = from.size.load(std::memory_order_relaxed);
        if (before == 0)
            return nullptr;
        task_header* const oldest = from.first;
        from.first = oldest->next.load(std::memory_order_relaxed);
        from.size.store(before - 1, std::memory_order_relaxed);
        if (before == 1)
            in_use_.fetch_sub(1, std::memory_order_relaxed);
        return oldest;
    }

    bool try_sit(unsigned shepherd) noexcept {
        atomic<unsigned>& free = inboxes_[shepherd].free_seats;
        // relaxed: the compare-and-swap checks the value.
        unsigned seen = free.load(std::memory_order_relaxed);
        while (seen != 0)
            // acquire: sees what was done on the seat; partner: the release in stand_up(). relaxed on failure: tried
            // again.
            if (free.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire, std::memory_order_relaxed)) {
                sanitizers::happens_after(free.address());
                return true;
            }
        return false;
    }
    // True: tasks are left, and the caller has to wake threads.
    bool stand_up(unsigned shepherd) noexcept {
        sanitizers::happens_before(inboxes_[shepherd].free_seats.address());
        // release: the next thread on the seat sees what we did; partner: the acquire in try_sit().
        inboxes_[shepherd].free_seats.fetch_add(1, std::memory_order_release);
        // seq_cst: F3 of the argument above; partner: the fence in event_count::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        return has(shepherd);
    }

    // The following functions give hints, or what the argument above needs.
    // relaxed: ordered by the fences of the argument above.
    bool any() const noexcept { return in_use_.load(std::memory_order_relaxed) != 0; }
    // The number of all tasks.
    std::size_t queued() const noexcept {
        std::size_t sum = 0;
        for (unsigned i = 0; any() && i < count(); ++i)
            // relaxed: as above.
            sum += inboxes_[i].size.load(std::memory_order_relaxed);
        return sum;
    }
    // relaxed: as above.
    bool has(unsigned shepherd) const noexcept { return inboxes_[shepherd].size.load(std::memory_order_relaxed) != 0; }
    // The first shepherd from `from` on that has tasks and a free seat; `none` if no shepherd has both.
    unsigned find_unattended(unsigned from) const noexcept {
        for (unsigned i = 0; any() && i < count(); ++i) {
            const unsigned next = (from + i) % count();
            // relaxed: as above.
            if (has(next) && inboxes_[next].free_seats.load(std::memory_order_relaxed) != 0)
                return next;
        }
        return none;
    }
    // Whether a member of another NUMA domain leaves the shepherd's tasks to its own workers for now. Returns true a
    // fixed number of times, then false once.
    bool is_left_to_its_workers(unsigned shepherd) noexcept {
        constexpr unsigned times = 16;
        atomic<unsigned>& passed = inboxes_[shepherd].passed;
        // relaxed, both: a hint.
        const unsigned before = passed.load(std::memory_order_relaxed);
        passed.store(before == times ? 0 : before + 1, std::memory_order_relaxed);
        return before != times;
    }

private:
    struct alignas(false_sharing_range) inbox {
        spin_lock lock;
        // any thread writes, under the lock
        atomic<unsigned> size{0};
        task_header* first = nullptr;  // meaningful while there are tasks
        task_header* last = nullptr;
        // any thread writes
        atomic<unsigned> free_seats{0};
        atomic<unsigned> passed{0};
    };

    const shepherd_rule rule_;
    slots<inbox> inboxes_;
    // any thread writes, under the lock of the inbox that changes
    alignas(false_sharing_range) atomic<unsigned> in_use_{0};  // number of inboxes with tasks
};

// A seat that a member keeps while it waits on top of a task; on the stack of that wait.
struct kept_seat {
    unsigned at = bound_tasks::none;   // none: it had no seat
    const kept_seat* outer = nullptr;  // of the wait around it
};

// The seat of a member. Only the member uses it.
class seat {
public:
    bool is_taken() const noexcept { return at_ != bound_tasks::none; }
    bool is_at(unsigned shepherd) const noexcept { return at_ == shepherd; }
    bool is_away() const noexcept { return is_taken() && at_ != (base() != bound_tasks::none ? base() : home_); }
    // The shepherd where the member's tasks run.
    unsigned shepherd() const noexcept { return is_taken() ? at_ : home_; }

    bool has_home() const noexcept { return home_ != bound_tasks::none; }
    void set_home(unsigned shepherd) noexcept { home_ = shepherd; }

    // Whether a look by this member might succeed.
    bool has_tasks(const bound_tasks& tasks) const noexcept {
        return tasks.any() && ((is_taken() && tasks.has(at_)) || find_elsewhere(tasks) != bound_tasks::none);
    }
    // Takes a task of the shepherd where the member sits, or of its home.
    task_header* take(bound_tasks& tasks) noexcept {
        if (!is_taken() && tasks.try_sit(home_))
            at_ = home_;
        return is_taken() ? tasks.take(at_) : nullptr;
    }
    // Takes a task of another shepherd; the member sits there from then on. is_patient: leaves tasks of another NUMA
    // domain to its own workers for some time. to_wake: whether the caller must wake threads, since a seat has become
    // free.
    task_header* take_elsewhere(bound_tasks& tasks, bool is_patient, bool& to_wake) noexcept {
        const unsigned found = find_elsewhere(tasks);
        if (found == bound_tasks::none)
            return nullptr;
        const bool is_new = found != at_ && !is_kept(found);
        if (is_new && is_patient && found != home_ && tasks.rule().are_per_numa() &&
            tasks.is_left_to_its_workers(found))
            return nullptr;
        next_ = found + 1;
        if (is_new && !tasks.try_sit(found))
            return nullptr;
        task_header* const taken = tasks.take(found);
        if (taken != nullptr)
            to_wake = leave(std::exchange(at_, found), tasks);
        else if (is_new)
            to_wake = tasks.stand_up(found);
        return taken;
    }
    // After a task of another shepherd has run or was suspended: takes one more of that shepherd's, unless the member
    // has taken enough of them for now.
    task_header* take_one_more(bound_tasks& tasks) noexcept {
        constexpr unsigned most = 8;
        return ++stay_ % most != 0 ? tasks.take(at_) : nullptr;
    }
    // The result is that of bound_tasks::stand_up().
    bool give_up(bound_tasks& tasks) noexcept { return leave(std::exchange(at_, base()), tasks); }

    // For a wait on top of a task that continues at this seat afterwards. Until end_keeping() with the same object, the
    // member keeps this seat. It may take a second seat meanwhile, and returns here instead of going home. Such waits
    // are nested.
    void keep(kept_seat& kept) noexcept {
        kept = {at_, kept_};
        kept_ = &kept;
    }
    bool end_keeping(const kept_seat& kept, bound_tasks* tasks) noexcept {
        const bool to_wake = tasks != nullptr && give_up(*tasks);
        kept_ = kept.outer;
        return to_wake;
    }

private:
    unsigned base() const noexcept { return kept_ != nullptr ? kept_->at : bound_tasks::none; }
    bool is_kept(unsigned shepherd) const noexcept {
        for (const kept_seat* each = kept_; each != nullptr; each = each->outer)
            if (each->at == shepherd)
                return true;
        return false;
    }
    // A shepherd with tasks where the member could sit; first one where it keeps a seat, which no other thread can
    // take.
    unsigned find_elsewhere(const bound_tasks& tasks) const noexcept {
        for (const kept_seat* each = kept_; each != nullptr; each = each->outer)
            if (each->at != bound_tasks::none && each->at != at_ && tasks.has(each->at))
                return each->at;
        return tasks.find_unattended(next_);
    }
    bool leave(unsigned left, bound_tasks& tasks) noexcept {
        return left != bound_tasks::none && left != at_ && !is_kept(left) && tasks.stand_up(left);
    }

    unsigned at_ = bound_tasks::none;    // the shepherd of its seat; none: it has no seat
    unsigned home_ = bound_tasks::none;  // none: not known yet
    const kept_seat* kept_ = nullptr;    // the innermost; nullptr: there is none
    unsigned next_ = 0;                  // where it looks next for tasks elsewhere
    unsigned stay_ = 0;
};

}  // namespace teff
