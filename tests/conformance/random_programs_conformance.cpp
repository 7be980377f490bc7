// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs that nest the constructs of all front ends in each other, on every scheduler. A program is a tree.
// Plain recursion over the tree says its value, and a run on the library must give the same one.
//
//   arenas        execute, enqueue with a group, spawn, schedule: in arenas that all programs of a test share, in any
//                 order, so that two threads often have a place of an arena each and want one of the other's
//   tasks         forks, groups, handles, loops
//   suspension    a task that another one resumes
//   coroutines    when_all and sync_wait
//   fibers        sync_var, channel, mutex, barrier
//   dataflow      chains, and reads of other tasks' results
//
// Every wait is for something that the waiting code has handed over itself, so a program that does not end shows a
// fault of the library. Only the mutex and the barrier are between siblings, and these are fibers.
#include <tests/conformance/each_choice.hpp>

#include <teff/arena.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/coroutine.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/spawn.hpp>
#include <teff/suspend.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

// Those of a front end stand together.
enum class kind : unsigned char {
    leaf,
    sequence,
    fork,
    group,
    handles,
    loop,
    in_arena,
    enqueued_in_arena,
    spawned_in_arena,
    coroutine_in_arena,
    suspended,
    coroutines,
    sync_vars,
    channels,
    mutual_exclusion,
    barriers,
    chain,
    dataflow_reads
};
constexpr unsigned kinds = 18;

// Bits of the kinds that a program may have.
using kind_set = std::uint32_t;
constexpr kind_set from_to(kind first, kind last) {
    kind_set made = 0;
    for (unsigned i = static_cast<unsigned>(first); i <= static_cast<unsigned>(last); ++i)
        made |= kind_set{1} << i;
    return made;
}
constexpr kind_set everything = from_to(kind::leaf, kind::dataflow_reads);
constexpr kind_set arenas = from_to(kind::in_arena, kind::coroutine_in_arena);
constexpr kind_set fibers = from_to(kind::sync_vars, kind::barriers);
constexpr kind_set tasks_and_arenas = from_to(kind::leaf, kind::coroutine_in_arena);

constexpr std::size_t arena_count = 4;

// With limits of 1 to 4 threads.
class shared_arenas {
public:
    explicit shared_arenas(teff::options call) {
        for (auto& each : made_) {
            call.threads = &each - made_.data() + 1;
            each = std::make_unique<teff::arena>(call);
        }
    }
    teff::arena& operator[](std::size_t which) const noexcept { return *made_[which]; }

private:
    std::array<std::unique_ptr<teff::arena>, arena_count> made_;
};

struct node {
    kind what = kind::leaf;
    unsigned arena = 0;
    std::uint64_t salt = 0;
    std::vector<node> parts;
};

using value = std::uint64_t;

constexpr value mixed(value a) noexcept {
    a ^= a >> 31;
    a *= 0x9E3779B97F4A7C15;
    return a ^ a >> 29;
}
// Depends on the order.
constexpr value then(value before, value next) noexcept { return mixed(before * 31 + next); }

node make_node(teff::random_generator& chance, kind_set allowed, unsigned depth, unsigned& budget) {
    node made;
    made.salt = chance.below(1U << 30);
    made.arena = chance.below(arena_count);
    if (depth == 0 || budget == 0)
        return made;
    do
        made.what = static_cast<kind>(chance.below(kinds));
    while ((allowed >> static_cast<unsigned>(made.what) & 1) == 0);
    std::size_t count = 1 + chance.below(4);
    if (made.what == kind::leaf)
        count = 0;
    else if (made.what == kind::fork)
        count = 2;
    else if (made.what == kind::in_arena || made.what == kind::suspended)
        count = 1;
    for (std::size_t i = 0; i < count && budget != 0; ++i) {
        --budget;
        made.parts.push_back(make_node(chance, allowed, depth - 1, budget));
    }
    while (made.what == kind::fork && made.parts.size() < 2)
        made.parts.push_back(node{.salt = made.salt, .parts = {}});
    if (made.parts.empty())
        made.what = kind::leaf;
    return made;
}

// The value by plain recursion.
value meaning(const node& of) {
    value ordered = of.salt, sum = of.salt;
    for (const node& each : of.parts) {
        const value part = meaning(each);
        ordered = then(ordered, part);
        sum += mixed(part);
    }
    switch (of.what) {
    case kind::leaf:
        return mixed(of.salt);
    case kind::channels:
    case kind::mutual_exclusion:
    case kind::barriers:
        return sum;
    default:
        return ordered;
    }
}

// Runs programs in the arenas.
class runner {
public:
    explicit runner(const shared_arenas& in) noexcept : arenas_(in) {}

    value run(const node& of) const {
        switch (of.what) {
        case kind::leaf:
            return leaf(of);
        case kind::sequence:
            return fold(of, [this](const node& part) { return run(part); });
        case kind::fork: {
            const auto [first, second] =
                teff::fork_join([&] { return run(of.parts[0]); }, [&] { return run(of.parts[1]); });
            return then(then(of.salt, first), second);
        }
        case kind::group:
            return by_group(of, [](teff::task_group& group, auto&& part) { group.run(part); });
        case kind::handles: {
            std::vector<teff::handle<value>> made;
            for (const node& part : of.parts)
                made.push_back(teff::spawn([&part, this] { return run(part); }));
            return fold(of, made, [](teff::handle<value>& each) { return each.get(); });
        }
        case kind::loop: {
            std::vector<value> parts(of.parts.size());
            teff::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) { parts[i] = run(of.parts[i]); });
            return fold(of, parts);
        }
        case kind::in_arena:
            return then(of.salt, arena_of(of).execute([&] { return run(of.parts[0]); }));
        case kind::enqueued_in_arena:
            return by_group(of, [&](teff::task_group& group, auto&& part) { arena_of(of).enqueue(group, part); });
        case kind::spawned_in_arena: {
            std::vector<teff::handle<value>> made;
            for (const node& part : of.parts)
                made.push_back(arena_of(of).spawn([&part, this] { return run(part); }));
            return fold(of, made, [](teff::handle<value>& each) { return each.get(); });
        }
        case kind::coroutine_in_arena:
            return teff::sync_wait(moved_to(of));
        case kind::suspended: {
            value part = 0;
            teff::task_group group;
            teff::suspend([&](teff::resume_handle resume) {
                group.run([&, kept = std::make_shared<teff::resume_handle>(std::move(resume))] {
                    part = run(of.parts[0]);
                    kept->resume();
                });
            });
            group.wait();
            return then(of.salt, part);
        }
        case kind::coroutines:
            return teff::sync_wait(all_of(of));
        case kind::sync_vars: {
            std::deque<teff::sync_var<value>> results(of.parts.size());
            std::vector<teff::fiber> made;
            for (std::size_t i = 0; i < results.size(); ++i)
                made.emplace_back([&, i] { results[i].write_ef(run(of.parts[i])); });
            return fold(of, results, [](teff::sync_var<value>& each) { return each.read_fe(); });
        }
        case kind::channels: {
            teff::channel<value> results(of.salt % 3);
            std::vector<teff::fiber> made;
            for (const node& part : of.parts)
                made.emplace_back([&] { results.send(mixed(run(part))); });
            value sum = of.salt;
            for (std::size_t i = 0; i < made.size(); ++i)
                sum += results.receive().value();
            return sum;
        }
        case kind::mutual_exclusion: {
            teff::fiber_mutex guard;
            value sum = of.salt;
            std::vector<teff::fiber> made;
            for (const node& part : of.parts)
                made.emplace_back([&] {
                    const value result = mixed(run(part));
                    const std::lock_guard locked(guard);
                    if (result % 4 == 0)
                        teff::this_fiber::yield();
                    sum += result;
                });
            join_all(made);
            return sum;
        }
        case kind::barriers: {
            const std::size_t count = of.parts.size();
            teff::fiber_barrier all(count);
            std::vector<value> results(count);
            std::vector<value> neighbours(count);
            std::vector<teff::fiber> made;
            for (std::size_t i = 0; i < count; ++i)
                made.emplace_back([&, i] {
                    results[i] = mixed(run(of.parts[i]));
                    all.arrive_and_wait();
                    neighbours[i] = results[(i + 1) % count];
                });
            join_all(made);
            value sum = of.salt;
            for (const value each : neighbours)
                sum += each;
            return sum;
        }
        case kind::chain: {
            teff::object<value> sum(of.salt);
            for (const node& part : of.parts)
                teff::spawn([&part, this](value& so_far) { so_far = then(so_far, run(part)); }, teff::inout(sum));
            teff::sync();
            return sum.value();
        }
        case kind::dataflow_reads: {
            std::deque<teff::object<value>> results(of.parts.size());
            teff::object<value> sum(of.salt);
            for (std::size_t i = 0; i < results.size(); ++i) {
                const node& part = of.parts[i];
                teff::spawn([&part, this](value& result) { result = run(part); }, teff::out(results[i]));
                teff::spawn([](value& so_far, const value& result) { so_far = then(so_far, result); },
                            teff::inout(sum), teff::in(results[i]));
            }
            teff::sync();
            return sum.value();
        }
        }
        return 0;
    }

private:
    teff::arena& arena_of(const node& of) const noexcept { return arenas_[of.arena]; }

    static value leaf(const node& of) {
        value found = mixed(of.salt);
        // Some are long, so that threads meet in all orders.
        if (of.salt % 16 == 0)
            for (unsigned i = 0; i < 3'000; ++i)
                asm volatile("" : "+r"(found));
        if (of.salt % 8 == 1)
            teff::this_fiber::yield();
        return found;
    }

    template <class Results, class Get>
    static value fold(const node& of, Results& results, Get&& get) {
        value ordered = of.salt;
        for (auto& each : results)
            ordered = then(ordered, get(each));
        return ordered;
    }
    static value fold(const node& of, std::vector<value>& results) {
        return fold(of, results, [](value each) { return each; });
    }
    template <class Get>
    static value fold(const node& of, Get&& get) {
        return fold(of, of.parts, get);
    }

    template <class HandOver>
    value by_group(const node& of, HandOver&& hand_over) const {
        std::vector<value> results(of.parts.size());
        teff::task_group group;
        for (std::size_t i = 0; i < results.size(); ++i)
            hand_over(group, [&, i] { results[i] = run(of.parts[i]); });
        group.wait();
        return fold(of, results);
    }
    static void join_all(std::vector<teff::fiber>& made) {
        for (teff::fiber& each : made)
            each.join();
    }

    teff::task<value> one_of(const node& part) const { co_return run(part); }
    teff::task<value> all_of(const node& of) const {
        std::vector<teff::task<value>> made;
        for (const node& part : of.parts)
            made.push_back(one_of(part));
        std::vector<value> results = co_await teff::when_all(std::move(made));
        co_return fold(of, results);
    }
    teff::task<value> moved_to(const node& of) const {
        value ordered = of.salt;
        for (const node& part : of.parts) {
            co_await arena_of(of).schedule();
            ordered = then(ordered, run(part));
        }
        co_return ordered;
    }

    const shared_arenas& arenas_;
};

class random_programs_on : public each_choice {
protected:
    // Two threads run programs of these kinds, in the same arenas. Each does so without a team of its own, and in one
    // of `threads`.
    void run(kind_set allowed, unsigned programs, long threads) {
        const shared_arenas in(with_threads(threads));
        std::atomic<unsigned> right{0};
        {
            std::vector<std::jthread> callers;
            for (unsigned caller = 0; caller < 2; ++caller)
                callers.emplace_back([&, caller] {
                    const runner of(in);
                    teff::random_generator chance(caller + 1);
                    for (unsigned i = 0; i < programs; ++i) {
                        unsigned budget = 40;
                        const node program = make_node(chance, allowed, 8, budget);
                        const auto is_right = [&] { return of.run(program) == meaning(program); };
                        if (i % 2 == 0 ? is_right() : teff::execute(with_threads(threads), is_right))
                            ++right;
                    }
                });
        }
        EXPECT_EQ(right.load(), 2 * programs);
    }
    void run_all_kinds(unsigned programs) {
        for (const long threads : {1L, 2L, 4L}) {
            run(everything, programs, threads);
            run(everything & ~arenas, programs / 2, threads);
            run(everything & ~fibers, programs / 2, threads);
            run(tasks_and_arenas, programs / 2, threads);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(, random_programs_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(random_programs_on, end_with_their_serial_value) { run_all_kinds(100); }
// In the long tests.
TEST_P(random_programs_on, DISABLED_end_with_their_serial_value_many_times) { run_all_kinds(4'000); }

}  // namespace
