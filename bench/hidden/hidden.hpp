// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs in which queued work can stay hidden: a thread queues tasks and then stays inside one long function, which
// computes, sleeps, or blocks, while other threads are idle.
//
// Each program is a variant. Its functions take a given time on whatever thread they run, so the least possible time is
// known; the measure `of_ideal` is the time beside it. A size is the time of a long function in milliseconds.
//
// A program is a template over a runtime's face, so that every runtime makes the same tasks:
//   run(p, f)              calls f where tasks may be made, on p.threads threads
//   both(f, g)             a fork: calls both, possibly at the same time
//   loop(count, f)         a parallel loop: f(0) to f(count - 1)
//   group                  run(f) makes a task, wait() returns when all have ended
//   spread(p, count, f)    tasks that are not waited for: the first makes tasks 1 to count and then calls f(0) itself;
//                          task i calls f(i). Returns when all have ended
#pragma once

#include <bench/harness/kernel.hpp>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace bench::hidden {

using milliseconds = std::chrono::duration<double, std::milli>;

// Provides the parts of a run's functions, and counts the functions that have run.
class work {
public:
    explicit work(const parameters& p);

    unsigned threads() const { return threads_; }
    // The time of a long function.
    milliseconds length() const { return length_; }

    // Computes, or sleeps, for so long; counts as one task.
    void compute(milliseconds time);
    void sleep(milliseconds time);
    // Computes without counting.
    static void spin(milliseconds time);
    // relaxed, both: the runtime's wait orders the count before the last look.
    void count() { done_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }

private:
    const unsigned threads_;
    const milliseconds length_;
    std::atomic<std::uint64_t> done_{0};
};

// The time that a program took, and the least possible one.
struct run_time {
    double seconds;
    milliseconds ideal;
    std::uint64_t tasks;
};

// A pipe whose reader blocks.
class pipe {
public:
    pipe();
    ~pipe();
    pipe(const pipe&) = delete;
    pipe& operator=(const pipe&) = delete;

    void write() const;
    void read() const;

private:
    int ends_[2];
};

// The shape of a loop: how many iterations, and which of them is the long one. The others are as long as it together.
struct loop_shape {
    unsigned iterations;
    unsigned long_one;
};
// False, with `found` unchanged, if the variant is not a loop.
bool find_loop(std::string_view variant, loop_shape& found);

outcome checked(const work& done, const run_time& time);

// Another thread is busy for a tenth of a long function; a fiftieth later this one forks.
template <class Runtime, class Fork>
run_time fork_beside_busy(work& all, const Fork& fork, milliseconds ideal, std::uint64_t tasks) {
    const milliseconds busy = all.length() / 10;
    const milliseconds head_start = all.length() / 50;
    std::atomic<bool> begun{false};
    double seconds = 0;
    Runtime::both(
        [&] {
            // The other function begins at once where a thread is idle. relaxed, both: nothing is read through `begun`.
            const auto start = std::chrono::steady_clock::now();
            while (!begun.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() - start < busy) {}
            work::spin(head_start);
            seconds = time_seconds(fork);
        },
        [&] {
            begun.store(true, std::memory_order_relaxed);
            all.compute(busy);
        });
    const milliseconds until_free = all.threads() > 2 ? milliseconds(0) : busy - head_start;
    return {seconds, ideal + until_free, tasks + 1};
}

template <class Runtime> run_time fork(work& all) {
    const auto half = [&] { all.compute(all.length()); };
    return fork_beside_busy<Runtime>(all, [&] { Runtime::both(half, half); }, all.length(), 2);
}

template <class Runtime> run_time fork_tree(work& all) {
    const auto leaf = [&] { all.compute(all.length() * 0.4); };
    const auto half = [&] { Runtime::both(leaf, leaf); };
    const double rounds = all.threads() >= 4 ? 1 : 2;
    return fork_beside_busy<Runtime>(all, [&] { Runtime::both(half, half); }, all.length() * 0.4 * rounds, 4);
}

template <class Runtime> run_time loop(work& all, const loop_shape& shape) {
    const milliseconds others = all.length() / (shape.iterations - 1);
    const double seconds = time_seconds([&] {
        Runtime::loop(shape.iterations,
                      [&](unsigned index) { all.compute(index == shape.long_one ? all.length() : others); });
    });
    return {seconds, all.length(), shape.iterations};
}

// A tree of forks with sixteen leaves, which sleep for an eighth of a long function each.
template <class Runtime> void sleeping_branch(work& all, unsigned leaves) {
    if (leaves == 1) {
        all.sleep(all.length() / 8);
        return;
    }
    const auto half = [&all, leaves] { sleeping_branch<Runtime>(all, leaves / 2); };
    Runtime::both(half, half);
}
template <class Runtime> run_time sleeping_tree(work& all) {
    constexpr unsigned leaves = 16;
    const double seconds = time_seconds([&] { sleeping_branch<Runtime>(all, leaves); });
    const unsigned rounds = (leaves + all.threads() - 1) / all.threads();
    return {seconds, all.length() / 8 * rounds, leaves};
}

// Eight tasks are queued, and then the thread that queued them computes.
template <class Runtime> run_time producer(work& all) {
    constexpr unsigned tasks = 8;
    typename Runtime::group made;
    const double seconds = time_seconds([&] {
        for (unsigned i = 0; i < tasks; ++i) made.run([&] { all.compute(all.length() / tasks); });
        all.compute(all.length());
        made.wait();
    });
    return {seconds, all.length(), tasks + 1};
}

// As many tasks as threads meet at a barrier, four times, and compute in between.
template <class Runtime> run_time barrier(work& all) {
    constexpr unsigned rounds = 4;
    std::barrier<> rendezvous(static_cast<std::ptrdiff_t>(all.threads()));
    const auto member = [&] {
        for (unsigned round = 0; round < rounds; ++round) {
            work::spin(all.length() / rounds);
            rendezvous.arrive_and_wait();
        }
        all.count();
    };
    typename Runtime::group others;
    const double seconds = time_seconds([&] {
        for (unsigned i = 1; i < all.threads(); ++i) others.run(member);
        member();
        others.wait();
    });
    return {seconds, all.length(), all.threads()};
}

// Four times: one task blocks until it has read what the next task writes into a pipe.
template <class Runtime> run_time pipes(work& all) {
    constexpr unsigned rounds = 4;
    const pipe connection;
    const double seconds = time_seconds([&] {
        for (unsigned round = 0; round < rounds; ++round) {
            typename Runtime::group ends;
            ends.run([&] {
                connection.read();
                all.count();
            });
            ends.run([&] {
                all.compute(all.length() / rounds);
                connection.write();
            });
            ends.wait();
        }
    });
    return {seconds, all.length(), 2 * rounds};
}

// The first task of a reduction queues eight others and computes.
template <class Runtime> run_time reduction(const parameters& p, work& all) {
    constexpr unsigned tasks = 8;
    const double seconds = time_seconds([&] {
        Runtime::spread(p, tasks,
                        [&](unsigned index) { all.compute(index == 0 ? all.length() : all.length() / tasks); });
    });
    return {seconds, all.length(), tasks + 1};
}

template <class Runtime> outcome measured(const parameters& p) {
    work all(p);
    run_time time{};
    loop_shape shape;
    if (p.variant == "reduction") {
        time = reduction<Runtime>(p, all);
        return checked(all, time);
    }
    Runtime::run(p, [&] {
        if (find_loop(p.variant, shape)) time = loop<Runtime>(all, shape);
        else if (p.variant == "fork_tree") time = fork_tree<Runtime>(all);
        else if (p.variant == "sleeping_tree") time = sleeping_tree<Runtime>(all);
        else if (p.variant == "producer") time = producer<Runtime>(all);
        else if (p.variant == "barrier") time = barrier<Runtime>(all);
        else if (p.variant == "pipes") time = pipes<Runtime>(all);
        else time = fork<Runtime>(all);
    });
    return checked(all, time);
}

}  // namespace bench::hidden
