// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of plain threads that drives a scheduler only through its concept, as a front end would.
//
// Each member claims, runs and pushes items, refills, retires and steals until the scheduler reports that all work is
// finished. When any thread sees this report, every item must have run to completion. All members check this, and so
// does an observer thread that does nothing else. Members never sleep, so that the outcome depends on the scheduler
// alone.
#pragma once

#include <teff/scheduler/idle_tracker.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/settings.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <sched.h>
#include <thread>
#include <utility>
#include <vector>

namespace conformance {

template <class Scheduler, class Item>
    requires teff::scheduler<Scheduler, Item>
class scheduler_team {
public:
    class member;
    using body = std::function<void(member&, Item&)>;
    using start = std::function<void(member&)>;

    // inline_depth: how many refused items may run nested inside each other; the next one goes to push_overflow().
    scheduler_team(const teff::scheduler_settings& settings, body run, unsigned inline_depth = 3)
        : slots_(settings.slots), inline_depth_(inline_depth), run_(std::move(run)), idle_(outside_, 0),
          scheduler_(settings, idle_) {}

    Scheduler& scheduler() noexcept { return scheduler_; }
    // Items that ran to completion, and items that a push refused.
    long finished_items() const noexcept { return finished_items_.load(); }
    long refused() const noexcept { return refused_.load(); }
    // Exceptions from bodies and from moves of items.
    long failures() const noexcept { return failures_.load(); }

    // Runs the items that `first(member)` pushes on as many threads as there are slots.
    void run(const start& first) {
        run_with(first, [this](unsigned slot) { stay(slot); });
    }

    // The same, but members other than the first join and leave: each leaves its slot when it finds nothing to take,
    // and later joins again in any free slot.
    void run_with_visitors(const start& first) {
        for (unsigned slot = 1; slot < slots_; ++slot)
            free_slots_.push_back(slot);
        run_with(first, [this](unsigned number) {
            while (!is_finished())
                visit(number);
        });
    }

    // A member for tests that call the scheduler themselves.
    member enter(unsigned slot) { return member(*this, slot, slot); }

    class member {
    public:
        member(scheduler_team& team, unsigned slot, unsigned worker)
            : team_(team), local_(team.scheduler_.enter(slot, worker)), depth_left_(team.inline_depth_) {}

        void push(Item item) {
            team_.pushed_.fetch_add(1);
            if (local_.try_push(std::move(item)) || local_.push_slow(item))
                return;
            team_.refused_.fetch_add(1);
            if (depth_left_ != 0)
                run_inside(item);
            else
                local_.push_overflow(item);
        }

        typename Scheduler::local& local() noexcept { return local_; }

        // Returns when no work is left.
        void work() {
            while (Item* const item = next())
                run_claimed(item);
        }
        // Runs all the work that is available now; returns false if nothing could be stolen.
        bool work_on_stolen() {
            if (!steal())
                return false;
            while (Item* const item = own_item())
                run_claimed(item);
            local_.retire();
            return true;
        }
        bool search() {
            const searching among(team_.idle_.members());
            while (!team_.is_finished()) {
                if (steal())
                    return true;
                ::sched_yield();
            }
            return false;
        }
        void leave() { team_.scheduler_.leave(local_); }

    private:
        struct searching {
            explicit searching(teff::event_count& members) noexcept : members_(members) { members_.begin_search(); }
            ~searching() { members_.end_search(); }
            teff::event_count& members_;
        };
        // Releases a claimed item, also if moving it out throws.
        struct claimed {
            member& self;
            Item* item;
            ~claimed() { self.local_.release(item); }
            Item take() { return Item(std::move(*item)); }
        };

        Item* own_item() {
            Item* const item = local_.claim();
            return item != nullptr ? as_found(item) : refill();
        }
        // The task loop asks the cursor again for the item, where the scheduler allows it.
        Item* as_found(Item* item) {
            if constexpr (teff::claims_at_cursor_scheduler<Scheduler, Item>) {
                EXPECT_TRUE(item == nullptr || item == local_.claimed_item());
            }
            return item;
        }
        Item* next() {
            Item* item = own_item();
            while (item == nullptr) {
                local_.retire();
                if (!search())
                    return nullptr;
                item = refill();
            }
            return item;
        }

        Item* refill() {
            try {
                return as_found(local_.refill());
            } catch (...) {
                team_.fail();
                local_.drop_all();
                return nullptr;
            }
        }
        bool steal() {
            try {
                return local_.steal();
            } catch (...) {
                team_.fail();
                return false;
            }
        }

        void run_claimed(Item* item) {
            try {
                Item mine = claimed{*this, item}.take();
                const running until_done{*this};
                team_.run_(*this, mine);
                team_.finished_items_.fetch_add(1);
            } catch (...) {
                team_.fail();
            }
        }
        struct running {
            member& self;
            ~running() { self.local_.ran_one(); }
        };

        void run_inside(Item& item) {
            --depth_left_;
            try {
                team_.run_(*this, item);
                team_.finished_items_.fetch_add(1);
            } catch (...) {
                team_.fail();
            }
            ++depth_left_;
        }

        scheduler_team& team_;
        typename Scheduler::local local_;
        unsigned depth_left_;
    };

private:
    void run_with(const start& first, const std::function<void(unsigned)>& others) {
        std::atomic<bool> over{false};
        std::thread observer([&] {
            while (!over.load() && !is_finished())
                ::sched_yield();
        });
        member caller(*this, 0, 0);
        try {
            first(caller);
        } catch (...) {
            fail();
        }
        std::atomic<unsigned> started{0};
        std::vector<std::thread> threads;
        for (unsigned number = 1; number < slots_; ++number)
            threads.emplace_back([&others, &started, number] {
                started.fetch_add(1);
                others(number);
            });
        // Otherwise all items might have run before the second thread starts.
        while (started.load() != slots_ - 1)
            ::sched_yield();
        caller.work();
        caller.leave();
        for (std::thread& each : threads)
            each.join();
        over.store(true);
        observer.join();
        EXPECT_TRUE(scheduler_.finished());
        EXPECT_FALSE(seen_unfinished_.load() && !stopped_.load()) << "the end was announced too early";
    }

    void stay(unsigned slot) {
        member self(*this, slot, slot);
        if (self.search())
            self.work();
        self.leave();
    }

    void visit(unsigned worker) {
        unsigned slot = 0;
        {
            const std::scoped_lock lock(slots_mutex_);
            slot = free_slots_.back();
            free_slots_.pop_back();
        }
        {
            member self(*this, slot, worker);
            while (self.work_on_stolen()) {
            }
            self.leave();
        }
        {
            const std::scoped_lock lock(slots_mutex_);
            free_slots_.push_back(slot);
        }
        // The others may need the processor.
        ::sched_yield();
    }

    bool is_finished() {
        // The order matters: once the scheduler has reported the end, no item may start or be unfinished. In a
        // failing team, lost items may be noticed here before the failure is.
        if (!scheduler_.finished())
            return false;
        if (finished_items_.load() != pushed_.load())
            seen_unfinished_.store(true);
        return true;
    }

    void fail() noexcept {
        failures_.fetch_add(1);
        stop();
    }

public:
    // Cancels the scheduler; items that have not started are dropped.
    void stop() noexcept {
        stopped_.store(true);
        scheduler_.cancel();
    }

private:
    const unsigned slots_;
    const unsigned inline_depth_;
    const body run_;
    std::atomic<long> pushed_{0}, finished_items_{0}, refused_{0}, failures_{0};
    std::atomic<bool> stopped_{false}, seen_unfinished_{false};
    std::mutex slots_mutex_;
    std::vector<unsigned> free_slots_;  // guarded by slots_mutex_
    teff::event_count outside_;
    teff::idle_tracker idle_;
    Scheduler scheduler_;
};

}  // namespace conformance
