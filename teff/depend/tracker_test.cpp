// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every dependence tracker says that a task is ready exactly when Table 1 of Vandierendonck et al. allows it.
#include <teff/depend/tracker.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/depend/every_tracker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace depend = teff::depend;
using depend::access_kind;

struct task_node : depend::tracked_task {
    task_node(depend::tracked_access* first, unsigned count) : tracked_task(first, count) {}
    std::vector<unsigned> generations;  // of its accesses
    bool is_ready = false;
    bool is_released = false;
};

// Applies the paper's rules to a program of tasks, by brute force.
class oracle {
public:
    explicit oracle(unsigned objects) : objects_(objects) {}

    unsigned generation_for(unsigned object, access_kind kind) {
        auto& state = objects_[object];
        if (state.unreleased.empty() || !depend::joins(state.youngest, kind))
            state.unreleased.push_back(0);
        state.youngest = kind;
        ++state.unreleased.back();
        return static_cast<unsigned>(state.unreleased.size() - 1);
    }
    bool is_oldest(unsigned object, unsigned generation) const {
        const auto& counts = objects_[object].unreleased;
        return std::all_of(counts.begin(), counts.begin() + generation, [](unsigned left) { return left == 0; });
    }
    bool is_idle(unsigned object) const {
        const auto& counts = objects_[object].unreleased;
        return std::all_of(counts.begin(), counts.end(), [](unsigned left) { return left == 0; });
    }
    bool can_start(unsigned object, access_kind kind) {
        const auto& state = objects_[object];
        if (is_idle(object))
            return true;
        return depend::joins(state.youngest, kind) &&
               is_oldest(object, static_cast<unsigned>(state.unreleased.size() - 1));
    }
    void release(unsigned object, unsigned generation) { --objects_[object].unreleased[generation]; }

private:
    struct object_record {
        access_kind youngest{};
        std::vector<unsigned> unreleased;  // by generation
    };
    std::vector<object_record> objects_;
};

template <class T>
class tracker_class : public testing::Test {};
struct name_of_class {
    template <class T>
    static std::string GetName(int) {
        return std::string(T::name);
    }
};
TYPED_TEST_SUITE(tracker_class, depend::every_tracker<testing::Types>, name_of_class);

TYPED_TEST(tracker_class, is_the_one_of_the_row_with_its_name) {
    const std::size_t row = teff::tracker_row(TypeParam::name);
    ASSERT_LT(row, std::size(teff::tracker_names));
    EXPECT_EQ(depend::functions_for_objects(row).open, &TypeParam::open);
    EXPECT_EQ(depend::functions_for_objects(row).can_start, &TypeParam::can_start);
    const std::unique_ptr<depend::tracker> made(depend::make_tracker(row));
    EXPECT_NE(dynamic_cast<depend::tracker_of<TypeParam>*>(made.get()), nullptr);
}

class tracker_named : public testing::TestWithParam<std::size_t> {};

TEST_P(tracker_named, agrees_with_the_rules_on_random_programs) {
    constexpr access_kind kinds[] = {access_kind::in, access_kind::out, access_kind::inout, access_kind::commutative,
                                     access_kind::concurrent};
    for (unsigned seed = 1; seed <= 300; ++seed) {
        teff::random_generator random(seed);
        const auto below = [&](unsigned bound) { return static_cast<unsigned>(random.below(bound)); };
        const unsigned object_count = 1 + below(6);
        const std::unique_ptr<depend::tracker> tracker(depend::make_tracker(GetParam()));
        std::vector<depend::tracked_object> objects(object_count);
        for (auto& object : objects)
            tracker->open(object);
        oracle rules(object_count);
        std::deque<task_node> tasks;
        std::vector<std::unique_ptr<depend::tracked_access[]>> accesses;
        std::vector<task_node*> running;

        const auto number_of = [&](const depend::tracked_access& access) {
            return static_cast<unsigned>(access.object - objects.data());
        };
        const auto check_ready = [&] {
            for (task_node& each : tasks) {
                if (each.is_released)
                    continue;
                bool expected = true;
                for (unsigned i = 0; i < each.access_count; ++i)
                    expected = expected && rules.is_oldest(number_of(each.accesses[i]), each.generations[i]);
                ASSERT_EQ(each.is_ready, expected) << "seed " << seed;
            }
        };
        const auto take = [&](depend::ready_list& ready) {
            while (depend::tracked_task* const next = ready.pop()) {
                auto* const node = static_cast<task_node*>(next);
                ASSERT_FALSE(node->is_ready) << "seed " << seed;
                node->is_ready = true;
                running.push_back(node);
            }
        };

        for (unsigned step = 0; step < 60 || !running.empty(); ++step) {
            if (step < 60 && below(5) < 3) {
                const unsigned count = 1 + below(std::min(4U, object_count));
                std::vector<unsigned> chosen(object_count);
                for (unsigned i = 0; i < object_count; ++i)
                    chosen[i] = i;
                for (unsigned i = 0; i < count; ++i)
                    std::swap(chosen[i], chosen[i + below(object_count - i)]);
                auto made = std::make_unique<depend::tracked_access[]>(count);
                task_node& task = tasks.emplace_back(made.get(), count);
                bool can_start = true;
                for (unsigned i = 0; i < count; ++i) {
                    access_kind kind = kinds[below(5)];
                    const unsigned object = chosen[i];
                    ASSERT_EQ(tracker->is_idle(objects[object]), rules.is_idle(object)) << "seed " << seed;
                    if (kind == access_kind::out && !rules.is_idle(object))
                        kind = access_kind::inout;
                    ASSERT_EQ(tracker->can_start(objects[object], kind), rules.can_start(object, kind)) << seed;
                    can_start = can_start && rules.can_start(object, kind);
                    made[i].object = &objects[object];
                    made[i].task = &task;
                    made[i].kind = kind;
                }
                for (unsigned i = 0; i < count; ++i)
                    task.generations.push_back(rules.generation_for(chosen[i], made[i].kind));
                accesses.push_back(std::move(made));
                const auto result = tracker->issue(task);
                ASSERT_EQ(result, can_start ? depend::issue_result::ready : depend::issue_result::waits);
                if (can_start) {
                    task.is_ready = true;
                    running.push_back(&task);
                }
            } else if (!running.empty()) {
                const std::size_t which = below(static_cast<unsigned>(running.size()));
                task_node& ended = *running[which];
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
                depend::ready_list ready;
                for (unsigned i = 0; i < ended.access_count; ++i)
                    rules.release(number_of(ended.accesses[i]), ended.generations[i]);
                ended.is_released = true;
                tracker->release(ended, ready);
                take(ready);
                while (tracker->may_have_missed()) {
                    tracker->search(ready);
                    take(ready);
                }
            }
            check_ready();
        }
        ASSERT_TRUE(std::all_of(tasks.begin(), tasks.end(), [](const task_node& each) { return each.is_released; }));
        for (auto& object : objects)
            tracker->close(object);
    }
}

INSTANTIATE_TEST_SUITE_P(all, tracker_named, testing::Range<std::size_t>(0, std::size(teff::tracker_names)),
                         [](const auto& row) { return std::string(teff::tracker_names[row.param].name); });

}  // namespace
