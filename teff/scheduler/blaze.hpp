// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler of Blaze-Tasks (section 4.3): one FIFO queue of blocks per member; a member that runs dry steals one
// item.
//
// A member pushes to its own queue and claims from it until it is empty. Then it tries the other members, near ones
// first, with as many attempts as section 4.3.2 says (victims.hpp), and runs a stolen item from the victim's block.
// The end is found by the consensus of section 4.3.3 (consensus.hpp).
//
// Differs from the paper: (1) If moving an item cannot throw, a thief takes up to half of the items of a block. It
// runs the last of them and puts the others into its own queue, where they can be stolen again. If it took one item
// at a time, a thief and the owner of a long queue of tiny tasks would contend for the block's head at every task. With
// the option blaze_steal=one a thief takes one item, as published.
// (2) Idle members sleep instead of probing forever. Before they sleep they arm the marks of the queues (request). An
// owner whose push or claim fails because of the mark checks whether a worker is idle, and wakes a sleeper. A thief
// that takes the last item of a queue while other workers are idle arms that queue's mark. An operation that passed
// the mark just before it was armed is not noticed by the sleeper; then the owner's next push or claim wakes it.
// Without a fence in push this gap cannot be closed. It delays help but never the end, because the owner has the item
// itself. The mark of a settled member is armed, too, so that its next push takes the slow path and activates the
// member: the fast paths know nothing of the consensus.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/queue/block_queue.hpp>
#include <teff/reclaim/chosen.hpp>
#include <teff/scheduler/consensus.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/victims.hpp>

#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff {

template <class T, class Reclaimer>
class blaze_scheduler {
    using queue = block_queue<T, Reclaimer>;

    struct slot {
        // constant after construction; block_queue.hpp says which thread writes which of its fields
        std::optional<queue> items;
        // only the member uses these
        stolen_items<T> batch;    // stolen and not yet released
        std::uint64_t owed = 0;  // stolen tasks to report once the present one has run
        std::uint64_t kept = 0;  // stolen tasks that were moved into the own queue
        std::uint64_t ran_stolen = 0;  // stolen tasks that were run from the victim's block
        std::uint64_t served = 0;      // requests that were answered
        std::uint64_t contended = 0;   // attempts to steal that were lost to another thread
        victims victim_order;
        // the member writes, thieves read as a hint
        atomic<unsigned> worker{0};
        // the member and thieves write
        consensus::account account;
    };

public:
    class local;
    static constexpr bool counts_items = true;

    // Throws std::bad_alloc.
    blaze_scheduler(const scheduler_settings& settings, idle_tracker& idle)
        : settings_(settings), idle_(idle), reclaimer_(make_reclaimer(settings)), slots_(settings.slots) {
        if (!reclaimer_.valid())
            throw std::bad_alloc();
        for (unsigned i = 0; i < settings.slots; ++i) {
            slots_[i].items.emplace(reclaimer_, i, settings.block_size);
            slots_[i].items->arm();
        }
        consensus_.begin(slots_[0].account);
    }

    local enter(unsigned slot_number, unsigned worker) noexcept {
        slot& mine = slots_[slot_number];
        // relaxed: a hint for thieves.
        mine.worker.store(worker, std::memory_order_relaxed);
        mine.victim_order.begin(settings_, slot_number, worker);
        slots_.use(slot_number);
        return local(*this, mine, slot_number);
    }
    void leave(const local&) noexcept {}

    bool finished() const noexcept { return consensus_.is_over(); }

    // In a stopped team the owners drop the items that are still visible.
    bool has_visible_work() const noexcept {
        if (stop_.is_set())
            return false;
        for (unsigned i = 0; i < slots_.used(); ++i) {
            if (slots_[i].items->may_have_items())
                return true;
        }
        return false;
    }
    bool has_work_for(unsigned) const noexcept { return has_visible_work(); }
    std::size_t queued_estimate() const noexcept {
        std::size_t sum = 0;
        for (unsigned i = 0; i < slots_.used(); ++i)
            sum += slots_[i].items->estimate();
        return sum;
    }
    void request() noexcept {
        for (unsigned i = 0; i < slots_.used(); ++i)
            slots_[i].items->arm();
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
    static Reclaimer make_reclaimer(const scheduler_settings& settings) {
        if constexpr (std::is_same_v<Reclaimer, chosen_reclaimer>)
            return Reclaimer(settings.reclaimer, settings.slots, settings.epoch_threshold);
        else if constexpr (std::is_constructible_v<Reclaimer, std::size_t, std::size_t>)
            return Reclaimer(settings.slots, settings.epoch_threshold);
        else
            return Reclaimer(settings.slots);
    }

    void end_if(bool over) noexcept {
        if (over)
            idle_.members().notify_all();
    }

    const scheduler_settings settings_;
    idle_tracker& idle_;
    Reclaimer reclaimer_;
    slots<slot> slots_;  // declared after the reclaimer, which the queues' destructors use
    stop_state stop_;
    consensus consensus_;
};

// The member's cursor. `victim_` is the slot from which the item that the member holds or runs was stolen, or null.
template <class T, class Reclaimer>
class blaze_scheduler<T, Reclaimer>::local {
public:
    T* claim() noexcept { return slot_->items->claim(); }
    void release(T* item) noexcept {
        if (victim_ == nullptr) [[likely]]
            slot_->items->release(item);
        else
            release_loot();
    }

    template <class Given>
    bool try_push(Given&& item) {
        return slot_->items->try_push(std::forward<Given>(item));
    }
    bool push_slow(T& item) {
        const std::size_t bound = team_->settings_.max_queued;
        return push_within(item, bound == 0 ? queue::unlimited : bound);
    }
    void push_overflow(T& item) {
        if (!push_within(item, queue::unlimited))
            throw std::bad_alloc();
    }

    T* refill() noexcept {
        if (team_->stop_.is_set()) {
            drop_all();
            return nullptr;
        }
        if (slot_->batch.count != 0)
            return slot_->batch.first;
        // Reports a stolen item whose move threw, as in drop_all().
        ran_one();
        T* const item = slot_->items->claim_next();
        if (slot_->items->is_armed())
            serve();
        return item;
    }

    void ran_one() noexcept {
        if (victim_ != nullptr) [[unlikely]]
            report();
    }

    slot_counts counted() const noexcept {
        return {.pushed = slot_->items->pushed() - slot_->kept,
                .run = slot_->items->claimed() + slot_->ran_stolen,
                .requests_served = slot_->served,
                .steals_contended = slot_->contended};
    }

    void retire() noexcept {
        consensus::account& account = slot_->account;
        if (!account.is_open())
            return;
        const queue& items = *slot_->items;
        slot_->items->arm();
        team_->end_if(team_->consensus_.settle(account, items.pushed() - items.claimed()));
    }

    bool steal() noexcept {
        blaze_scheduler& team = *team_;
        const unsigned used = team.slots_.used();
        if (used == 0 || team.stop_.is_set())
            return false;
        return slot_->victim_order.try_each(
            used, [&](unsigned victim) {
                // relaxed: a hint.
                return team.slots_[victim].worker.load(std::memory_order_relaxed);
            },
            [&](unsigned victim, unsigned attempts) { return steal_from(team.slots_[victim], attempts); });
    }

    void drop_all() noexcept {
        while (slot_->batch.count != 0) {
            release_loot();
            ran_one();
        }
        // A stolen item whose move threw was released, but not yet reported.
        ran_one();
        queue& items = *slot_->items;
        while (T* const item = items.claim_next())
            items.release(item);
    }

private:
    friend blaze_scheduler;

    local(blaze_scheduler& team, slot& mine, unsigned number) noexcept : team_(&team), slot_(&mine), number_(number) {}

    bool push_within(T& item, std::size_t max_items) {
        if (team_->stop_.is_set()) {
            [[maybe_unused]] const T dropped(std::move(item));
            return true;
        }
        if (!slot_->account.is_open())
            team_->consensus_.activate(slot_->account);
        const bool taken = slot_->items->push_within(item, max_items);
        if (slot_->items->is_armed())
            serve();
        return taken;
    }

    // Answers an armed mark: wakes a sleeper if a worker is idle and the queue has items. The mark stays armed while
    // the request cannot be answered, while the member is settled or has stolen items to run first, and if the team
    // is stopped.
    void serve() noexcept {
        if (!slot_->account.is_open() || slot_->batch.count != 0)
            return;
        queue& items = *slot_->items;
        items.disarm();
        const bool has_idle_worker = team_->settings_.slots > 1 && team_->idle_.any();
        if (team_->stop_.is_set() || (has_idle_worker && !items.may_have_items())) {
            items.arm();
        } else if (has_idle_worker) {
            team_->idle_.work_visible();
            ++slot_->served;
        }
    }

    bool steal_from(slot& victim, unsigned attempts) noexcept {
        // Every victim that is looked at is a sample of the average, also one without items.
        const unsigned tries = slot_->victim_order.adjust_attempts(victim.items->estimate(), attempts);
        if (tries == 0 || !victim.items->may_have_items())
            return false;
        const bool several = std::is_nothrow_move_constructible_v<T> && !team_->settings_.steals_one;
        slot_->batch = victim.items->claim_steal(number_, tries, several ? queue::unlimited : 1);
        slot_->contended += slot_->batch.lost;
        if (slot_->batch.outcome != steal_outcome::won)
            return false;
        victim_ = &victim;
        slot_->owed = 1;
        if (slot_->batch.count > 1)
            keep_all_but_one();
        if (team_->idle_.any() && !victim.items->may_have_items())
            victim.items->arm();
        return true;
    }

    // Moves stolen items into the own queue, all but the last. If there is no memory, the rest stays in `batch` and
    // runs before the member's own items.
    void keep_all_but_one() noexcept {
        stolen_items<T>& batch = slot_->batch;
        team_->consensus_.activate(slot_->account);
        std::size_t kept = 0;
        while (kept < batch.count - 1 && slot_->items->push_within(batch.first[kept], queue::unlimited))
            ++kept;
        if (kept != 0)
            victim_->items->release_stolen(*batch.home, batch.first, kept);
        batch.first += kept;
        batch.count -= kept;
        slot_->owed += kept;
        slot_->kept += kept;
    }

    void release_loot() noexcept {
        stolen_items<T>& batch = slot_->batch;
        victim_->items->release_stolen(*batch.home, batch.first++, 1);
        --batch.count;
        ++slot_->ran_stolen;
    }
    [[gnu::noinline]] void report() noexcept {
        const bool over = team_->consensus_.report(victim_->account, std::exchange(slot_->owed, 1));
        if (slot_->batch.count == 0)
            victim_ = nullptr;
        team_->end_if(over);
    }

    blaze_scheduler* team_;
    slot* slot_;
    slot* victim_ = nullptr;
    unsigned number_;
};

}  // namespace teff
