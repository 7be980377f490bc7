// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff_calibrate: measures what things cost on this machine, and prints them as a machine that `teff simulate --machine
// FILE` takes. Needs two processors that nothing else uses. The costs that it cannot measure keep their defaults: lines
// from another socket, and the cost of an ordinary access, which depends on the program (docs/simulator.md).
//
// Each cost is the median of several measurements.
#include <teff/base/backoff.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

double now_ns() noexcept {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(since).count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

// The median time of one call.
template <class F>
double time_of(unsigned calls, F&& f) {
    std::vector<double> times;
    for (unsigned round = 0; round < 21; ++round) {
        const double begin = now_ns();
        for (unsigned i = 0; i < calls; ++i)
            f();
        times.push_back((now_ns() - begin) / calls);
    }
    return median(times);
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) noexcept {
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value, nullptr,
                     nullptr, 0);
}

alignas(128) std::atomic<std::uint64_t> shared{0};

double modify_ns() {
    return time_of(100'000, [] { shared.fetch_add(1, std::memory_order_relaxed); });
}
double fence_ns() {
    return time_of(100'000, [] { std::atomic_thread_fence(std::memory_order_seq_cst); });
}
double pause_ns() { return time_of(10'000, [] { teff::cpu_relax(); }); }
double system_call_ns() { return time_of(2'000, [] { ::sched_yield(); }); }

// A number goes to and fro between two threads: each step is one line that moves.
double line_ns() {
    constexpr std::uint64_t steps = 20'000;
    std::vector<double> times;
    for (unsigned round = 0; round < 11; ++round) {
        shared.store(0);
        std::thread other([] {
            for (std::uint64_t i = 1; i < steps; i += 2) {
                while (shared.load(std::memory_order_acquire) != i)
                    ;
                shared.store(i + 1, std::memory_order_release);
            }
        });
        const double begin = now_ns();
        for (std::uint64_t i = 0; i < steps; i += 2) {
            shared.store(i + 1, std::memory_order_release);
            while (shared.load(std::memory_order_acquire) != i + 2)
                ;
        }
        times.push_back((now_ns() - begin) / steps / 2);  // a read and a write of the line for each step
        other.join();
    }
    return median(times);
}

struct wake_times {
    double call, delay;
};

// One thread sleeps, and the other one wakes it.
wake_times wake_ns() {
    constexpr unsigned rounds = 400;
    alignas(128) static std::atomic<std::uint32_t> word{0};
    alignas(128) static std::atomic<unsigned> sleeps{0};
    alignas(128) static std::atomic<double> woken_at{0};
    std::thread sleeper([] {
        for (unsigned round = 1; round <= rounds; ++round) {
            sleeps.store(round);
            while (word.load() != round)
                futex(word, FUTEX_WAIT, round - 1);
            woken_at.store(now_ns());
        }
    });
    std::vector<double> calls, delays;
    for (unsigned round = 1; round <= rounds; ++round) {
        while (sleeps.load() != round)
            teff::cpu_relax();
        const double asleep_from = now_ns() + 100'000;
        while (now_ns() < asleep_from)
            teff::cpu_relax();
        woken_at.store(0);
        word.store(round);
        const double begin = now_ns();
        futex(word, FUTEX_WAKE, 1);
        calls.push_back(now_ns() - begin);
        while (woken_at.load() == 0)
            teff::cpu_relax();
        delays.push_back(woken_at.load() - begin);
    }
    sleeper.join();
    return {median(calls), median(delays)};
}

// While another thread of the process runs.
double heavy_fence_ns() {
    if (::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        return -1;
    std::atomic<bool> is_over{false};
    std::thread other([&] {
        while (!is_over.load(std::memory_order_relaxed))
            teff::cpu_relax();
    });
    const double found = time_of(500, [] { ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); });
    is_over = true;
    other.join();
    return found;
}

}  // namespace

int main() {
    const wake_times wake = wake_ns();
    const double heavy_fence = heavy_fence_ns();
    std::printf("{\"sockets\": 1, \"cores\": %u, \"threads\": 1,\n \"costs\": {\"modify\": %.1f, \"fence\": %.1f, "
                "\"near_line\": %.1f, \"pause\": %.1f,\n           \"system_call\": %.0f, \"wake\": %.0f, "
                "\"wake_delay\": %.0f",
                std::thread::hardware_concurrency(), modify_ns(), fence_ns(), line_ns(), pause_ns(), system_call_ns(),
                wake.call, wake.delay);
    if (heavy_fence >= 0)
        std::printf(", \"heavy_fence\": %.0f", heavy_fence);
    std::printf("}}\n");
    return 0;
}
