// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependence trackers: one thread issues random tasks while others run and release them. Each task runs once, and
// finds in the memory of its objects exactly what the tasks that it depends on leave there.
//
// The issuer works the answers out in program order. Each object has ordinary memory: the identity of the last task
// that had it alone (in, inout), and a sum per thread, to which commutative and concurrent tasks add their identity.
// They may overlap, since mutual exclusion is left to the front end. A task that has the object alone adds the sums up
// and clears them. So a missing order is a wrong answer or, under ThreadSanitizer, a race.
//
// A thread runs the tasks that its releases make ready. Only the surplus is offered to others, under a mutex, and tasks
// that are ready when they are issued go to one thread each, since a queue orders more than a tracker does.
//
// A task that is lost would be waited for without end. So threads count what may still make tasks ready: ready tasks,
// searches, and the issuer until it waits. If that is nothing, the run fails.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/locks.hpp>
#include <teff/depend/every_tracker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace depend = teff::depend;
using depend::access_kind;

constexpr unsigned most_accesses = 3;
constexpr unsigned most_threads = 4;

// What a task has to find in an object, by the rules of depend/tracked.hpp.
struct answer {
    std::uint64_t last_alone = 0;  // the identity of the last task that had the object alone
    std::uint64_t sum = 0;         // of the identities of the commutative and concurrent tasks since then
    std::uint64_t ended = 0;       // tasks of earlier generations
};

struct object {
    depend::tracked_object tracked;
    // ordinary memory of the tasks
    std::uint64_t last_alone = 0;
    std::array<std::uint64_t, most_threads + 1> sums{};  // by thread; the last one: the issuer's
    // any thread
    teff::atomic<std::uint64_t> ended{0};

    // The issuer: works the next answer out.
    answer next(std::uint64_t identity, access_kind kind) {
        if (before_.ended + members_ == 0 || !depend::joins(youngest_, kind)) {
            before_.ended += std::exchange(members_, 0);
            before_.sum += std::exchange(adding_, 0);
            youngest_ = kind;
        }
        ++members_;
        const answer found = before_;
        if (kind == access_kind::commutative || kind == access_kind::concurrent)
            adding_ += identity;
        else if (kind != access_kind::in)
            before_ = {identity, 0, before_.ended};
        return found;
    }
    // After all tasks that have been issued.
    answer final_answer() const { return {before_.last_alone, before_.sum + adding_, before_.ended + members_}; }
    access_kind youngest() const { return youngest_; }

private:
    answer before_;
    std::uint64_t members_ = 0, adding_ = 0;  // of the youngest generation
    access_kind youngest_{};
};

struct room_for_accesses {
    std::array<depend::tracked_access, most_accesses> room;
};
struct work : room_for_accesses, depend::tracked_task {
    work(std::uint64_t its_identity, unsigned count) : tracked_task(room.data(), count), identity(its_identity) {}

    const std::uint64_t identity;
    std::array<answer, most_accesses> answers;
};

// A place for one task after the other.
struct slot {
    std::optional<work> task;
    teff::atomic<bool> is_free{true};
};

struct run_shape {
    unsigned threads;  // besides the issuer
    unsigned objects;
    std::size_t window;  // the most tasks that are not released
};

template <class Tracker>
class tracker_run {
public:
    tracker_run(std::uint64_t tasks, run_shape shape, std::uint64_t seed)
        : tasks_(tasks), shape_(shape), random_(seed), objects_(std::make_unique<object[]>(shape.objects)),
          slots_(std::make_unique<slot[]>(shape.window)), inboxes_(shape.threads), delivered_(tasks) {
        for (unsigned i = 0; i < shape.objects; ++i)
            Tracker::open(objects_[i].tracked);
    }

    void run() {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < shape_.threads; ++i)
            threads.emplace_back([this, i] { work_off(i); });
        const bool is_complete = issue_all() && wait_for([this] {
            // acquire: the issuer sees what the tasks did; partner: the release in run_one().
            return ended_.load(std::memory_order_acquire) == tasks_;
        });
        // relaxed: only the flag matters; the threads are joined.
        is_over_.store(true, std::memory_order_relaxed);
        for (std::thread& thread : threads)
            thread.join();
        ASSERT_TRUE(is_complete) << "tasks wait, and nothing can make them ready";
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        for (unsigned i = 0; i < shape_.objects; ++i) {
            EXPECT_TRUE(Tracker::is_idle(objects_[i].tracked));
            EXPECT_TRUE(is_right(objects_[i], access_kind::out, objects_[i].final_answer()));
            Tracker::close(objects_[i].tracked);
        }
        depend::ready_list left;
        while (tracker_.may_have_missed())
            tracker_.search(left);
        EXPECT_TRUE(left.empty());
    }

private:
    struct alignas(64) inbox {
        teff::atomic<work*> next{nullptr};
    };

    unsigned below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

    // The issuer. False: that will never hold, since a task was lost.
    template <class Condition>
    bool wait_for(Condition&& holds) {
        if (holds())
            return true;
        // relaxed: the issuer has handed out, and so counted, what it has issued; it reads the count itself.
        active_.fetch_sub(1, std::memory_order_relaxed);
        bool found = false;
        for (teff::backoff idle; !(found = holds()) && !is_stuck(holds);)
            idle.pause();
        // relaxed: only the issuer itself relies on it.
        active_.fetch_add(1, std::memory_order_relaxed);
        return found;
    }
    // While the issuer waits. No search has begun between the two looks at the count.
    template <class Condition>
    bool is_stuck(Condition&& holds) {
        // acquire: sees what the last activity did; partner: the release in end_activity().
        const std::uint64_t before = active_.load(std::memory_order_acquire);
        return before % one_search == 0 && !tracker_.may_have_missed() && !holds() &&
               // acquire: as above, though only the count is used. holds(), an acquire, keeps it behind the looks.
               active_.load(std::memory_order_acquire) == before;
    }
    // Whether all were issued; otherwise a task was lost.
    bool issue_all() {
        std::vector<unsigned> order(shape_.objects);
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint64_t identity = 0; identity < tasks_; ++identity) {
            slot& mine = slots_[identity % shape_.window];
            // acquire: the thread that has released the task before has left it; partner: the release in run_one().
            if (!wait_for([&] { return mine.is_free.load(std::memory_order_acquire); }))
                return false;
            // relaxed: the thread that runs the task gets it by another way.
            mine.is_free.store(false, std::memory_order_relaxed);
            const unsigned count = 1 + below(std::min(most_accesses, shape_.objects));
            work& made = mine.task.emplace(identity, count);
            bool can_start = true;
            for (unsigned i = 0; i < count; ++i) {
                std::swap(order[i], order[i + below(shape_.objects - i)]);
                can_start &= fill_access(made, i, objects_[order[i]]);
            }
            switch (tracker_.issue(made)) {
            case depend::issue_result::ready:
                hand_out(made);
                break;
            case depend::issue_result::waits:
                note_mistake_if(can_start);
                break;
            case depend::issue_result::no_memory:
                note_mistake_if(true);
                break;
            }
        }
        return true;
    }
    // Returns whether the object does not keep the task waiting.
    bool fill_access(work& made, unsigned number, object& of) {
        constexpr std::array kinds = {access_kind::in, access_kind::inout, access_kind::commutative,
                                      access_kind::concurrent};
        // Often the same again, so that generations have several tasks.
        access_kind kind = below(3) != 0 ? of.youngest() : kinds[below(kinds.size())];
        if (kind == access_kind::out)
            kind = access_kind::inout;
        if (kind == access_kind::inout && Tracker::is_idle(of.tracked)) {
            kind = access_kind::out;
            note_mistake_if(!is_right(of, kind, of.final_answer()));
        }
        const bool can_start = Tracker::can_start(of.tracked, kind);
        made.accesses[number].object = &of.tracked;
        made.accesses[number].task = &made;
        made.accesses[number].kind = kind;
        made.accesses[number].data = &of;
        made.answers[number] = of.next(made.identity, kind);
        return can_start;
    }
    // To a thread whose inbox is empty; the issuer runs a few tasks itself.
    void hand_out(work& ready) {
        // relaxed: the issuer is counted, too.
        active_.fetch_add(1, std::memory_order_relaxed);
        const unsigned chosen = below(shape_.threads + 1);
        work* expected = nullptr;
        // release: publishes the task; partner: the acquire in work_off(). relaxed on failure: nothing is read.
        if (chosen != shape_.threads &&
            inboxes_[chosen].next.compare_exchange_strong(expected, &ready, std::memory_order_release,
                                                          std::memory_order_relaxed))
            return;
        depend::ready_list list;
        list.push(ready);
        run_all(most_threads, list);
    }

    void work_off(unsigned me) {
        teff::backoff idle;
        // relaxed: only the flag matters.
        while (!is_over_.load(std::memory_order_relaxed)) {
            depend::ready_list list;
            // acquire: sees the task; partner: the release in hand_out().
            if (work* const given = inboxes_[me].next.exchange(nullptr, std::memory_order_acquire))
                list.push(*given);
            else if (depend::tracked_task* const offered = take_offered())
                list.push(*offered);
            else
                search(list);
            if (list.empty()) {
                idle.pause();
                continue;
            }
            idle.reset();
            run_all(me, list);
        }
    }
    // A thread that has no task.
    void search(depend::ready_list& found) {
        // acquire: the tracker is not looked at before the search is counted, and what earlier activities did is seen;
        // partner: the release in end_activity().
        active_.fetch_add(one_search + 1, std::memory_order_acquire);
        if (tracker_.may_have_missed())
            tracker_.search(found);
        end_activity(found);
    }
    // The calling thread's activity has made tasks ready and ends, in this order.
    void end_activity(depend::ready_list& made_ready) {
        depend::ready_list counted;
        std::uint64_t count = 0;
        while (depend::tracked_task* const next = made_ready.pop()) {
            counted.push(*next);
            ++count;
        }
        made_ready = counted;
        // release: partner of the acquires in is_stuck().
        active_.fetch_add(count - 1, std::memory_order_release);
    }
    void run_all(unsigned me, depend::ready_list& list) {
        while (depend::tracked_task* const next = list.pop()) {
            // Another thread may take all but the first one.
            if (!list.empty())
                offer(list);
            run_one(me, static_cast<work&>(*next), list);
        }
    }
    void run_one(unsigned me, work& task, depend::ready_list& ready) {
        for (unsigned i = 0; i < task.access_count; ++i) {
            object& used = *static_cast<object*>(task.accesses[i].data);
            const access_kind kind = task.accesses[i].kind;
            note_mistake_if(!is_right(used, kind, task.answers[i]));
            if (kind == access_kind::commutative || kind == access_kind::concurrent) {
                used.sums[me] += task.identity;
            } else if (kind != access_kind::in) {
                used.last_alone = task.identity;
                used.sums.fill(0);
            }
        }
        note_mistake_if(!delivered_.deliver(task.identity));
        for (unsigned i = 0; i < task.access_count; ++i)
            // relaxed: the tracker orders the tasks.
            static_cast<object*>(task.accesses[i].data)->ended.fetch_add(1, std::memory_order_relaxed);
        slot& mine = slots_[task.identity % shape_.window];
        depend::ready_list made_ready;
        tracker_.release(task, made_ready);
        if (made_ready.empty() && tracker_.may_have_missed())
            tracker_.search(made_ready);
        // No thread may touch the task any more.
        mine.task.reset();
        // release: we no longer use the slot; partner: the acquire in issue_all().
        mine.is_free.store(true, std::memory_order_release);
        // release: the issuer sees what the task did; partner: the acquire in run().
        ended_.fetch_add(1, std::memory_order_release);
        end_activity(made_ready);
        while (depend::tracked_task* const next = made_ready.pop())
            ready.push(*next);
    }

    static bool is_right(const object& used, access_kind kind, const answer& expected) {
        // relaxed: the tracker has ordered the tasks that count.
        const std::uint64_t ended = used.ended.load(std::memory_order_relaxed);
        if (used.last_alone != expected.last_alone || ended < expected.ended)
            return false;
        // Other tasks of the generation may be adding.
        if (kind == access_kind::commutative || kind == access_kind::concurrent)
            return true;
        const bool is_alone = kind != access_kind::in;
        return (!is_alone || ended == expected.ended) &&
               std::accumulate(used.sums.begin(), used.sums.end(), std::uint64_t{0}) == expected.sum;
    }

    void offer(depend::ready_list& surplus) {
        const teff::scoped_lock lock(guard_);
        while (depend::tracked_task* const next = surplus.pop())
            offered_.push(*next);
    }
    depend::tracked_task* take_offered() {
        const teff::scoped_lock lock(guard_);
        return offered_.pop();
    }
    void note_mistake_if(bool is_wrong) {
        // relaxed: read after the join.
        if (is_wrong)
            mistakes_.fetch_add(1, std::memory_order_relaxed);
    }

    const std::uint64_t tasks_;
    const run_shape shape_;
    // the issuer
    teff::random_generator random_;
    Tracker tracker_;
    std::unique_ptr<object[]> objects_;
    std::unique_ptr<slot[]> slots_;
    std::vector<inbox> inboxes_;
    teff::mutex guard_;
    depend::ready_list offered_;  // under the guard
    stress::identities delivered_;
    teff::atomic<std::uint64_t> ended_{0};
    // What may make tasks ready, the issuer included; and above that the number of searches so far.
    static constexpr std::uint64_t one_search = std::uint64_t{1} << 32;
    teff::atomic<std::uint64_t> active_{1};
    teff::atomic<bool> is_over_{false};
    teff::atomic<std::uint64_t> mistakes_{0};
};

template <class Tracker>
class tracker_stress : public testing::Test {};

struct tracker_name {
    template <class Tracker>
    static std::string GetName(int) {
        return std::string(Tracker::name);
    }
};
TYPED_TEST_SUITE(tracker_stress, depend::every_tracker<testing::Types>, tracker_name);

TYPED_TEST(tracker_stress, tasks_run_once_and_in_order) {
    constexpr run_shape shapes[] = {{2, 1, 4}, {1, 2, 64}, {3, 4, 16}, {2, 3, 600}, {4, 40, 600}};
    std::uint64_t seed = 1;
    for (const run_shape& each : shapes) {
        SCOPED_TRACE(std::to_string(each.threads) + " threads, " + std::to_string(each.objects) + " objects, window " +
                     std::to_string(each.window) + ", seed " + std::to_string(seed));
        tracker_run<TypeParam>(stress::operations() / 2000 + 1, each, seed).run();
        ++seed;
    }
}

}  // namespace
