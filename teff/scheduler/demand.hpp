// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default scheduler: a member pays for parallelism only when an idle worker asks for work.
//
// Each member has a split deque: it pushes and pops private items by plain loads and stores, newest first. Items
// become visible to thieves only on demand. A thief that sees nothing to take arms the marks of a member; the
// member's next push or pop then takes the slow path (serve) and moves its oldest items into its shared part. Taken
// from papers: the request (X-OpenMP), running a refused child at once (OMPi), the order and number of attempts
// (Blaze-Tasks). demand_member.hpp has the operations of a member.
//
// Nothing stays hidden. A member inside a long task answers no request. A thief that has found nothing for a while
// (force_after_ns) exposes the private items of such a member itself (split_deque.hpp). While items are private and a
// worker sleeps, the owner answers at its next operation, or another worker is awake and looks:
//   a worker sleeps only if it finds no private item after it has armed all marks, with a heavy fence in between
//   an owner that has seen an idle worker exposes the items that it pushes, as long as too few are visible for them;
//     but not while all searchers rest (event_count.hpp): each of them looks and asks again within microseconds, and
//     at the end of its search arms all marks if another worker sleeps, and wakes one in its place (team::search())
//   an owner that pushes an item at the end of another one, to run it next (after_place_next()), keeps it private, as
//     it would before a pop; its next operation is the pop of this item
//   a worker that takes the last visible item of an owner arms its marks if another one sleeps, and then wakes that
//     one if items are private anywhere (team::pass_on_wake_up()): the owner may have pushed one just before
// Where the kernel refuses heavy fences, force is not available. Then a worker may sleep while items are private, and
// their owner exposes them at its next operation.
//
// End of work, in a team of values: `active_` counts the members that have or may have items. A member retires only
// when its private part and its shared part are empty. A thief becomes active before it tries to take. So while an
// item is queued or runs, some active member has it, and active_ == 0 means the end. (A thief with an outdated view may
// raise the counter once more, find nothing and lower it; no item can come of that.)
// The memory order that ensures this: a thief's increment comes before its winning swap (release), and an owner sees
// the shared part empty (acquire) before its decrement. Hence the increment precedes the decrement in the counter's
// modification order, and the counter cannot reach zero between them.
#pragma once

#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/split_deque.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/victims.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>
#include <new>
#include <type_traits>

namespace teff {

template <class T>
class demand_scheduler {
    struct slot {
        split_deque<T> deque;
        demand_scheduler* team = nullptr;  // constant while the slot has a member
        // member writes; thieves read as a hint
        atomic<unsigned> worker{0};
        victims victim_order;
        std::uint64_t served = 0;
        bool took_last = false;         // whether its last theft left the owner nothing visible
        std::uint64_t contended = 0;    // attempts to steal that were lost to another thread
        std::int64_t dry_since_ns = 0;  // begin of its search, or its last use of force; 0: no look was in vain
    };

public:
    class local;
    static constexpr bool counts_items = false;
    // In a team of tasks the front ends find the end of their work themselves, so that the members need not be counted
    // on a line that all of them write.
    static constexpr bool are_tasks = std::is_same_v<T, task_header*>;

    // Throws std::bad_alloc.
    demand_scheduler(const scheduler_settings& settings, idle_tracker& idle)
        : settings_(settings), idle_(idle), slots_(settings.slots) {}

    local enter(unsigned slot_number, unsigned worker) {
        slot& mine = slots_[slot_number];
        if (!mine.deque.open())
            throw std::bad_alloc();
        mine.team = this;
        // relaxed: a hint for thieves.
        mine.worker.store(worker, std::memory_order_relaxed);
        mine.victim_order.begin(settings_, slot_number, worker);
        slots_.use(slot_number);
        return local(mine);
    }
    void leave(const local&) noexcept {}

    bool finished() const noexcept {
        // acquire: sees the work of the members whose decrements led to zero; partner: the release in deactivate().
        return active_.load(std::memory_order_acquire) == 0;
    }
    // In a stopped team the owners drop the items that are still visible.
    bool has_visible_work() const noexcept { return !stop_.is_set() && queued_estimate() != 0; }
    // For a member that is about to sleep, after request().
    bool has_work_for(unsigned) const noexcept { return has_visible_work() || has_hidden_work(); }
    // Whether a member has private items that can be taken by force. After request(): if it returns false, every member
    // looks for idle workers when it pushes its next item.
    bool has_hidden_work() const noexcept {
        // The announcements of items before this point are seen below; a later push finds its mark armed. Partner: the
        // light fence in split_deque::push_is_private().
        return !stop_.is_set() && (hides_work() || (heavy_fence() && hidden_estimate() != 0));
    }
    std::size_t queued_estimate() const noexcept {
        std::size_t sum = 0;
        for (unsigned i = 0; i < slots_.used(); ++i)
            sum += slots_[i].deque.visible();
        return sum;
    }
    std::size_t hidden_estimate() const noexcept {
        std::size_t sum = 0;
        for (unsigned i = 0; i < slots_.used(); ++i)
            sum += slots_[i].deque.hidden_estimate();
        return sum;
    }
    // Whether a worker that joins the team might get private items by force.
    bool hides_work() const noexcept {
        return !stop_.is_set() && may_use_heavy_fence() && hidden_estimate() != 0;
    }
    void request() noexcept {
        for (unsigned i = 0; i < slots_.used(); ++i)
            slots_[i].deque.ask();
    }
    void cancel() noexcept {
        stop_.cancel();
        request();
    }
    void orphan() noexcept {
        stop_.orphan();
        for (unsigned i = 0; i < slots_.used(); ++i)
            slots_[i].deque.reset_after_fork();
        request();
    }

private:
    void activate() noexcept {
        if constexpr (are_tasks)
            return;
        // relaxed: ordered before our winning swap by that swap's release; see the head of this file.
        active_.fetch_add(1, std::memory_order_relaxed);
    }
    void deactivate() noexcept {
        if constexpr (are_tasks)
            return;
        // release: publishes our work to the thread that sees zero; partner: the acquire in finished(). The
        // decrements of other members continue the release sequence.
        if (active_.fetch_sub(1, std::memory_order_release) == 1)
            idle_.members().notify_all();
    }

    const scheduler_settings settings_;
    idle_tracker& idle_;
    slots<slot> slots_;
    stop_state stop_;
    // members write when they run out of work and when they steal; slot 0 starts active
    alignas(false_sharing_range) atomic<unsigned> active_{1};
};

}  // namespace teff

#include <teff/scheduler/demand_member.hpp>
