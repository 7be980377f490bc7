// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow when memory is refused: the trackers alone, and programs with tasks. What could not be registered waits
// for everything before it, and nothing overtakes it.
#include <tests/child_process.hpp>
#include <tests/fault/fault_runs.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/dataflow.hpp>
#include <teff/depend/tracker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace teff::testing {
namespace {

using depend::access_kind;

struct room_for_accesses {
    std::array<depend::tracked_access, 3> room;
};
struct work : room_for_accesses, depend::tracked_task {
    work(unsigned its_number, unsigned count) : tracked_task(room.data(), count), number(its_number) {}
    const unsigned number;
    std::vector<unsigned> awaited;
    bool is_ready = false;
    bool is_released = false;
};

// A random program on one thread. The memory of one issue is refused.
class tracked_program {
public:
    static constexpr unsigned task_count = 14;
    static constexpr unsigned object_count = 3;

    tracked_program(std::size_t row, unsigned seed) : tracker_(depend::make_tracker(row)), random_(seed) {
        running_.reserve(task_count);
        for (depend::tracked_object& each : objects_)
            tracker_->open(each);
    }
    ~tracked_program() {
        for (depend::tracked_object& each : objects_)
            tracker_->close(each);
    }

    // refused_at: the number of the task; refused: of its allocations. Returns how many were refused.
    long run(unsigned refused_at, long refused, fault_span span) {
        long failed = 0;
        for (unsigned number = 0; number < task_count; ++number) {
            for (unsigned ends = random_.below(3); ends != 0 && !running_.empty(); --ends)
                release_one();
            work& made = make(number);
            if (number == refused_at)
                allocation_faults.arm(refused, span);
            const depend::issue_result result = tracker_->issue(made);
            allocation_faults.disarm();
            if (number == refused_at)
                failed = allocation_faults.failed;
            if (result == depend::issue_result::no_memory)
                run_alone(made);
            else if (result == depend::issue_result::ready)
                begin(made);
        }
        while (!running_.empty())
            release_one();
        for (const auto& each : tasks_)
            EXPECT_TRUE(each->is_released) << "task " << each->number;
        for (depend::tracked_object& each : objects_)
            EXPECT_TRUE(tracker_->is_idle(each));
        return failed;
    }
    unsigned registered_in_part() const { return registered_in_part_; }

private:
    work& make(unsigned number) {
        constexpr std::array kinds = {access_kind::in, access_kind::inout, access_kind::commutative,
                                      access_kind::concurrent};
        const unsigned count = 1 + random_.below(object_count);
        work& made = *tasks_.emplace_back(std::make_unique<work>(number, count));
        const unsigned first = random_.below(object_count);
        for (unsigned i = 0; i < count; ++i) {
            const unsigned object = (first + i) % object_count;
            depend::tracked_access& access = made.accesses[i];
            access.object = &objects_[object];
            access.task = &made;
            access.kind = kinds[random_.below(kinds.size())];
            // The generations of the object, oldest first; the tasks of all but the last one are waited for.
            auto& generations = generations_[object];
            if (generations.empty() || !depend::joins(youngest_[object], access.kind))
                generations.emplace_back();
            youngest_[object] = access.kind;
            for (std::size_t older = 0; older + 1 < generations.size(); ++older)
                made.awaited.insert(made.awaited.end(), generations[older].begin(), generations[older].end());
            generations.back().push_back(number);
        }
        return made;
    }
    void begin(work& ready) {
        EXPECT_FALSE(ready.is_ready) << "task " << ready.number;
        ready.is_ready = true;
        for (const unsigned each : ready.awaited)
            EXPECT_TRUE(tasks_[each]->is_released) << "task " << ready.number << " before " << each;
        running_.push_back(&ready);
    }
    void release_one() {
        const auto which = running_.begin() + static_cast<std::ptrdiff_t>(
                                                  random_.below(static_cast<unsigned>(running_.size())));
        work& ended = **which;
        running_.erase(which);
        ended.is_released = true;
        depend::ready_list ready;
        tracker_->release(ended, ready);
        for (;;) {
            while (depend::tracked_task* const next = ready.pop())
                begin(static_cast<work&>(*next));
            if (!tracker_->may_have_missed())
                return;
            tracker_->search(ready);
        }
    }
    // As tracker.hpp says.
    void run_alone(work& made) {
        registered_in_part_ += made.issued != 0 ? 1 : 0;
        while (!running_.empty())
            release_one();
        begin(made);
        release_one();
        EXPECT_TRUE(running_.empty());
    }

    const std::unique_ptr<depend::tracker> tracker_;
    random_generator random_;
    std::array<depend::tracked_object, object_count> objects_;
    std::array<std::vector<std::vector<unsigned>>, object_count> generations_;
    std::array<access_kind, object_count> youngest_{};
    std::vector<std::unique_ptr<work>> tasks_;
    std::vector<work*> running_;
    unsigned registered_in_part_ = 0;
};

std::string tracker_name(std::size_t row) { return std::string(tracker_names[row].name); }

class tracker_fault : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(, tracker_fault, ::testing::Range<std::size_t>(0, std::size(tracker_names)),
                         [](const auto& row) { return tracker_name(row.param); });

TEST_P(tracker_fault, a_task_without_memory_runs_after_all_before_it) {
    unsigned registered_in_part = 0;
    long all_failed = 0;
    for (const fault_span span : {fault_span::one, fault_span::all_after}) {
        for (unsigned seed = 1; seed <= 10; ++seed) {
            for (unsigned task = 0; task < tracked_program::task_count; ++task) {
                long failed = 1;
                for (long k = 1; failed != 0; ++k) {
                    SCOPED_TRACE("seed " + std::to_string(seed) + ", task " + std::to_string(task) + ", allocation " +
                                 std::to_string(k));
                    const long live_before = allocation_faults.live;
                    {
                        tracked_program program(GetParam(), seed);
                        failed = program.run(task, k, span);
                        all_failed += failed;
                        registered_in_part += program.registered_in_part();
                    }
                    EXPECT_EQ(allocation_faults.live, live_before);
                    ASSERT_FALSE(HasFailure());
                }
            }
        }
    }
    const std::string name = tracker_name(GetParam());
    const bool needs_memory = name.find("graph") != std::string::npos;
    EXPECT_EQ(registered_in_part != 0, needs_memory);
    EXPECT_EQ(all_failed != 0, needs_memory || name == "tickets") << "the tickets' table grows";
}

// Tasks of each kind, and values that are read while tasks use them. The result depends on the order.
long run_tasks(const options& call) {
    return execute(call, [] {
        object<long> a(1L), b(2L);
        object<long> c(no_renaming, 3L);
        long read = 0;
        const auto follow = [](const long& from, long& to) { to = 3 * to + from; };
        for (long i = 0; i < 3; ++i) {
            spawn([i](long& x) { x = 3 * x + i; }, inout(a));
            spawn(follow, in(a), inout(b));
            spawn(follow, in(b), inout(c));
            spawn([](long& x) { x = 5; }, out(a));
            spawn([i](long& x, long& y) { x += i, y += i; }, commutative(a), commutative(c));
            spawn([](long& x, long& y) { x += 1, y += 1; }, commutative(a), commutative(c));
            spawn([](long& x) { x += 7; }, reduction(b));
            spawn([](long& x) { x += 8; }, reduction(b));
            spawn(follow, in(c), inout(b));
            spawn(follow, in(b), inout(a));
            read = (11 * read + (i == 1 ? b.value() : a.value())) % 1'000'003;
            spawn(follow, in(a), inout(c));
        }
        sync();
        return (read + a.value() + 7 * b.value() + 31 * c.value()) % 1'000'003;
    });
}

struct combination {
    std::size_t tracker;
    const char* scheduler;
    long threads;
    fault_span span;
    std::string name() const {
        return tracker_name(tracker) + "_" + scheduler + "_threads_" + std::to_string(threads) +
               (span == fault_span::one ? "_one" : "_all_after");
    }
    friend std::ostream& operator<<(std::ostream& to, const combination& each) { return to << each.name(); }
};
auto combinations() {
    std::vector<combination> all;
    for (std::size_t tracker = 0; tracker < std::size(tracker_names); ++tracker)
        for (const char* const scheduler : {"fifo", "sherwood", "demand"})
            for (const long threads : {1L, 3L})
                for (const fault_span span : {fault_span::one, fault_span::all_after})
                    all.push_back({tracker, scheduler, threads, span});
    return ::testing::ValuesIn(all);
}

class dataflow_fault : public ::testing::TestWithParam<combination> {};
INSTANTIATE_TEST_SUITE_P(, dataflow_fault, combinations(), [](const auto& about) { return about.param.name(); });

TEST_P(dataflow_fault, tasks_run_in_order_or_spawn_throws) {
    const combination each = GetParam();
    expect_quiet(run_in_child([&] {
        const options serial{.threads = 1, .scheduler = "demand", .tracker = "list"};
        const options call{.threads = each.threads,
                           .scheduler = each.scheduler,
                           .tracker = tracker_names[each.tracker].name};
        const fault_count result = run_with_faults({run_tasks, run_tasks(serial)}, call, each.span);
        EXPECT_GT(result.thrown, 0) << "without a team there is no run, so the first one must throw";
        EXPECT_GT(result.right, 0);
    }));
}

}  // namespace
}  // namespace teff::testing
