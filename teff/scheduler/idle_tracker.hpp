// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which workers are idle, as far as a team's scheduler has to know, and how the scheduler wakes one of them.
//
// There are two event counts (event_count.hpp). The pool's counts all workers: those that search, those that sleep,
// and the visitors, which have taken a slot of a team and have not found an item there yet. The team's counts the
// members that are out of work, the caller when it sleeps, and the team's free slots; while there are free slots, the
// pool's idle workers count as idle for the team, too.
//
// An idle thread stays counted through every transition between search, sleep and team until it holds an item: each
// transition is one operation on one word, or adds at the destination before it subtracts at the origin. So a member
// that reads zero did so before any worker became idle; that worker then sends its own request.
//
// A member reads the team's count before the pool's. A worker that has joined in between still counts as a visitor in
// the pool, or holds an item. A worker that has left before is counted in the pool: slot_freed() releases that, and the
// load of the team's word acquires it.
//
// A quiet team (short_bursts.hpp) has no idle workers: it neither counts nor wakes any.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/scheduler/short_bursts.hpp>

namespace teff {

// One per team. Schedulers call any(), count(), would_notify() and work_visible(); the rest belongs to the runtime.
class idle_tracker {
public:
    idle_tracker(event_count& pool, unsigned free_slots) noexcept
        : pool_(pool), slots_(free_slots), members_(free_slots) {}

    // How many workers could take an item of this team now. A hint, read on slow paths; never 0 while a member is out
    // of work, or a worker could take a slot.
    unsigned count() const noexcept {
        if (bursts_.is_quiet())
            return 0;
        const event_count::counts members = members_.load();
        const unsigned free = members.other;
        if (free == 0)
            return members.idle();
        const event_count::counts workers = pool_.load();
        const unsigned sum = members.idle() + (workers.idle() < free ? workers.idle() : free);
        // Visitors may be members of this team or of another one. They matter only if no other worker is idle: one of
        // them may have joined this team after we read its count.
        return sum != 0 || workers.other == 0 ? sum : 1;
    }
    bool any() const noexcept {
        if (bursts_.is_quiet())
            return false;
        const event_count::counts members = members_.load();
        return members.other == 0 ? members.idle() != 0 : count() != 0;
    }

    // Whether there are searchers and all of them rest. One of them looks and asks again within some microseconds, and
    // wakes a sleeper when it ends its search. A hint.
    bool all_rest() const noexcept {
        const event_count::counts members = members_.load();
        return members.searching != 0 && members.searching == members.resting;
    }

    // Whether a worker is idle that would take an item at once.
    bool any_at_once() const noexcept { return any() && !all_rest(); }

    // A thread that leaves `items` visible ends the rests of as many searchers. A searcher ends its rest when calls()
    // has grown, since the rest began, by more than the number of searchers that were resting before it. Any thread.
    // relaxed, both: a hint. A searcher that is not called ends its rest soon.
    unsigned calls() const noexcept { return calls_.load(std::memory_order_relaxed); }
    void call_resting(unsigned items) noexcept {
        if (members_.load().resting != 0)
            calls_.fetch_add(items, std::memory_order_relaxed);
    }

    // Whether a worker sleeps that could take an item of this team, even if other workers search.
    bool any_sleeps() const noexcept {
        const event_count::counts members = members_.load();
        return members.sleeping != 0 || (members.other != 0 && pool_.load().sleeping != 0);
    }

    // Whether work_visible() would wake a thread. Does not execute its fence, for callers that ask often.
    bool would_notify() const noexcept {
        if (bursts_.is_quiet())
            return false;
        const event_count::counts members = members_.load();
        if (members.searching != 0)
            return false;
        if (members.sleeping != 0)
            return true;
        const event_count::counts workers = pool_.load();
        return members.other != 0 && workers.sleeping != 0 && workers.searching == 0;
    }

    // After the calling thread has made an item visible: makes sure that a worker looks for it. Any thread.
    void work_visible() noexcept {
        if (bursts_.is_quiet()) {
            // seq_cst: the item is visible before we look again; partner: the fence in event_count::prepare_sleep(), in
            // a member that has ended the quiet because it will sleep.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            if (bursts_.is_quiet())
                return;
        }
        if (members_.notify_one())
            return;
        const event_count::counts members = members_.load();
        // Without a free slot no further worker can join.
        if (members.searching == 0 && members.other != 0)
            pool_.notify_one();
    }

    // The same for an item that some members may refuse. A member that searches may be one of them, so all sleeping
    // members are woken.
    void work_visible_to_some() noexcept {
        bursts_.end_quiet();
        members_.notify_all();
        call_resting(more_than_members);
        // A worker that joins from the pool takes any item.
        if (members_.load().other != 0)
            pool_.notify_one();
    }

    // The same for an item that only one of the pool's workers should take, if that one is there.
    void work_visible_to_each() noexcept {
        bursts_.end_quiet();
        members_.notify_all();
        call_resting(more_than_members);
        if (members_.load().other != 0)
            pool_.notify_all();
    }

    event_count& members() noexcept { return members_; }
    short_bursts& bursts() noexcept { return bursts_; }
    const short_bursts& bursts() const noexcept { return bursts_; }

    // For the caller: a burst begins, and ends. has_other_work: whether tasks are queued that do not belong to the
    // burst; helpers: as in short_bursts::end(). Times are those of cycle_count().
    void begin_burst(std::int64_t now, bool has_other_work) noexcept {
        // From now on a worker must poll the team.
        if (bursts_.begin(now, !has_other_work && !has_busy_worker()))
            pool_.notify_one();
    }
    void end_burst(std::int64_t now, std::uint64_t helpers) noexcept { bursts_.end(now, helpers); }

    // Called under the pool's mutex. A worker takes a slot and counts as a searching member; or it gives the slot
    // back without an item.
    void slot_taken() noexcept { members_.add(event_count::searcher - event_count::other); }
    void slot_freed() noexcept {
        // release: a thread that sees the free slot sees the worker counted in the pool; partner: the acquire in
        // event_count::load().
        members_.state_.fetch_add(event_count::other - event_count::searcher, std::memory_order_release);
    }

    // The same for a thread that is not a worker of the pool. It brings its own work, so it is not idle.
    // relaxed: only a count. The thread that frees the slot looks for work afterwards, behind a fence.
    void guest_took_slot() noexcept { members_.add(-event_count::other); }
    void guest_freed_slot() noexcept { members_.add(event_count::other); }

private:
    // Whether a worker has an item of this team, or sleeps in it; for the caller.
    bool has_busy_worker() const noexcept {
        const event_count::counts members = members_.load();
        return members.other + members.searching != slots_;
    }

    // Ends the rests of all members. (slots_ is 0 in a fixed team.)
    static constexpr unsigned more_than_members = 1U << 13;

    event_count& pool_;
    const unsigned slots_;  // without the caller's
    short_bursts bursts_;
    alignas(false_sharing_range) atomic<unsigned> calls_{0};  // searchers that rest read it
    event_count members_;  // members that search, the caller when it sleeps, and free slots
};

}  // namespace teff
