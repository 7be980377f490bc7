// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scheduler behaves as its row says: which item is next, what bounds its queues, whether other members take its
// items.
//
// All members run on one thread, so that every step is determined.
#include <tests/conformance/each_scheduler.hpp>

#include <teff/options/options.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/team/team_options.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace conformance {
namespace {

// A scheduler and its first two members.
template <class Scheduler>
class pair_of_members {
public:
    explicit pair_of_members(const teff::scheduler_settings& settings)
        : idle_(outside_, 0), scheduler_(settings, idle_), owner_(scheduler_.enter(0, 0)) {}
    ~pair_of_members() {
        if (thief_) {
            thief_->drop_all();
            scheduler_.leave(*thief_);
        }
        owner_.drop_all();
        scheduler_.leave(owner_);
    }
    pair_of_members(const pair_of_members&) = delete;
    pair_of_members& operator=(const pair_of_members&) = delete;

    bool push(int item) { return owner_.try_push(int{item}) || owner_.push_slow(item); }
    // The number of items that the owner accepts before it refuses one; `most` if it does not refuse any.
    int push_until_refused(int most) {
        int pushed = 0;
        while (pushed < most && push(pushed))
            ++pushed;
        return pushed;
    }
    std::optional<int> run_one() { return run_one(owner_); }
    // Runs and returns the items that the second member gets by one call of steal(). The first call lets that member
    // join.
    std::vector<int> steal() {
        if (!thief_)
            thief_.emplace(scheduler_.enter(1, 1));
        std::vector<int> items;
        if (!thief_->steal())
            return items;
        while (const std::optional<int> item = run_one(*thief_))
            items.push_back(*item);
        thief_->retire();
        return items;
    }

private:
    using member = typename Scheduler::local;

    static std::optional<int> run_one(member& self) {
        int* item = self.claim();
        if (item == nullptr)
            item = self.refill();
        if (item == nullptr)
            return std::nullopt;
        const int ran = *item;
        self.release(item);
        self.ran_one();
        return ran;
    }

    teff::event_count outside_;
    teff::idle_tracker idle_;
    Scheduler scheduler_;
    member owner_;
    std::optional<member> thief_;
};

class scheduler_traits_of : public each_scheduler {
protected:
    // Calls use(members) with a pair of members under these settings.
    template <class Use>
    void with_pair(const teff::scheduler_settings& settings, Use&& use) {
        with_class<int>(settings, [&]<class Scheduler>(const teff::scheduler_settings& chosen) {
            pair_of_members<Scheduler> members(chosen);
            use(members);
        });
    }
    static const teff::scheduler_traits& traits() { return GetParam().traits; }
};

INSTANTIATE_TEST_SUITE_P(, scheduler_traits_of, testing::ValuesIn(all_rows()), row_names());

TEST_P(scheduler_traits_of, order_tells_which_item_is_next) {
    with_pair({.slots = 1}, [](auto& members) {
        constexpr int items = 4;
        for (int item = 0; item < items; ++item)
            ASSERT_TRUE(members.push(item));
        const bool newest_first = traits().order == teff::task_order::newest_first;
        for (int i = 0; i < items; ++i)
            EXPECT_EQ(members.run_one(), newest_first ? items - 1 - i : i);
        EXPECT_EQ(members.run_one(), std::nullopt);
    });
}

constexpr int few_items = 100, many_items = 100'000;

TEST_P(scheduler_traits_of, bound_names_the_option_that_bounds_a_worker) {
    const auto settings_with = [](const char* option, long value) {
        teff::configuration chosen;
        EXPECT_TRUE(chosen.set(teff::find_option(option)->id, value, teff::origin::variable, nullptr, 0)) << option;
        return teff::resolve(chosen, {.threads = 1}).settings;
    };
    if (traits().bound == nullptr) {
        with_pair(settings_with("max_queued", 0),
                  [](auto& members) { EXPECT_EQ(members.push_until_refused(many_items), many_items); });
        return;
    }
    with_pair(settings_with(traits().bound, 8), [](auto& members) {
        const int taken = members.push_until_refused(many_items);
        EXPECT_GT(taken, 0);
        EXPECT_LT(taken, few_items);
    });
    with_pair(settings_with(traits().bound, 2 * few_items),
              [](auto& members) { EXPECT_GT(members.push_until_refused(many_items), few_items); });
}

// The owner runs an item after each attempt of the thief, because some schedulers answer a thief only then.
TEST_P(scheduler_traits_of, a_worker_that_comes_late_gets_items_if_the_scheduler_steals) {
    with_pair({.slots = 2, .shepherds = 2, .distrib_steal_ratio = 1}, [](auto& members) {
        constexpr int items = 20;
        int pushed = 0;
        while (pushed < items && members.push(pushed))
            ++pushed;
        ASSERT_GT(pushed, 5);
        std::multiset<int> stolen, kept;
        for (bool is_left = true; is_left;) {
            for (const int item : members.steal())
                stolen.insert(item);
            const auto own = members.run_one();
            is_left = own.has_value();
            if (own)
                kept.insert(*own);
        }
        EXPECT_EQ(!stolen.empty(), traits().steals) << stolen.size() << " stolen, " << kept.size() << " kept";
        for (int item = 0; item < pushed; ++item)
            EXPECT_LE(stolen.count(item) + kept.count(item), 1U) << item;
    });
}

// Items that any member may take are all taken by the thief; a bound item waits for its owner.
TEST_P(scheduler_traits_of, bound_items_wait_for_the_worker_that_they_were_dealt_to) {
    if (traits().on_request)
        GTEST_SKIP() << "its owner must answer first";
    with_pair({.slots = 2, .shepherds = 2, .distrib_steal_ratio = 1}, [](auto& members) {
        for (int item = 0; item < 4; ++item)
            ASSERT_TRUE(members.push(item));
        std::size_t taken = 0;
        for (int looks = 0; looks < 1000; ++looks)
            taken += members.steal().size();
        EXPECT_EQ(taken == 4, !traits().binds) << taken;
    });
}

class scheduler_rescue : public scheduler_traits_of {};
INSTANTIATE_TEST_SUITE_P(, scheduler_rescue, testing::ValuesIn(rows_with_rescue()), row_names());

// With the option the thief gets them all while their owner does not come by. (Otherwise this test never ends.)
TEST_P(scheduler_rescue, bound_items_are_taken_from_a_worker_that_does_not_come_by) {
    with_pair({.slots = 2, .shepherds = 2}, [](auto& members) {
        for (int item = 0; item < 4; ++item)
            ASSERT_TRUE(members.push(item));
        std::set<int> taken;
        while (taken.size() < 4) {
            for (const int item : members.steal())
                EXPECT_TRUE(taken.insert(item).second) << item;
        }
        EXPECT_EQ(members.run_one(), std::nullopt);
    });
}

}  // namespace
}  // namespace conformance
