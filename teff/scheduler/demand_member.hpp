// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of the default scheduler (demand.hpp): pushes and pops its private items, exposes them on request, and
// steals from other members. Included by demand.hpp only.
//
// How much is exposed. A member that sees an idle worker exposes everything but the item that it is about to run. The
// items that it pushes in the rest of that task it exposes at once while there are more idle workers than visible
// items, and otherwise before it runs the next task. If no worker is idle, it exposes half of its items whenever its
// shared part is empty, so that a later thief finds work at once. The thread that empties a shared part arms its
// owner's marks, and an owner with nothing to expose checks again at its next push. In a team with one slot no other
// worker is ever idle.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/split_deque.hpp>
#include <teff/scheduler/demand.hpp>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace teff {

// The member's cursor: two words, so that calls pass it in registers.
template <class T>
class demand_scheduler<T>::local {
public:
    [[gnu::always_inline]] T* claim() noexcept {
        return slot_->deque.try_claim(top_) ? top_ : nullptr;
    }
    T* claimed_item() noexcept { return top_; }
    void release(T* item) noexcept { end_life(item); }
    // Takes an item out if it is the newest private one.
    bool take_back(const T& pushed) noexcept {
        // A thief that uses force may take the item after the comparison; then the claim fails.
        if (top_ == slot_->deque.bottom() || top_[-1] != pushed)
            return false;
        T* const item = claim();
        if (item == nullptr)
            return false;
        release(item);
        return true;
    }

    // The fast path of a push; the item is always queued. False: the member must call after_place().
    template <class Given>
    [[gnu::always_inline]] bool place(Given&& item) {
        ::new (static_cast<void*>(top_)) T(std::forward<Given>(item));
        ++top_;
        return slot_->deque.push_is_private(top_);
    }
    // Returns nullptr, or the item that was pushed, claimed: the queue is at its bound.
    T* after_place() { return finish_push(slot_->team->settings_.private_items); }
    // The same for an item that the member takes next, right after the one that it runs.
    T* after_place_next() { return finish_push(slot_->team->settings_.private_items, keep_one); }

    // Both do the same: they queue the item, and on the slow path answer requests or refuse the item.
    template <class Given>
    bool try_push(Given&& item) {
        if (place(std::forward<Given>(item)))
            return true;
        T* const refused = after_place();
        if (refused == nullptr)
            return true;
        give_back(refused, std::forward<Given>(item));
        return false;
    }
    bool push_slow(T& item) { return try_push(std::move(item)); }
    void push_overflow(T& item) {
        if (place(std::move(item)))
            return;
        if (T* const refused = finish_push(std::numeric_limits<std::size_t>::max())) {
            give_back(refused, std::move(item));
            throw std::bad_alloc();
        }
    }

    T* refill() {
        const slow_operation alone(slot_->deque, top_);
        if (!slot_->team->stop_.is_set())
            serve(keep_one);
        if (slot_->team->stop_.is_set()) {
            top_ = slot_->deque.drop_all(top_);
            return nullptr;
        }
        if (top_ == slot_->deque.bottom())
            take_back();
        return top_ != slot_->deque.bottom() ? --top_ : nullptr;
    }

    void ran_one() noexcept {}
    slot_counts counted() const noexcept {
        return {.requests_served = slot_->served, .steals_contended = slot_->contended};
    }
    void retire() noexcept {
        slot_->dry_since_ns = 0;
        slot_->team->deactivate();
    }
    void resume() noexcept { slot_->team->activate(); }
    // If there is nothing to show, the marks are not reset and the next push takes the slow path: it answers the
    // request.
    void show() {
        const slow_operation alone(slot_->deque, top_);
        show_alone();
    }
    bool show_all() {
        const slow_operation alone(slot_->deque, top_);
        show_alone();
        split_deque<T>& deque = slot_->deque;
        if (deque.expose(top_, deque.private_size(top_))) {
            deque.bottom_moved();
            slot_->team->idle_.work_visible();
        }
        return deque.private_size(top_) == 0;
    }
    // How many items it has, visible or not.
    std::size_t queued() const noexcept { return slot_->deque.hidden_estimate() + visible(); }
    unsigned visible() const noexcept { return slot_->deque.visible(); }
    // Every request sets `word` to all ones, until clear_request_flag().
    void set_request_flag(atomic<std::uintptr_t>& word) noexcept { slot_->deque.set_request_flag(&word); }
    void clear_request_flag() noexcept { slot_->deque.set_request_flag(nullptr); }

    bool took_last() const noexcept { return slot_->took_last; }
    bool steal() {
        return steal_visible() || (!slot_->team->stop_.is_set() && search_hidden(slot_->team->slots_.used()));
    }
    // Sends no request, so a member that does not count as idle may call it.
    bool steal_visible() {
        demand_scheduler& team = *slot_->team;
        const unsigned used = team.slots_.used();
        if (used == 0 || team.stop_.is_set())
            return false;
        return slot_->victim_order.try_each(
            used, [&](unsigned victim) {
                // relaxed: a hint.
                return team.slots_[victim].worker.load(std::memory_order_relaxed);
            },
            [&](unsigned victim, unsigned attempts) { return steal_from(team.slots_[victim].deque, attempts); });
    }

    void drop_all() noexcept {
        const slow_operation alone(slot_->deque, top_);
        top_ = slot_->deque.drop_all(top_);
    }

private:
    friend demand_scheduler;
    using slow_operation = typename split_deque<T>::slow_operation;
    static constexpr std::size_t keep_none = 0, keep_one = 1;
    // Long enough: a member that runs short tasks answers a request within a microsecond.
    static constexpr std::int64_t force_after_ns = 10'000;

    explicit local(slot& mine) noexcept : slot_(&mine), top_(mine.deque.bottom()) {}

    // Whether idle workers may come for items without a request. False in a team of one slot and in a quiet team.
    bool needs_visible_items() const noexcept {
        return slot_->team->settings_.slots != 1 && !slot_->team->idle_.bursts().is_quiet();
    }
    // Takes items back from the shared part: while a worker is idle only the item to run next, otherwise half of
    // them.
    void take_back() {
        split_deque<T>& deque = slot_->deque;
        top_ = deque.restart();
        const unsigned shared = deque.shared_size();
        if (shared != 0)
            top_ = deque.take_back(slot_->team->idle_.any() ? 1 : (shared + 1) / 2);
        deque.bottom_moved();
        if (needs_visible_items() && deque.shared_size() == 0 && !slot_->team->idle_.all_rest())
            deque.arm_push();
    }

    // Puts a refused item back into the caller's object, if it was moved from.
    static void give_back(T* refused, const T&) noexcept { end_life(refused); }
    static void give_back(T* refused, T&& item) {
        end_life(address_of(item));
        ::new (static_cast<void*>(address_of(item))) T(std::move(*refused));
        end_life(refused);
    }

    // After an item was placed: answers a request, and makes room for the next item. Returns that item, claimed, if
    // there are more than `limit` or if there is no memory.
    T* finish_push(std::size_t limit, std::size_t keep = keep_none) {
        split_deque<T>& deque = slot_->deque;
        const slow_operation alone(deque, top_);
        if (slot_->team->stop_.is_set()) {
            if (deque.private_size(top_) != 0)
                end_life(--top_);
            else
                top_ = deque.restart();  // a thief has taken it
            deque.arm();
            return nullptr;
        }
        if (deque.private_size(top_) > limit || !has_room())
            return --top_;
        serve(keep);
        return nullptr;
    }
    // Makes sure that there is a free slot at the top.
    bool has_room() {
        try {
            T* const top = slot_->deque.make_room(top_);
            if (top != nullptr)
                top_ = top;
            return top != nullptr;
        } catch (...) {
            top_ = slot_->deque.bottom();
            throw;
        }
    }

    void show_alone() {
        if (slot_->deque.private_size(top_) != 0 || visible() != 0)
            serve(keep_none);
        else
            slot_->deque.arm_push();
    }

    // For a member that has found nothing visible: asks for work. After some time it exposes items of a member that
    // does not answer.
    bool search_hidden(unsigned used) {
        demand_scheduler& team = *slot_->team;
        team.slots_[slot_->victim_order.any_other(used)].deque.ask();
        const std::int64_t now = monotonic_ns();
        if (slot_->dry_since_ns == 0)
            slot_->dry_since_ns = now;
        if (now - slot_->dry_since_ns < force_after_ns)
            return false;
        slot_->dry_since_ns = now;
        for (unsigned i = 0; i < used; ++i) {
            split_deque<T>& victim = team.slots_[i].deque;
            if (&victim == &slot_->deque || victim.hidden_estimate() == 0 || !victim.expose_by_force())
                continue;
            if (steal_from(victim, 1))
                return true;
        }
        return false;
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
        if (!needs_visible_items())
            return;
        const unsigned idle_workers = slot_->team->idle_.count();
        const bool has_idle_worker = idle_workers != 0;
        // A resting member sends a request when it looks again, so this one need not check for it in each operation.
        const bool has_time = slot_->team->idle_.all_rest();
        const bool exposed = expose(keep, has_idle_worker);
        slot_->served += exposed && has_idle_worker ? 1 : 0;
        // Also if no worker was idle above: one may have searched in vain and fallen asleep since.
        if (exposed || (has_idle_worker && deque.shared_size() != 0))
            slot_->team->idle_.work_visible();
        else if (has_idle_worker && deque.private_size(top_) > keep)
            deque.arm();  // no room: thieves are still moving items out
        else if (deque.shared_size() == 0 && !has_time)
            deque.arm_push();
        // Items that this task pushes from now on are exposed at once, or before the next one runs.
        if (deque.shared_size() < idle_workers && !has_time)
            deque.arm_push();
        if (has_idle_worker && !has_time && keep == keep_none)
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
        const unsigned tries = slot_->victim_order.adjust_attempts(visible, attempts);
        if (tries == 0)
            return false;
        slot_->team->activate();
        for (unsigned i = 0; i < tries; ++i) {
            const auto taken = take(victim);
            if (taken.count != 0) {
                after_theft(victim, taken);
                return true;
            }
            if (!taken.contended)
                break;
            ++slot_->contended;
        }
        slot_->team->deactivate();
        return false;
    }

    auto take(split_deque<T>& victim) {
        const slow_operation alone(slot_->deque, top_);
        top_ = slot_->deque.restart();
        try {
            const auto taken = victim.steal_into(slot_->deque, slot_->team->idle_.count() + 1);
            top_ += taken.count;
            return taken;
        } catch (...) {
            slot_->team->deactivate();
            throw;
        }
    }
    // Called after a theft. Arms the thief's own marks, so that its next operation checks for other idle workers.
    void after_theft(split_deque<T>& victim, const typename shared_part<T>::taken& taken) noexcept {
        slot_->deque.arm();
        slot_->took_last = taken.left == 0 && taken.count == 1;
        if (taken.left != 0)
            slot_->team->idle_.call_resting(taken.left);
        else if (!are_tasks || may_have_sleepers())
            victim.ask();
    }

    // Whether a worker sleeps that relied on the item that was just taken. A worker that falls asleep later sends
    // requests to all owners itself, and so does a worker that is awake. A request on its behalf would only slow down
    // an owner of tasks, which has few of them at a time.
    bool may_have_sleepers() const noexcept {
        // seq_cst: the item is gone before we look; partner: the fence in event_count::prepare_sleep(), after which the
        // sleeper asks.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        return slot_->team->idle_.any_sleeps();
    }

    slot* slot_;
    T* top_;
};

}  // namespace teff
