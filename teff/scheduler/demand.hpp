// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default scheduler: a member pays for parallelism only when an idle worker asks for work.
//
// Each member has a split deque: it pushes and pops private items by plain loads and stores, newest first. Items
// become visible to thieves only on demand. A thief that sees nothing to take arms the marks of a member; the
// member's next push or pop then takes the slow path (serve) and moves its oldest items into its shared part. Taken
// from papers: the request (X-OpenMP), running a refused child at once (OMPi), the order and number of attempts
// (Blaze-Tasks).
//
// How much is exposed. A member that sees an idle worker exposes everything but the item that it is about to run. The
// items that it pushes in the rest of that task it exposes before it runs the next one, so that a long task hides
// little. If no worker is idle, it exposes half of its items whenever its shared part is empty, so that a later thief
// finds work at once. The thread that empties a shared part arms its owner's marks, and an owner with nothing to
// expose checks again at its next push. In a team with one slot no other worker is ever idle. Items that a member
// keeps private while no worker is idle stay private until its next operation. So a task must not wait for another
// task except through the runtime.
//
// End of work: `active_` counts the members that have or may have items. A member retires only when its private part
// and its shared part are empty. A thief becomes active before it tries to take. So while an item is queued or runs,
// some active member has it, and active_ == 0 means the end. (A thief with an outdated view may raise the counter
// once more, find nothing and lower it; no item can come of that.)
// The memory order that ensures this: a thief's increment comes before its winning swap (release), and an owner sees
// the shared part empty (acquire) before its decrement. Hence the increment precedes the decrement in the counter's
// modification order, and the counter cannot reach zero between them.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/queue/split_deque.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/victims.hpp>

#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace teff {

template <class T>
class demand_scheduler {
    struct slot {
        split_deque<T> deque;
        demand_scheduler* team = nullptr;  // constant while the slot has a member
        // member writes; thieves read as a hint
        atomic<unsigned> worker{0};
        victims walk;
        std::uint64_t served = 0;
    };

public:
    class local;
    static constexpr bool counts_items = false;

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
        mine.walk.begin(settings_, slot_number, worker);
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
    bool has_work_for(unsigned) const noexcept { return has_visible_work(); }
    std::size_t queued_estimate() const noexcept {
        std::size_t sum = 0;
        for (unsigned i = 0; i < slots_.used(); ++i)
            sum += slots_[i].deque.visible();
        return sum;
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
        request();
    }

private:
    void activate() noexcept {
        // relaxed: ordered before our winning swap by that swap's release; see the head of this file.
        active_.fetch_add(1, std::memory_order_relaxed);
    }
    void deactivate() noexcept {
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

// The member's cursor: two words, so that calls pass it in registers.
template <class T>
class demand_scheduler<T>::local {
public:
    T* claim() noexcept {
        if (!slot_->deque.pop_is_private(top_)) [[unlikely]]
            return nullptr;
        return --top_;
    }
    void release(T* item) noexcept { std::destroy_at(item); }

    template <class Given>
    bool try_push(Given&& item) {
        if (!slot_->deque.push_is_private(top_)) [[unlikely]]
            return false;
        ::new (static_cast<void*>(top_)) T(std::forward<Given>(item));
        ++top_;
        return true;
    }
    bool push_slow(T& item) { return push_within(item, slot_->team->settings_.private_items); }
    // Does not check for idle workers; the next operation does. For several items, which show() then exposes at once.
    bool push_private(T& item) {
        slot_->deque.arm();
        return place(item, slot_->team->settings_.private_items);
    }
    void push_overflow(T& item) {
        if (!push_within(item, std::numeric_limits<std::size_t>::max()))
            throw std::bad_alloc();
    }

    T* refill() {
        split_deque<T>& deque = slot_->deque;
        if (!slot_->team->stop_.is_set())
            serve(keep_one);
        if (slot_->team->stop_.is_set()) {
            drop_all();
            return nullptr;
        }
        if (top_ == deque.bottom())
            take_back();
        return top_ != deque.bottom() ? --top_ : nullptr;
    }

    void ran_one() noexcept {}
    slot_counts counted() const noexcept { return {0, 0, slot_->served}; }
    void retire() noexcept { slot_->team->deactivate(); }
    void resume() noexcept { slot_->team->activate(); }
    // Whether the member has items of its own, visible or not.
    bool has_queued() const noexcept { return slot_->deque.private_size(top_) != 0 || visible() != 0; }
    // If there is nothing to show, the marks are not reset and the next push takes the slow path: it answers the
    // request.
    void show() {
        if (has_queued())
            serve(keep_none);
        else
            slot_->deque.arm_push();
    }
    bool show_all() {
        show();
        split_deque<T>& deque = slot_->deque;
        if (deque.expose(top_, deque.private_size(top_))) {
            deque.bottom_moved();
            slot_->team->idle_.work_visible();
        }
        return deque.private_size(top_) == 0;
    }
    unsigned visible() const noexcept { return slot_->deque.visible(); }
    // Every request sets `word` to all ones, until clear_request_flag().
    void set_request_flag(atomic<std::uintptr_t>& word) noexcept { slot_->deque.set_request_flag(&word); }
    void clear_request_flag() noexcept { slot_->deque.set_request_flag(nullptr); }

    bool steal() {
        demand_scheduler& team = *slot_->team;
        const unsigned used = team.slots_.used();
        if (used == 0 || team.stop_.is_set())
            return false;
        const bool won = slot_->walk.each(
            used, [&](unsigned victim) {
                // relaxed: a hint.
                return team.slots_[victim].worker.load(std::memory_order_relaxed);
            },
            [&](unsigned victim, unsigned attempts) { return steal_from(team.slots_[victim].deque, attempts); });
        if (!won)
            team.slots_[slot_->walk.any_other(used)].deque.ask();
        return won;
    }

    void drop_all() noexcept { top_ = slot_->deque.drop_all(top_); }

private:
    friend demand_scheduler;
    static constexpr std::size_t keep_none = 0, keep_one = 1;

    explicit local(slot& mine) noexcept : slot_(&mine), top_(mine.deque.bottom()) {}

    // Takes items back from the shared part: while a worker is idle only the item to run next, otherwise half of
    // them.
    void take_back() {
        split_deque<T>& deque = slot_->deque;
        top_ = deque.restart();
        const unsigned shared = deque.shared_size();
        if (shared != 0)
            top_ = deque.take_back(slot_->team->idle_.any() ? 1 : (shared + 1) / 2);
        deque.bottom_moved();
        if (slot_->team->settings_.slots != 1 && deque.shared_size() == 0)
            deque.arm_push();
    }

    bool push_within(T& item, std::size_t limit) {
        if (slot_->team->stop_.is_set()) {
            [[maybe_unused]] const T dropped(std::move(item));
            return true;
        }
        const bool has_room = place(item, limit);
        serve(keep_none);
        return has_room;
    }
    bool place(T& item, std::size_t limit) {
        T* const room = make_room(limit);
        if (room == nullptr)
            return false;
        top_ = room;
        ::new (static_cast<void*>(top_)) T(std::move(item));
        ++top_;
        return true;
    }

    T* make_room(std::size_t limit) {
        try {
            return slot_->deque.make_room(top_, limit);
        } catch (...) {
            top_ = slot_->deque.bottom();
            throw;
        }
    }

    // Answers a request, if there is one: resets the marks, exposes items, wakes a sleeper. If the team was stopped
    // before the reset, arms the marks again; a later stop arms them itself. If a move throws, the marks are outdated
    // until the front end has cancelled the team.
    void serve(std::size_t keep) {
        split_deque<T>& deque = slot_->deque;
        deque.disarm(slot_->team->settings_.private_items);
        if (slot_->team->stop_.is_set()) {
            deque.arm();
            return;
        }
        if (slot_->team->settings_.slots == 1)
            return;
        const bool has_idle_worker = slot_->team->idle_.any();
        const bool exposed = expose(keep, has_idle_worker);
        slot_->served += exposed && has_idle_worker ? 1 : 0;
        // Also if no worker was idle before: one may have found nothing and gone to sleep meanwhile.
        if (exposed || (has_idle_worker && deque.shared_size() != 0))
            slot_->team->idle_.work_visible();
        else if (has_idle_worker && deque.private_size(top_) > keep)
            deque.arm();  // no room: thieves are still moving items out
        else if (deque.shared_size() == 0)
            deque.arm_push();
        // Items that this task pushes from now on are exposed before the next one runs.
        if (has_idle_worker && keep == keep_none)
            deque.arm_pop();
    }

    bool expose(std::size_t keep, bool has_idle_worker) {
        split_deque<T>& deque = slot_->deque;
        const std::size_t own = deque.private_size(top_);
        std::size_t give = 0;
        if (has_idle_worker)
            give = own > keep ? own - keep : 0;
        else if (deque.shared_size() == 0)
            give = own / 2;
        const bool exposed = deque.expose(top_, give);
        if (exposed)
            deque.bottom_moved();
        return exposed;
    }

    bool steal_from(split_deque<T>& victim, unsigned attempts) {
        const unsigned visible = victim.visible();
        if (visible == 0)
            return false;
        const unsigned tries = slot_->walk.judge(visible, attempts);
        if (tries == 0)
            return false;
        slot_->team->activate();
        for (unsigned i = 0; i < tries; ++i) {
            const auto taken = take(victim);
            if (taken.count != 0) {
                settle(victim, taken);
                return true;
            }
            if (!taken.contended)
                break;
        }
        slot_->team->deactivate();
        return false;
    }

    auto take(split_deque<T>& victim) {
        top_ = slot_->deque.restart();
        try {
            return victim.steal_into(slot_->deque, slot_->team->idle_.count() + 1);
        } catch (...) {
            slot_->team->deactivate();
            throw;
        }
    }

    // After a theft: the stolen items become private, and the marks are armed, so that the first operation checks for
    // other idle workers.
    void settle(split_deque<T>& victim, const typename shared_part<T>::taken& taken) noexcept {
        split_deque<T>& mine = slot_->deque;
        top_ = mine.bottom() + taken.count;
        mine.arm();
        if (taken.left == 0)
            victim.ask();
    }

    slot* slot_;
    T* top_;
};

}  // namespace teff
