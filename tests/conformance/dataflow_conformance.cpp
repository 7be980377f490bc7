// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow on every tracker and on schedulers of each family: random programs compute what their serial execution
// computes.
#include <teff/dataflow.hpp>
#include <teff/depend/names.hpp>
#include <teff/fork_join.hpp>

#include <teff/base/random.hpp>

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

// A task of a random program: its accesses, and the tasks that it spawns itself.
struct step {
    std::vector<std::pair<unsigned, access_kind>> accesses;
    std::uint64_t constant = 0;
    std::vector<step> children;
};

step random_step(teff::random_generator& random, std::span<const std::pair<unsigned, access_kind>> given,
                 unsigned depth) {
    constexpr std::array kinds = {access_kind::in, access_kind::out, access_kind::inout, access_kind::commutative,
                                  access_kind::concurrent};
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
            kind = kinds[random.below(kinds.size())];
        made.accesses.emplace_back(object, kind);
    }
    if (depth != 0 && random.below(4) == 0) {
        for (unsigned i = random.below(8); i != 0; --i)
            made.children.push_back(random_step(random, made.accesses, depth - 1));
    }
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

using object_list = std::deque<teff::object<cell>>;

void spawn_step(const step& task, object_list& objects);

void run_body(const step& task, object_list& objects, std::span<cell* const> values) {
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (task.accesses[i].second == access_kind::out)
            values[i]->number = 0;
    }
    for (const step& child : task.children)
        spawn_step(child, objects);
    teff::sync();
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

TEST_P(dataflow_with, random_programs_compute_what_serial_execution_does) {
    for_thread_counts([] {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            teff::random_generator random(seed);
            const unsigned object_count = 1 + random.below(20);
            std::vector<std::pair<unsigned, access_kind>> everything;
            std::vector<cell> expected;
            object_list objects;
            for (unsigned i = 0; i != object_count; ++i) {
                everything.emplace_back(i, access_kind::inout);
                expected.emplace_back(i);
                if (random.below(4) == 0)
                    objects.emplace_back(teff::no_renaming, i);
                else
                    objects.emplace_back(i);
            }
            std::vector<step> program;
            for (unsigned i = 0; i != 60; ++i)
                program.push_back(random_step(random, everything, 2));
            for (const step& task : program) {
                run_serially(task, expected);
                spawn_step(task, objects);
            }
            teff::sync();
            for (unsigned i = 0; i != object_count; ++i)
                ASSERT_EQ(objects[i].value().number, expected[i].number) << "seed " << seed << ", object " << i;
        }
    });
}

}  // namespace
