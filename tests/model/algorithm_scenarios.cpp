// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms and coroutines on a team of two: the end of a call by an exception, scans, pipelines, and coroutines that
// move to the workers. Also the copies that each thread gets of a value.
//
// The team is a real one (fork_join_kit.hpp). Results and the values that pass from piece to piece are ordinary memory.
#include "../detached_coroutine.hpp"
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/halt.hpp>
#include <teff/algorithms/scans.hpp>
#include <teff/coroutine.hpp>
#include <teff/frontends/fork_join/copies.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/pool/pool.hpp>
#include <teff/task_group.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace scenarios {
namespace {

// A thread finds its own copy again, and all copies are found at the end.
TEFF_SCENARIO(copies, each_thread_has_a_copy_of_its_own) {
    forking::copies<unsigned> all;
    const auto use = [&] {
        for (int times = 0; times < 2; ++times)
            ++all.mine(7);
    };
    model::parallel(use, use, use);
    unsigned count = 0;
    all.each([&](unsigned value) {
        ++count;
        model::check(value == 9, "two threads have one copy, or a thread has two");
    });
    model::check(count == 3, "a copy was lost");
}

// Two pieces throw: one exception is kept, and pieces that check afterwards do not begin.
TEFF_SCENARIO(algorithms, two_pieces_throw) {
    teff::algorithm::halt ending({});
    const auto piece = [&](int number) {
        return [&ending, number] {
            ending.guard([number] { throw number; });
            model::check(ending.is_set(), "a piece that has thrown does not see that it has");
        };
    };
    model::parallel(piece(1), piece(2));
    int found = 0;
    try {
        ending.rethrow();
    } catch (int number) {
        found = number;
    }
    model::check(found == 1 || found == 2, "an exception was lost");
}

// Prefix sums, each output once and in its place, whichever thread adds up or scans a segment.
template <std::size_t Size>
void prefix_sums_of() {
    teff::pool::instance().ensure_workers(1);
    unsigned in[Size], out[Size] = {};
    for (unsigned i = 0; i < Size; ++i)
        in[i] = i + 1;
    {
        const open_team team(2);
        const std::plus<> add;
        teff::algorithm::element_scan<const unsigned*, unsigned*, unsigned, std::plus<>, true> work(in, out, add);
        teff::algorithm::halt ending({});
        teff::algorithm::lazy_scan scan(work, ending, 1);
        std::optional<unsigned> carried;
        scan.run(0, Size, carried);
        ending.rethrow();
        model::check(carried == Size * (Size + 1) / 2, "the sum of all elements is wrong");
    }
    for (unsigned i = 0; i < Size; ++i)
        model::check(out[i] == (i + 1) * (i + 2) / 2, "a prefix sum is wrong");
}

// Values come out of a serial stage in order and one at a time, and at most two are on their way.
template <teff::filter_mode Last>
void values_pass_through_a_pipeline() {
    constexpr unsigned values = 3, tokens = 2;
    teff::pool::instance().ensure_workers(1);
    {
        const open_team team(2);
        unsigned made = 0, received = 0;
        bool has_ended = false;
        teff::atomic<unsigned> on_their_way{0};
        const auto first = teff::make_filter<void, unsigned>(
            teff::filter_mode::serial_in_order, [&](teff::flow_control& flow) -> unsigned {
                model::check(!has_ended, "the first filter was called after it had stopped");
                if (made == values) {
                    has_ended = true;
                    flow.stop();
                    return 0;
                }
                // relaxed: only compared.
                model::check(on_their_way.fetch_add(1, std::memory_order_relaxed) < tokens, "too many values");
                return made++;
            });
        const auto second =
            teff::make_filter<unsigned, unsigned>(teff::filter_mode::parallel, [](unsigned value) {
                model::take(value);
                return value;
            });
        const auto last = teff::make_filter<unsigned, void>(Last, [&](unsigned value) {
            if (Last == teff::filter_mode::serial_in_order)
                model::check(value == received, "a value was overtaken");
            ++received;
            // relaxed: as above.
            on_their_way.fetch_sub(1, std::memory_order_relaxed);
        });
        teff::parallel_pipeline(tokens, first & second & last);
        model::check(received == values, "a value was lost");
    }
    model::expect_taken_once(values);
}

// Several threads fetch values at once.
template <unsigned Tokens>
void values_enter_a_pipeline_at_once() {
    constexpr unsigned values = 4;
    teff::pool::instance().ensure_workers(1);
    {
        const open_team team(2);
        unsigned received = 0;
        teff::atomic<unsigned> made{0}, on_their_way{0};
        const auto first = teff::make_filter<void, unsigned>(
            teff::filter_mode::parallel, [&](teff::flow_control& flow) -> unsigned {
                // relaxed, both: only numbers.
                const unsigned number = made.fetch_add(1, std::memory_order_relaxed);
                if (number >= values)
                    flow.stop();
                else
                    model::check(on_their_way.fetch_add(1, std::memory_order_relaxed) < Tokens, "too many values");
                return number;
            });
        const auto last = teff::make_filter<unsigned, void>(teff::filter_mode::serial_in_order, [&](unsigned value) {
            model::take(value);
            ++received;
            // relaxed: as above.
            on_their_way.fetch_sub(1, std::memory_order_relaxed);
        });
        teff::parallel_pipeline(Tokens, first & last);
        model::check(received == values, "a value was lost");
    }
    model::expect_taken_once(values);
}

// Values wait for each other in pairs in a filter, behind one that takes them one at a time: whatever a thread has made
// ready or could fetch, the other one must find while the first is blocked.
template <teff::filter_mode First>
void values_of_a_pipeline_wait_for_each_other() {
    constexpr unsigned values = 2;
    teff::pool::instance().ensure_workers(1);
    {
        const open_team team(2);
        teff::atomic<unsigned> made{0}, there{0};
        const auto first = teff::make_filter<void, unsigned>(First, [&](teff::flow_control& flow) -> unsigned {
            // relaxed: only numbers.
            const unsigned number = made.fetch_add(1, std::memory_order_relaxed);
            if (number >= values)
                flow.stop();
            return number;
        });
        const auto second = teff::make_filter<unsigned, unsigned>(teff::filter_mode::serial_out_of_order,
                                                                  [](unsigned value) { return value; });
        const auto third = teff::make_filter<unsigned, void>(teff::filter_mode::parallel, [&](unsigned value) {
            model::take(value);
            // relaxed, both: only counted.
            there.fetch_add(1, std::memory_order_relaxed);
            while (there.load(std::memory_order_relaxed) < values)
                teff::yield_thread();
        });
        teff::parallel_pipeline(values, first & second & third);
    }
    model::expect_taken_once(values);
}

// A coroutine that nothing waits for but the group that it moves to.
using fire_and_forget = tests::detached_coroutine<[] { model::fail("a coroutine has thrown"); }>;

fire_and_forget move_twice(teff::task_group& group, visit& before, visit& after) {
    co_await teff::schedule(group);
    before();
    co_await teff::executor(group).schedule();
    after();
}

// Two coroutines suspend and continue, each on either thread. Their frames are freed when they end.
TEFF_SCENARIO(algorithms, coroutines_move_to_the_workers) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2), four(3);
    {
        const open_team team(2);
        teff::task_group group;
        move_twice(group, one, two);
        move_twice(group, three, four);
        model::check(group.wait() == teff::task_group_status::complete, "a group was cancelled by nobody");
        one.expect(1);
        two.expect(2);
        three.expect(3);
        four.expect(4);
    }
    model::expect_taken_once(4);
}

// The wait rethrows what a task throws, once.
TEFF_SCENARIO(algorithms, a_task_of_a_group_throws) {
    teff::pool::instance().ensure_workers(1);
    const open_team team(2);
    teff::task_group group;
    unsigned found = 0;
    group.run([] { throw 1; });
    group.run([] { throw 2; });
    try {
        group.wait();
    } catch (int) {
        ++found;
    }
    model::check(found == 1, "an exception was lost");
    model::check(group.wait() == teff::task_group_status::complete, "a group is not as new");
}

TEFF_SCENARIO(algorithms, prefix_sums_of_four) { prefix_sums_of<4>(); }
TEFF_SCENARIO(algorithms, prefix_sums_of_nine) { prefix_sums_of<9>(); }
TEFF_SCENARIO(algorithms, values_pass_through_a_pipeline_in_order) {
    values_pass_through_a_pipeline<teff::filter_mode::serial_in_order>();
}
TEFF_SCENARIO(algorithms, values_pass_through_a_pipeline_out_of_order) {
    values_pass_through_a_pipeline<teff::filter_mode::serial_out_of_order>();
}
TEFF_SCENARIO(algorithms, values_enter_a_pipeline_one_by_one) { values_enter_a_pipeline_at_once<1>(); }
TEFF_SCENARIO(algorithms, two_values_enter_a_pipeline_at_once) { values_enter_a_pipeline_at_once<2>(); }
TEFF_SCENARIO(algorithms, values_of_a_pipeline_wait_for_each_other) {
    values_of_a_pipeline_wait_for_each_other<teff::filter_mode::serial_in_order>();
}
TEFF_SCENARIO(algorithms, values_that_enter_at_once_wait_for_each_other) {
    values_of_a_pipeline_wait_for_each_other<teff::filter_mode::parallel>();
}

}  // namespace

std::span<const model::scenario> algorithm_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
