// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow on every tracker and on schedulers of each family: random programs compute what their serial execution
// computes; tasks that depend on a failed one, and only they, are not called.
#include <teff/dataflow.hpp>
#include <teff/depend/names.hpp>
#include <teff/fork_join.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <ostream>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace {

using teff::depend::access_kind;

// A value that notices when two threads use it in a way that its access forbids.
struct cell {
    std::uint64_t number = 0;
    std::atomic<int> writers{0};

    cell() = default;
    explicit cell(std::uint64_t initial) : number(initial) {}
    cell(const cell& other) : number(other.number) {}
    cell& operator=(const cell& other) {
        number = other.number;
        return *this;
    }
};
struct add_cells {
    static cell identity() { return cell(); }
    void operator()(cell& into, const cell& from) const { into.number += from.number; }
};

// An access whose kind is chosen at run time.
struct chosen_access {
    teff::object<cell>& of;
    access_kind kind;
};

}  // namespace

template <>
struct teff::dataflow::argument<chosen_access> {
    static constexpr bool is_access = true;
    static request ask(const chosen_access& given) noexcept {
        request made{&given.of, nullptr, given.kind};
        if (given.kind == access_kind::concurrent)
            made.reduction = &reduce_by<cell, add_cells>;
        return made;
    }
    static cell& pass(void* value) noexcept { return *static_cast<cell*>(value); }
};

namespace {

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a ^= b + 0x9E3779B97F4A7C15U + (a << 6) + (a >> 2);
    return a * 0xBF58476D1CE4E5B9U;
}

constexpr unsigned most_accesses = 4;

// What the tasks of a program do, with equal probabilities.
struct program_kind {
    std::vector<access_kind> kinds;
    unsigned one_fails_of = 0;  // 0: none
};

// A task of a random program: its accesses, and the tasks that it spawns itself.
struct step {
    std::vector<std::pair<unsigned, access_kind>> accesses;
    std::uint64_t constant = 0;
    std::vector<step> children;
    bool fails = false;
    mutable std::atomic<int> calls{0};

    step() = default;
    step(step&& other) noexcept
        : accesses(std::move(other.accesses)), constant(other.constant), children(std::move(other.children)),
          fails(other.fails) {}
};

step random_step(teff::random_generator& random, std::span<const std::pair<unsigned, access_kind>> given,
                 unsigned depth, const program_kind& like) {
    step made;
    made.constant = random.next();
    std::vector<std::pair<unsigned, access_kind>> left(given.begin(), given.end());
    const unsigned count = 1 + random.below(std::min<unsigned>(most_accesses, static_cast<unsigned>(left.size())));
    while (made.accesses.size() < count) {
        const std::size_t which = random.below(static_cast<unsigned>(left.size()));
        auto [object, kind] = left[which];
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(which));
        // A child has no more access than its parent, and those of a commutative one must commute.
        if (kind == access_kind::out || kind == access_kind::inout)
            kind = like.kinds[random.below(static_cast<unsigned>(like.kinds.size()))];
        made.accesses.emplace_back(object, kind);
    }
    if (depth != 0 && random.below(4) == 0) {
        for (unsigned i = random.below(8); i != 0; --i)
            made.children.push_back(random_step(random, made.accesses, depth - 1, like));
    }
    made.fails = like.one_fails_of != 0 && random.below(like.one_fails_of) == 0;
    return made;
}

// What a task does with its values. Commutative and reducing tasks only add what they read elsewhere.
void compute(const step& task, std::span<cell* const> values) {
    std::uint64_t read = task.constant;
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (task.accesses[i].second == access_kind::in)
            read = mix(read, values[i]->number);
    }
    for (std::size_t i = 0; i != values.size(); ++i) {
        switch (task.accesses[i].second) {
        case access_kind::in:
            break;
        case access_kind::out:
            values[i]->number = mix(read, i);
            break;
        case access_kind::inout:
            values[i]->number = mix(values[i]->number, read);
            break;
        case access_kind::commutative:
        case access_kind::concurrent:
            values[i]->number += read;
            break;
        }
    }
}

void run_serially(const step& task, std::vector<cell>& objects) {
    // Children of a task that overwrites an object must not see its old value.
    for (const auto& [object, kind] : task.accesses) {
        if (kind == access_kind::out)
            objects[object].number = 0;
    }
    for (const step& child : task.children)
        run_serially(child, objects);
    std::vector<cell*> values;
    for (const auto& [object, kind] : task.accesses)
        values.push_back(&objects[object]);
    compute(task, values);
}

// As above, where tasks may fail. `unusable`: the objects whose values are unspecified, since a task failed or was not
// called that was to write them. Counts in `calls` how often each task is called. Returns whether the task, or one of
// its own, failed or was not called.
bool run_with_failures(const step& task, std::vector<cell>& objects, std::vector<bool>& unusable,
                       std::vector<std::pair<const step*, int>>& calls) {
    const auto leave_unusable = [&] {
        for (const auto& [object, kind] : task.accesses) {
            if (kind != access_kind::in)
                unusable[object] = true;
        }
        return true;
    };
    for (const auto& [object, kind] : task.accesses) {
        if (kind != access_kind::out && unusable[object])
            return leave_unusable();
    }
    calls.emplace_back(&task, 1);
    for (const auto& [object, kind] : task.accesses) {
        if (kind == access_kind::out)
            objects[object].number = 0;
    }
    bool has_failed = false;
    std::vector<bool> unusable_to_children(objects.size());
    for (const step& child : task.children) {
        if (run_with_failures(child, objects, unusable_to_children, calls))
            has_failed = true;
    }
    if (has_failed || task.fails)
        return leave_unusable();
    std::vector<cell*> values;
    for (const auto& [object, kind] : task.accesses) {
        values.push_back(&objects[object]);
        if (kind == access_kind::out)
            unusable[object] = false;
    }
    compute(task, values);
    return false;
}

int all_calls(const step& task) {
    int sum = task.calls;
    for (const step& child : task.children)
        sum += all_calls(child);
    return sum;
}

using object_list = std::deque<teff::object<cell>>;

void spawn_step(const step& task, object_list& objects);

void run_body(const step& task, object_list& objects, std::span<cell* const> values) {
    ++task.calls;
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (task.accesses[i].second == access_kind::out)
            values[i]->number = 0;
    }
    for (const step& child : task.children)
        spawn_step(child, objects);
    teff::sync();
    if (task.fails)
        throw std::runtime_error("a task");
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (task.accesses[i].second == access_kind::commutative) {
            EXPECT_EQ(values[i]->writers.fetch_add(1), 0);
        }
    }
    compute(task, values);
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (task.accesses[i].second == access_kind::commutative)
            values[i]->writers.fetch_sub(1);
    }
}

template <std::size_t... Index>
void spawn_with(const step& task, object_list& objects, std::index_sequence<Index...>) {
    teff::spawn(
        [&task, &objects](auto&... values) {
            const std::array<cell*, sizeof...(Index)> all{&values...};
            run_body(task, objects, all);
        },
        chosen_access{objects[task.accesses[Index].first], task.accesses[Index].second}...);
}

void spawn_step(const step& task, object_list& objects) {
    switch (task.accesses.size()) {
    case 1:
        return spawn_with(task, objects, std::make_index_sequence<1>());
    case 2:
        return spawn_with(task, objects, std::make_index_sequence<2>());
    case 3:
        return spawn_with(task, objects, std::make_index_sequence<3>());
    default:
        return spawn_with(task, objects, std::make_index_sequence<most_accesses>());
    }
}

struct choice {
    const char* tracker;
    const char* scheduler;
};
void PrintTo(const choice& shown, std::ostream* to) { *to << shown.tracker << " on " << shown.scheduler; }

std::vector<choice> all_choices() {
    std::vector<choice> made;
    for (const teff::named_choice& tracker : teff::tracker_names) {
        for (const char* scheduler : {"demand", "blaze", "sherwood", "xqueue_nowait"})
            made.push_back({tracker.name, scheduler});
    }
    return made;
}

class dataflow_with : public testing::TestWithParam<choice> {
protected:
    template <class F>
    void for_thread_counts(F&& f) const {
        for (const long threads : {1L, 2L, 4L})
            teff::execute({.threads = threads, .scheduler = GetParam().scheduler, .tracker = GetParam().tracker}, f);
    }
};
INSTANTIATE_TEST_SUITE_P(, dataflow_with, testing::ValuesIn(all_choices()), [](const auto& row) {
    return std::string(row.param.tracker) + "_" + row.param.scheduler;
});

// A random program, its objects, and the values that a serial execution begins with.
struct random_program {
    teff::random_generator random;
    std::vector<cell> expected;
    std::vector<step> steps;
    object_list objects;  // last: their ends wait for tasks, which refer to the steps

    random_program(unsigned seed, const program_kind& like) : random(seed) {
        const unsigned object_count = 1 + random.below(20);
        std::vector<std::pair<unsigned, access_kind>> everything;
        for (unsigned i = 0; i != object_count; ++i) {
            everything.emplace_back(i, access_kind::inout);
            expected.emplace_back(i);
            if (random.below(4) == 0)
                objects.emplace_back(teff::no_renaming, i);
            else
                objects.emplace_back(i);
        }
        for (unsigned i = 0; i != 60; ++i)
            steps.push_back(random_step(random, everything, 2, like));
    }
};
const std::vector<access_kind> all_kinds = {access_kind::in, access_kind::out, access_kind::inout,
                                            access_kind::commutative, access_kind::concurrent};

TEST_P(dataflow_with, random_programs_compute_what_serial_execution_does) {
    for_thread_counts([] {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            random_program program(seed, {.kinds = all_kinds});
            for (const step& task : program.steps) {
                run_serially(task, program.expected);
                spawn_step(task, program.objects);
            }
            teff::sync();
            for (std::size_t i = 0; i != program.objects.size(); ++i)
                ASSERT_EQ(program.objects[i].value().number, program.expected[i].number) << seed << ", object " << i;
        }
    });
}

// Values are also asked for in the middle of a program, and objects end there.
TEST_P(dataflow_with, values_and_ends_of_objects_wait_in_the_middle_of_a_program) {
    for_thread_counts([] {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            random_program program(seed, {.kinds = all_kinds});
            for (const step& task : program.steps) {
                run_serially(task, program.expected);
                spawn_step(task, program.objects);
                const std::size_t which = program.random.below(static_cast<unsigned>(program.objects.size()));
                if (program.random.below(8) == 0) {
                    teff::object<cell> passing;
                    teff::spawn([](const cell& from, cell& to) { to.number = from.number; },
                                teff::in(program.objects[which]), teff::out(passing));
                }
                if (program.random.below(8) == 0) {
                    ASSERT_EQ(program.objects[which].value().number, program.expected[which].number) << seed;
                }
            }
        }
    });
}

TEST_P(dataflow_with, of_random_programs_with_failing_tasks_the_rest_is_computed) {
    for_thread_counts([] {
        for (unsigned seed = 1; seed <= 60; ++seed) {
            // (Later tasks of a row of commutative or reducing ones may or may not be called.)
            random_program program(
                seed, {.kinds = {access_kind::in, access_kind::out, access_kind::inout}, .one_fails_of = 20});
            std::vector<bool> unusable(program.objects.size());
            std::vector<std::pair<const step*, int>> calls;
            bool has_failed = false;
            for (const step& task : program.steps) {
                if (run_with_failures(task, program.expected, unusable, calls))
                    has_failed = true;
                spawn_step(task, program.objects);
            }
            if (has_failed) {
                EXPECT_THROW(teff::sync(), std::runtime_error) << seed;
            }
            teff::sync();
            for (std::size_t i = 0; i != program.objects.size(); ++i) {
                if (!unusable[i]) {
                    ASSERT_EQ(program.objects[i].value().number, program.expected[i].number) << seed << ", " << i;
                }
            }
            int all = 0;
            for (const step& task : program.steps)
                all += all_calls(task);
            ASSERT_EQ(all, static_cast<int>(calls.size())) << seed;
            for (const auto& [task, count] : calls)
                ASSERT_EQ(task->calls, count) << seed;
        }
    });
}

TEST_P(dataflow_with, a_task_may_stop_the_team_at_every_position) {
    constexpr int last = 20;
    for (const long threads : {1L, 3L}) {
        for (int stopping = 0; stopping != last; ++stopping) {
            std::stop_source source;
            std::array<std::atomic<int>, last> calls{};
            const auto program = [&] {
                teff::object<int> a(0), b(0);
                for (int i = 0; i != last; ++i) {
                    const auto body = [&, i](const auto&...) {
                        ++calls[static_cast<std::size_t>(i)];
                        if (i == stopping)
                            source.request_stop();
                    };
                    if (i % 3 == 0)
                        teff::spawn(body, teff::inout(a), teff::in(b));
                    else
                        teff::spawn(body, teff::in(a), teff::commutative(b));
                }
                teff::sync();
            };
            try {
                teff::execute({.threads = threads, .scheduler = GetParam().scheduler, .tracker = GetParam().tracker,
                               .stop = source.get_token()}, program);
                // Everything had begun before the request.
                for (const std::atomic<int>& each : calls)
                    EXPECT_EQ(each, 1);
            } catch (const teff::stopped&) {
                EXPECT_EQ(calls[static_cast<std::size_t>(stopping)], 1);
            }
            for (const std::atomic<int>& each : calls)
                EXPECT_LE(each, 1);
        }
    }
}

}  // namespace
