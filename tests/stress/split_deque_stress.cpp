// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The split deque under real threads: every item has a number, and each number must come out exactly once.
//
// One producer pushes and pops in bursts. One to three thieves ask and steal, also by force, expose a part of their
// stolen items to each other and take it back. An operation is a push or an item taken (operations.hpp says how many).
// Another test checks the guarantee that no request is lost: it hangs if one is.
#include <tests/conformance/tracked.hpp>
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/queue/split_deque.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <sched.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct plain_item {
    explicit plain_item(std::uint32_t its_number) : value(its_number) {}
    std::uint32_t number() const { return value; }
    std::uint32_t value;
};

// The state that the threads of one round share.
struct round_state {
    explicit round_state(std::uint32_t items) : delivered(items) {}

    void take(std::uint32_t number) {
        if (!delivered.deliver(number))
            wrong.fetch_add(1);
    }

    stress::identities delivered;
    std::atomic<unsigned> idle_thieves{0};
    std::atomic<bool> over{false};
    std::atomic<long> wrong{0};
};

// One thread's end of a deque. It answers the marks like the scheduler `demand`.
template <class T>
class member {
public:
    member(round_state& state, std::uint64_t seed) : state_(state), random_(seed) {
        if (!deque.open())
            std::abort();
        top_ = deque.bottom();
    }
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member() { top_ = deque.drop_all(top_); }

    void push(std::uint32_t number) {
        ::new (static_cast<void*>(top_)) T(number);
        ++top_;
        if (deque.push_is_private(top_))
            return;
        const slow_operation alone(deque, top_);
        top_ = deque.make_room(top_);
        answer(0);
    }
    // Returns false if neither a private nor a shared item is left.
    bool pop() {
        if (!deque.try_claim(top_) && !refill())
            return false;
        state_.take(top_->number());
        std::destroy_at(top_);
        return true;
    }
    void pop_all() {
        while (pop()) {
        }
    }
    // Returns true if something was stolen.
    bool steal_from(member& victim) {
        const slow_operation alone(deque, top_);
        top_ = deque.restart();
        const auto taken = victim.deque.steal_into(deque, 1 + random_.below(4));
        top_ += taken.count;
        if (taken.count != 0)
            deque.arm();
        return taken.count != 0;
    }
    // Exposes a part of the private items to the other threads.
    void show_some() {
        const slow_operation alone(deque, top_);
        deque.expose(top_, random_.below(static_cast<std::uint32_t>(deque.private_size(top_)) + 1));
        deque.bottom_moved();
    }
    void check() const { deque.check_invariants(top_); }
    teff::random_generator& random() noexcept { return random_; }

    teff::split_deque<T> deque;

private:
    using slow_operation = typename teff::split_deque<T>::slow_operation;

    bool refill() {
        const slow_operation alone(deque, top_);
        answer(1);
        if (top_ == deque.bottom()) {
            top_ = deque.restart();
            top_ = deque.take_back(1 + random_.below(8));
            deque.bottom_moved();
            stay_asked();
        }
        if (top_ == deque.bottom())
            return false;
        --top_;
        return true;
    }
    void answer(std::size_t keep) {
        deque.disarm(std::numeric_limits<std::size_t>::max());
        const std::size_t own = deque.private_size(top_);
        const bool asked = state_.idle_thieves.load(std::memory_order_relaxed) != 0;
        if (deque.expose(top_, !asked ? own / 2 : own > keep ? own - keep : 0))
            deque.bottom_moved();
        else
            stay_asked();
    }
    // If no item is visible, keeps the request armed until one is.
    void stay_asked() {
        if (deque.shared_size() == 0)
            deque.arm_push();
    }

    round_state& state_;
    teff::random_generator random_;
    T* top_ = nullptr;
};

template <class T>
void produce(member<T>& own, std::uint32_t items) {
    constexpr std::uint32_t longest_burst = 300;
    for (std::uint32_t next = 0; next < items;) {
        const std::uint32_t pushes = std::min(1 + own.random().below(longest_burst), items - next);
        for (std::uint32_t i = 0; i < pushes; ++i)
            own.push(next++);
        for (std::uint32_t i = own.random().below(longest_burst); i != 0 && own.pop(); --i) {
        }
        if (own.random().below(512) == 0)
            ::sched_yield();
    }
    own.pop_all();
}

template <class T>
void plunder(std::vector<std::unique_ptr<member<T>>>& all, std::size_t self, round_state& state) {
    member<T>& own = *all[self];
    while (!state.over.load()) {
        state.idle_thieves.fetch_add(1, std::memory_order_relaxed);
        std::size_t victim = own.random().below(static_cast<std::uint32_t>(all.size()));
        victim = victim == self ? 0 : victim;
        const bool stolen = own.steal_from(*all[victim]);
        // The victim is in the middle of its operations, where force must do no harm.
        if (!stolen && (own.random().below(4) != 0 || !all[victim]->deque.expose_by_force()))
            all[victim]->deque.ask();
        state.idle_thieves.fetch_sub(1, std::memory_order_relaxed);
        if (!stolen) {
            ::sched_yield();
            continue;
        }
        if (own.random().below(2) == 0)
            own.show_some();
        own.pop_all();
    }
}

template <class T>
void run_round(unsigned thieves, std::uint32_t items, std::uint64_t seed) {
    round_state state(items);
    std::vector<std::unique_ptr<member<T>>> all;
    for (unsigned i = 0; i <= thieves; ++i)
        all.push_back(std::make_unique<member<T>>(state, seed + i));
    std::vector<std::thread> threads;
    for (std::size_t self = 1; self < all.size(); ++self)
        threads.emplace_back([&all, &state, self] { plunder(all, self, state); });
    produce(*all[0], items);
    state.over.store(true);
    for (std::thread& each : threads)
        each.join();
    for (const auto& each : all)
        each->check();
    EXPECT_EQ(state.wrong.load(), 0) << "items came out twice";
    EXPECT_EQ(state.delivered.missing(), 0U) << "items were lost";
}

template <class T>
void run_rounds(std::uint64_t items) {
    constexpr std::uint64_t items_per_round = 1'000'000;
    for (unsigned round = 0; items > 0 && !testing::Test::HasFailure(); ++round) {
        const std::uint64_t now = std::min(items, items_per_round);
        SCOPED_TRACE("round " + std::to_string(round));
        run_round<T>(1 + round % 3, static_cast<std::uint32_t>(now), 1000 * round + 1);
        items -= now;
    }
}

TEST(split_deque_stress, plain_items_come_out_once) { run_rounds<plain_item>(stress::operations() / 2); }

TEST(split_deque_stress, tracked_items_come_out_once) {
    run_rounds<conformance::tracked<>>(stress::operations() / 20);
    conformance::tracked<>::expect_none_alive();
}

// The owner pushes some items and then does nothing until all of them are taken.
TEST(split_deque_stress, nothing_stays_hidden_from_force) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    const std::uint64_t rounds = std::clamp<std::uint64_t>(stress::operations() / 10'000, 100, 20'000);
    constexpr std::uint32_t most = 20;
    round_state state(most);
    member<plain_item> owner(state, 1), first(state, 2), second(state, 3);
    std::atomic<std::uint32_t> left{0};
    std::vector<std::thread> thieves;
    for (member<plain_item>* const each : {&first, &second}) {
        thieves.emplace_back([&, each] {
            while (!state.over.load(std::memory_order_relaxed)) {
                owner.deque.expose_by_force();
                while (each->steal_from(owner)) {
                    while (each->pop())
                        left.fetch_sub(1, std::memory_order_relaxed);
                }
            }
        });
    }
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint32_t items = 1 + owner.random().below(most);
        left.store(items, std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < items; ++i)
            owner.push(i);
        while (left.load(std::memory_order_relaxed) != 0)
            ::sched_yield();
    }
    state.over.store(true);
    for (std::thread& each : thieves)
        each.join();
}

// The thief asks once and waits for an item. Meanwhile the owner only pushes and pops, and always has items to give.
TEST(split_deque_stress, no_request_is_lost) {
    const std::uint64_t requests = std::clamp<std::uint64_t>(stress::operations() / 10'000, 100, 2'000);
    constexpr std::uint32_t held = 8;
    round_state state(held);
    member<plain_item> owner(state, 1), thief(state, 2);
    std::thread asking([&] {
        for (std::uint64_t i = 0; i < requests; ++i) {
            state.idle_thieves.store(1, std::memory_order_relaxed);
            owner.deque.ask();
            while (!thief.steal_from(owner))
                ::sched_yield();
            state.idle_thieves.store(0, std::memory_order_relaxed);
            thief.pop_all();
        }
        state.over.store(true);
    });
    while (!state.over.load(std::memory_order_relaxed)) {
        for (std::uint32_t i = 0; i < held; ++i)
            owner.push(i);
        for (std::uint32_t i = 0; i < held / 2; ++i)
            owner.pop();
        // Not everything is popped each time, so that some items lie below the marks.
        if (owner.random().below(16) == 0)
            owner.pop_all();
    }
    asking.join();
    owner.pop_all();
    owner.check();
    thief.check();
}

}  // namespace
