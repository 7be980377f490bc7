// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every single allocation of each front end is refused once, those of the C and C++ libraries included: at the first
// use of the runtime in a process, and again when it is warm. A call either has the right result or throws
// std::bad_alloc, or returns what the C interface says about it. It never ends the program, hangs, or leaks; and the
// same call is right afterwards. The same holds when any thread cannot be created.
#include <tests/fault/refused_face.hpp>

#include <teff/arena.hpp>
#include <teff/c/threads.h>
#include <teff/coroutine.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_for_each.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_scan.hpp>
#include <teff/parallel_sort.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/schedulers.hpp>
#include <teff/spawn.hpp>
#include <teff/suspend.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>
#include <teff/with_stack.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <forward_list>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace teff::testing {
namespace {

long reductions() {
    const auto body = [](auto& pool, int depth) -> long {
        if (depth > 0) {
            pool.enq(depth - 1);
            pool.enq(depth - 1);
        }
        return 1;
    };
    return reduce_tasks({}, body, 6);
}

long leaves(int depth) {
    if (depth == 0)
        return 1;
    const auto [left, right] = fork_join([=] { return leaves(depth - 1); }, [=] { return leaves(depth - 1); });
    return left + right;
}
long forks() { return leaves(8); }

long groups() {
    std::atomic<long> sum{0};
    task_group group;
    for (int i = 0; i < 50; ++i)
        group.run([&sum, i] { sum += i; });
    group.wait();
    return sum;
}

long handles() {
    std::vector<handle<long>> all;
    for (long i = 0; i < 20; ++i)
        all.push_back(spawn([i] { return i; }));
    long sum = 0;
    for (handle<long>& each : all)
        sum += each.get();
    return sum;
}

long reducers() {
    reducer<long> sum;
    ordered_reducer<std::string> order;
    parallel_for(0, 100, [&](int i) { *sum += i; });
    fork_join([&] { *order += 'a'; }, [&] { *order += 'b'; }, [&] { *order += 'c'; });
    return sum.get() + 1000 * static_cast<long>(order.get().size());
}

long loops() {
    std::vector<int> values(500);
    parallel_for(0, 500, [&](int i) { values[static_cast<std::size_t>(i)] = 499 - i; });
    parallel_sort(values.begin(), values.end());
    parallel_inclusive_scan(values.begin(), values.end(), values.begin(), std::plus<>());
    return parallel_reduce(values, 0L, std::plus<>());
}

long fed_loops() {
    std::atomic<long> visited{0};
    parallel_for_each(std::forward_list<int>{5, 5}, [&](int depth, feeder<int>& more) {
        ++visited;
        if (depth > 0) {
            more.add(depth - 1);
            more.add(depth - 1);
        }
    });
    return visited;
}

long pipelines() {
    int next = 1;
    long sum = 0;
    parallel_pipeline(4,
        [&](flow_control& flow) {
            if (next > 40)
                flow.stop();
            return next++;
        },
        make_filter(filter_mode::parallel, [](int n) { return std::make_unique<long>(n); }),
        [&](std::unique_ptr<long> n) { sum += *n; });
    return sum;
}

long dataflow() {
    std::vector<object<long>> cells(8);
    object<long> total(0);
    for (std::size_t i = 1; i < cells.size(); ++i)
        spawn([](const long& from, long& to) { to = from + 1; }, in(cells[i - 1]), out(cells[i]));
    for (object<long>& each : cells)
        spawn([](const long& from, long& sum) { sum += from; }, in(each), reduction(total));
    sync();
    return total.value();
}

// The fibers never wait for the main code, which may end early, and it joins them before it waits for what they send.
long fibers() {
    channel<long> results(10);
    sync_var<long> given;
    // A thread keeps its copy until it exits.
    static fiber_local<long> own(1);
    fiber producer([&] {
        for (long i = 0; i < 10; ++i)
            results.send(i + *own);
    });
    fiber giver([&] { given.write_ef(100); });
    producer.join();
    giver.join();
    long sum = *own + given.read_fe();
    for (int i = 0; i < 10; ++i)
        sum += results.receive().value();
    return sum;
}

task<long> fib(int n) {
    if (n < 2)
        co_return n;
    auto [left, right] = co_await when_all(fib(n - 1), fib(n - 2));
    co_return left + right;
}
long coroutines() { return sync_wait(fib(8)); }

long arenas() {
    std::atomic<long> sum{0};
    arena small({.threads = 2});
    task_group group;
    for (int i = 0; i < 10; ++i)
        small.enqueue(group, [&sum, i] { sum += i; });
    const long inside = small.execute([] { return leaves(4); });
    const long got = small.spawn([] { return 1000L; }).get();
    group.wait();
    return sum + inside + got;
}

// The resume comes from a task, so that no thread of the test's own has to be created.
long suspensions() {
    std::atomic<long> sum{0};
    task_group group;
    for (int i = 0; i < 5; ++i)
        group.run([&] {
            suspend([&](resume_handle resume) { resume.resume(); });
            ++sum;
        });
    group.wait();
    return sum;
}

long large_stacks() { return with_stack(std::size_t{1} << 20, [] { return leaves(5); }); }

void raise_bad_alloc(teff_status status) {
    if (status == TEFF_NO_MEMORY)
        throw std::bad_alloc();
    EXPECT_EQ(status, TEFF_OK) << teff_status_text(status);
}
void add_one(void* sum) { ++*static_cast<std::atomic<long>*>(sum); }
long c_functions() {
    std::atomic<long> sum{0};
    teff_task_list* list = nullptr;
    raise_bad_alloc(teff_task_list_create(&list));
    teff_status status = TEFF_OK;
    for (int i = 0; i < 10 && status == TEFF_OK; ++i)
        status = teff_task_list_add(list, add_one, &sum);
    if (status == TEFF_OK)
        status = teff_task_list_run(list);
    teff_task_list_destroy(list);
    raise_bad_alloc(status);
    teff_fiber* begun = nullptr;
    raise_bad_alloc(teff_fiber_start(&begun, add_one, &sum));
    raise_bad_alloc(teff_fiber_join(begun));
    return sum;
}

constexpr face faces[] = {
    {"reductions", reductions, 127},
    {"forks", forks, 256},
    {"groups", groups, 1225},
    {"handles", handles, 190},
    {"reducers", reducers, 7950},
    {"loops", loops, 500L * 499 * 501 / 6},
    {"fed_loops", fed_loops, 126},
    {"pipelines", pipelines, 820},
    {"dataflow", dataflow, 28},
    {"fibers", fibers, 156},
    {"coroutines", coroutines, 21},
    {"arenas", arenas, 1061},
    {"suspensions", suspensions, 5},
    {"large_stacks", large_stacks, 32},
    {"c_functions", c_functions, 11},
};

// Each front end with each scheduler, in turn with another number of threads and at another place; all combinations of
// these with the default scheduler and several threads, and, with EVERY_COMBINATION in the environment, with all.
auto combinations() {
    constexpr face_place places[] = {face_place::of_itself, face_place::in_execute, face_place::in_a_thread};
    std::vector<face_call<face>> chosen;
    for (std::size_t i = 0; i < std::size(faces); ++i) {
        for (std::size_t j = 0; j < schedulers().size(); ++j) {
            const std::string_view scheduler = schedulers()[j].name;
            for (const face_place place : places)
                for (const long threads : {1L, 3L})
                    if (has_every_combination() || (scheduler == "demand" && threads > 1) ||
                        (place == places[(i + j) % 3] && threads == ((i + j) % 2 == 0 ? 3L : 1L)))
                        chosen.push_back({&faces[i], scheduler.data(), threads, place});
        }
    }
    return ::testing::ValuesIn(chosen);
}

class every_allocation_of : public refused_face<face> {
protected:
    every_allocation_of() : refused_face({}) {}

    void set_variables() const override {
        ::setenv("TEFF_NUM_THREADS", std::to_string(GetParam().threads).c_str(), 1);
    }
    // Each run is at its place by itself.
    void call_at_place(const std::function<void()>& body) const override { body(); }
    // A thread of the test's own is there before an allocation is refused.
    long run(long k) const override {
        const face* const tried = GetParam().tried;
        const face_place place = GetParam().place;
        const auto refused = [&] {
            return run_refused_at(
                k, [&] { return place == face_place::in_execute ? execute({}, tried->run) : tried->run(); });
        };
        if (place != face_place::in_a_thread)
            return refused();
        long result = 0;
        bool is_refused = false;
        std::thread([&] {
            try {
                result = refused();
            } catch (const std::bad_alloc&) {
                is_refused = true;
            }
        }).join();
        if (is_refused)
            throw std::bad_alloc();
        return result;
    }
};

INSTANTIATE_TEST_SUITE_P(, every_allocation_of, combinations(), [](const auto& about) { return about.param.name(); });

TEST_P(every_allocation_of, is_refused_at_the_first_use) { try_first_use(); }

// One process is enough for all allocations, since none ends it.
TEST_P(every_allocation_of, is_refused_when_warm_and_leaks_nothing) {
    expect_ended(outcome_of([this] {
        expect_right();
        expect_right();
        for (long k = 1; refuses_when_warm(k) && !HasFailure(); ++k) {
        }
    }), "");
}

TEST_P(every_allocation_of, no_thread_can_be_created_from_the_kth_on) { try_without_threads(); }

}  // namespace
}  // namespace teff::testing
