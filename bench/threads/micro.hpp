// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-benchmarks of kind threads: what a thread costs, and what its waits cost. Only the runtimes whose threads
// may wait for each other have them.
//
//   spawn_join     each worker's maker starts threads and joins them: `one` after the other, or `hundred` by hundred;
//                  or one after the other, each of which waits once (`blocked`): for a variable that its maker fills
//                  after it has let others run
//   yield          two threads per worker let each other run
//   ping_pong      a pair of threads per worker hands a number to and fro, through two full/empty variables
//   mutex          four threads per worker increment a number under a mutex: at once (`short`), or letting others run
//                  while they hold it, so that the others have to wait (`held`)
//   live           many threads wait for one event at the same time
//
// Sizes are what all threads do together. Times are those of one worker, as if the workers shared the work equally:
// seconds x workers / size.
#pragma once

#include <bench/threads/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <system_error>
#include <vector>

namespace bench::threads {

// What all threads do together, for the size that p asks for.
std::uint64_t operations(const kernel_description& kernel, const parameters& p);

// `done` must be `wanted`. `name` is the measure for the time of one operation.
outcome operations_outcome(const parameters& p, const char* name, double seconds, std::uint64_t done,
                           std::uint64_t wanted);

namespace spawn_join {

constexpr std::uint64_t hundred = 100;

template <class Face> void one(std::uint64_t count, std::atomic<std::uint64_t>& done) {
    // relaxed, here and below: the joins order the count before the last look.
    for (std::uint64_t each = 0; each < count; ++each)
        typename Face::thread([&done] { done.fetch_add(1, std::memory_order_relaxed); }).join();
}

template <class Face> void batches(std::uint64_t count, std::atomic<std::uint64_t>& done) {
    std::vector<typename Face::thread> started;
    while (count != 0) {
        const std::uint64_t now = std::min(count, hundred);
        for (std::uint64_t each = 0; each < now; ++each)
            started.emplace_back([&done] { done.fetch_add(1, std::memory_order_relaxed); });
        for (typename Face::thread& each : started) each.join();
        started.clear();
        count -= now;
    }
}

template <class Face> void blocked(std::uint64_t count, std::atomic<std::uint64_t>& done) {
    typename Face::template variable<std::uint64_t> value;
    for (std::uint64_t each = 0; each < count; ++each) {
        typename Face::thread other([&] { done.fetch_add(value.read(), std::memory_order_relaxed); });
        Face::yield();
        value.write(1);
        other.join();
    }
}

template <class Face> outcome measured(const parameters& p) {
    const std::uint64_t each = operations(spawn_join_description, p) / p.threads;
    std::atomic<std::uint64_t> done{0};
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            Face::each(p.threads, [&](std::size_t) {
                std::atomic<std::uint64_t> own{0};
                if (p.variant == "hundred")
                    batches<Face>(each, own);
                else if (p.variant == "blocked")
                    blocked<Face>(each, own);
                else
                    one<Face>(each, own);
                done.fetch_add(own.load(std::memory_order_relaxed), std::memory_order_relaxed);
            });
        });
    });
    return operations_outcome(p, "thread_ns", seconds, done.load(std::memory_order_relaxed), each * p.threads);
}

}  // namespace spawn_join

namespace yield {

template <class Face> outcome measured(const parameters& p) {
    const std::size_t threads = std::size_t{2} * p.threads;
    const std::uint64_t each = operations(yield_description, p) / threads;
    std::atomic<std::uint64_t> done{0};
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            Face::each(threads, [&](std::size_t) {
                std::uint64_t own = 0;
                for (; own < each; ++own) Face::yield();
                done.fetch_add(own, std::memory_order_relaxed);
            });
        });
    });
    return operations_outcome(p, "yield_ns", seconds, done.load(std::memory_order_relaxed), each * threads);
}

}  // namespace yield

namespace ping_pong {

template <class Face> outcome measured(const parameters& p) {
    const std::uint64_t rounds = operations(ping_pong_description, p) / (2 * p.threads);
    std::atomic<std::uint64_t> done{0};
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            Face::each(p.threads, [&](std::size_t) {
                typename Face::template variable<std::uint64_t> ping;
                typename Face::template variable<std::uint64_t> pong;
                std::uint64_t number = 0;
                Face::all(
                    [&] {
                        for (std::uint64_t round = 0; round < rounds; ++round) {
                            ping.write(number + 1);
                            number = pong.read();
                        }
                    },
                    [&] {
                        for (std::uint64_t round = 0; round < rounds; ++round) pong.write(ping.read() + 1);
                    });
                done.fetch_add(number, std::memory_order_relaxed);
            });
        });
    });
    return operations_outcome(p, "hand_over_ns", seconds, done.load(std::memory_order_relaxed),
                              2 * rounds * p.threads);
}

}  // namespace ping_pong

namespace mutex {

template <class Face> outcome measured(const parameters& p) {
    const std::size_t threads = std::size_t{4} * p.threads;
    const std::uint64_t each = operations(mutex_description, p) / threads;
    const bool yields = p.variant == "held";
    typename Face::mutex lock;
    std::uint64_t done = 0;
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            Face::each(threads, [&](std::size_t) {
                for (std::uint64_t round = 0; round < each; ++round) {
                    const std::lock_guard locked(lock);
                    ++done;
                    if (yields) Face::yield();
                }
            });
        });
    });
    return operations_outcome(p, "lock_ns", seconds, done, each * threads);
}

}  // namespace mutex

namespace live {

// Stacks of 16 KiB, which is what threads of all runtimes get here.
void ask_for_small_stacks(const parameters&);
// Of this process, the memory that is in use.
std::uint64_t resident_bytes();

struct found {
    double seconds = 0;
    std::uint64_t live = 0;              // at the same time
    std::uint64_t ended = 0;
    std::uint64_t resident_bytes = 0;    // added by the live ones
};

outcome checked(const found& result);

// Starts as many threads as it can, up to `wanted`, which wait; then lets them go on.
template <class Face> void start_and_end(std::uint64_t wanted, found& result) {
    typename Face::event all_go_on;
    std::atomic<std::uint64_t> begun{0};
    std::atomic<std::uint64_t> ended{0};
    std::vector<typename Face::thread> started;
    const std::uint64_t before = resident_bytes();
    try {
        started.reserve(wanted);
        while (started.size() < wanted)
            started.emplace_back([&] {
                // relaxed, here and below: the numbers only have to be right, and the joins order the last one.
                begun.fetch_add(1, std::memory_order_relaxed);
                all_go_on.wait();
                ended.fetch_add(1, std::memory_order_relaxed);
            });
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
    }
    // Until all have begun, or no further one has for a second: a runtime may find out late that it has no stack.
    using clock = std::chrono::steady_clock;
    clock::time_point last = clock::now();
    while (result.live < started.size() && clock::now() - last < std::chrono::seconds(1)) {
        Face::yield();
        if (const std::uint64_t now = begun.load(std::memory_order_relaxed); now != result.live) {
            result.live = now;
            last = clock::now();
        }
    }
    result.resident_bytes = resident_bytes() - before;
    all_go_on.set();
    for (typename Face::thread& each : started) {
        try {
            each.join();
        } catch (const std::bad_alloc&) {   // it had no stack
        }
    }
    result.ended = ended.load(std::memory_order_relaxed);
}

template <class Face> outcome measured(const parameters& p) {
    const std::uint64_t wanted = operations(live_description, p);
    found result;
    result.seconds = time_seconds([&] { Face::run(p, [&] { start_and_end<Face>(wanted, result); }); });
    return checked(result);
}

}  // namespace live

}  // namespace bench::threads
