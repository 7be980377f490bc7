// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random trees of tasks of every kind: undeferred and deferred ones, tasks with dependences, priorities and events, and
// cancelled groups. Each task has an identity. None may be lost or called twice; only those of a cancelled group may be
// left out. Events are fulfilled by threads outside the team, before or after the task has run, or by its parent.
//
// Tasks with dependences work on ordinary memory, so ThreadSanitizer notices if two of them are not ordered.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <tests/stress/operations.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace teff::openmp;
using teff::depend::access_kind;

// Both settings have an effect only before the first use of the runtime.
const bool settings_taken = [] {
    take_setting("OMP_CANCELLATION=true");
    take_setting("OMP_MAX_TASK_PRIORITY=3");
    return true;
}();

// Threads outside the team that fulfil events.
class fulfillers {
public:
    explicit fulfillers(unsigned count) {
        for (unsigned i = 0; i != count; ++i)
            threads_.emplace_back([this] { work(); });
    }
    // Returns when all events are fulfilled.
    ~fulfillers() {
        {
            const std::scoped_lock locked(guard_);
            is_over_ = true;
        }
        changed_.notify_all();
        for (std::thread& each : threads_)
            each.join();
    }
    void give(completion_event& event) {
        {
            const std::scoped_lock locked(guard_);
            events_.push_back(&event);
        }
        changed_.notify_one();
    }

private:
    void work() {
        for (;;) {
            std::unique_lock locked(guard_);
            changed_.wait(locked, [this] { return !events_.empty() || is_over_; });
            if (events_.empty())
                return;
            completion_event* const event = events_.back();
            events_.pop_back();
            locked.unlock();
            fulfil(*event);
        }
    }

    std::mutex guard_;
    std::condition_variable changed_;
    // guarded by the mutex
    std::vector<completion_event*> events_;
    bool is_over_ = false;

    std::vector<std::thread> threads_;
};

class forest {
public:
    explicit forest(unsigned trees) : trees_(trees), identities_(std::size_t{trees} * most_in_tree) {}

    // In a region of `threads` threads: the first one makes the trees, or each makes its part.
    void grow(unsigned threads, bool is_one_maker) {
        fulfillers outside(2);
        outside_ = &outside;
        is_one_maker_ = is_one_maker;
        run_region(this_place(), {.threads = threads}, [](place& caller, void* self) {
            static_cast<forest*>(self)->plant(caller);
        }, this);
    }
    void expect_each_once() const {
        for (const identity& each : identities_) {
            const unsigned calls = each.calls.load(), made = each.made.load();
            if (each.may_be_dropped.load())
                ASSERT_LE(calls, made);
            else
                ASSERT_EQ(calls, made);
            ASSERT_LE(made, 1U);
            ASSERT_EQ(each.ends.load(), calls);
        }
    }

private:
    static constexpr unsigned most_in_tree = 64, most_children = 6, objects = 3;

    struct identity {
        std::atomic<unsigned> made{0}, calls{0}, ends{0};
        std::atomic<bool> may_be_dropped{false};
        // the number of its children that must be called
        std::atomic<unsigned> children_called{0};
    };
    struct tree {
        unsigned first;
        std::atomic<unsigned> count{1};
    };
    // The memory of tasks with dependences, in the frame of the task that makes them.
    struct shared {
        unsigned long values[objects] = {};
    };
    struct payload {
        forest* in;
        tree* of;
        identity* self;
        identity* parent;
        completion_event* event;  // given to the fulfilling threads by the task itself
        shared* work;
        access_kind kinds[objects];
        bool uses[objects];
        bool may_be_dropped;
        bool cancels;
        unsigned depth;
        unsigned seed;
    };

    void plant(place& caller) {
        const unsigned first = is_one_maker_ ? 0 : caller.number, step = is_one_maker_ ? 1 : caller.size;
        if (is_one_maker_ && caller.number != 0)
            return;
        std::vector<std::unique_ptr<tree>> mine;
        for (unsigned number = first; number < trees_; number += step) {
            mine.push_back(std::make_unique<tree>());
            mine.back()->first = number * most_in_tree;
            identity& root = identities_[number * most_in_tree];
            root.made.store(1);
            make_children(caller, *mine.back(), root, false, 3, number + 1);
            root.calls.store(1);
            root.ends.store(1);
        }
        wait_for_children(caller);
    }

    // Makes some children of the running task, and waits for them in one of several ways.
    void make_children(place& caller, tree& of, identity& parent, bool may_be_dropped, unsigned depth, unsigned seed) {
        std::minstd_rand random(seed * 2654435761U + depth);
        shared work;
        unsigned long expected[objects] = {};
        const bool has_group = random() % 3 == 0;
        const bool may_cancel = has_group && random() % 2 == 0;
        if (has_group)
            begin_taskgroup(caller);
        may_be_dropped |= may_cancel;
        unsigned must = 0;
        for (unsigned left = 1 + static_cast<unsigned>(random()) % most_children; left != 0; --left) {
            const unsigned number = of.count.fetch_add(1);
            if (number >= most_in_tree)
                break;
            identity& child = identities_[of.first + number];
            child.may_be_dropped.store(may_be_dropped);
            must += may_be_dropped ? 0 : 1;
            make_child(caller, of, parent, child, depth, static_cast<unsigned>(random()), may_cancel, work, expected);
        }
        // The children must end before `work`; those of the group with their descendants.
        if (has_group) {
            end_taskgroup(caller);
        } else {
            wait_for_children(caller);
        }
        EXPECT_GE(parent.children_called.load(), must);
        for (unsigned i = 0; i != objects && !may_be_dropped; ++i)
            EXPECT_EQ(work.values[i], expected[i]);
    }

    void make_child(place& caller, tree& of, identity& parent, identity& child, unsigned depth, unsigned seed,
                    bool may_cancel, shared& work, unsigned long* expected) {
        std::minstd_rand random(seed);
        child.made.fetch_add(1);
        deferred_task& made = make_task(caller, sizeof(payload), alignof(payload));
        auto& data = *::new (data_of(made, alignof(payload))) payload{
            this,
            &of,
            &child,
            &parent,
            nullptr,
            &work,
            {},
            {},
            child.may_be_dropped.load(),
            may_cancel && random() % 4 == 0,
            depth - 1,
            seed};
        made.data = &data;
        made.call = [](deferred_task& self) noexcept {
            payload& own = *static_cast<payload*>(self.data);
            own.in->run(this_place(), own);
        };
        dependence items[objects];
        dependence_list clauses{.items = items};
        if (random() % 2 == 0) {
            for (unsigned i = 0; i != objects; ++i) {
                data.uses[i] = random() % 2 == 0;
                data.kinds[i] = std::array{access_kind::in, access_kind::inout, access_kind::commutative,
                                           access_kind::concurrent}[random() % 4];
                if (data.uses[i]) {
                    items[clauses.count++] = {&work.values[i], data.kinds[i]};
                    expected[i] += data.kinds[i] == access_kind::in ? 0 : 1;
                }
            }
            merge(clauses);
            clauses.has_all_memory = random() % 16 == 0;
        }
        if (random() % 4 == 0)
            set_priority(made, static_cast<int>(random() % 4));
        if (random() % 4 == 0) {
            allow_event(caller, made);
            // The event of a task that is not called would never be fulfilled.
            if (!data.may_be_dropped && random() % 2 == 0)
                data.event = made.event;
            else if (random() % 2 == 0)
                outside_->give(*made.event);
            else
                fulfil(*made.event);  // before the task begins
        }
        submit(caller, made, random() % 8 != 0, clauses);
    }

    void run(place& caller, payload& own) {
        own.self->calls.fetch_add(1);
        for (unsigned i = 0; i != objects; ++i) {
            unsigned long& value = own.work->values[i];
            if (!own.uses[i])
                continue;
            if (own.kinds[i] == access_kind::concurrent)
                __atomic_fetch_add(&value, 1, __ATOMIC_RELAXED);
            else if (own.kinds[i] == access_kind::in)
                EXPECT_LE(value, most_in_tree);
            else
                ++value;
        }
        if (own.cancels)
            EXPECT_TRUE(cancel(caller, cancellable::taskgroup));
        else if (own.depth != 0)
            make_children(caller, *own.of, *own.self, own.may_be_dropped, own.depth, own.seed);
        own.parent->children_called.fetch_add(1);
        own.self->ends.fetch_add(1);
        // Last of all: the event may be fulfilled at once.
        if (own.event != nullptr)
            outside_->give(*own.event);
    }

    const unsigned trees_;
    std::vector<identity> identities_;
    fulfillers* outside_ = nullptr;
    bool is_one_maker_ = false;
};

void grow_forests(unsigned threads, bool is_one_maker) {
    constexpr unsigned trees = 100, operations_per_tree = 10'000;
    const std::uint64_t rounds = stress::operations() / operations_per_tree / trees + 1;
    for (std::uint64_t round = 0; round != rounds; ++round) {
        forest all(trees);
        all.grow(threads, is_one_maker);
        all.expect_each_once();
        if (testing::Test::HasFailure())
            return;
    }
}

TEST(openmp_tasks, of_one_thread_run_once) { grow_forests(1, true); }
TEST(openmp_tasks, of_one_maker_run_once) { grow_forests(2, true); }
TEST(openmp_tasks, of_two_makers_run_once) { grow_forests(2, false); }
TEST(openmp_tasks, of_many_threads_run_once) { grow_forests(6, true); }
TEST(openmp_tasks, of_many_makers_run_once) { grow_forests(6, false); }

}  // namespace
