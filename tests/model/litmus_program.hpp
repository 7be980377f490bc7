// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a litmus test is written: what is shown at the end, and a line for each thread with its steps in order.
//
//   run({a, b}, thread(set(x, 1, relaxed), get(a, y, relaxed)),
//               thread(set(y, 1, relaxed), get(b, x, relaxed)));
//
// x, y, z are locations, zero at first. a, b, c, d are registers, zero at first; each is written by one thread.
// last_x and last_y are what thread 0 reads at the end, when it knows every store.
#pragma once

#include <model/check.hpp>

#include <teff/base/atomic.hpp>

#include <atomic>
#include <cstdint>
#include <initializer_list>

namespace scenarios::litmus_program {

using enum std::memory_order;
using order = std::memory_order;
using number = unsigned;

enum place { x, y, z };
enum shown { a, b, c, d, last_x, last_y };

struct state {
    teff::atomic<number> at[3]{};
    number registers[4]{};
};

inline auto set(place to, number value, order how) {
    return [=](state& all) { all.at[to].store(value, how); };
}

inline auto get(shown into, place from, order how) {
    return [=](state& all) { all.registers[into] = all.at[from].load(how); };
}

// The register gets the value before.
inline auto add(shown into, place to, number value, order how) {
    return [=](state& all) { all.registers[into] = all.at[to].fetch_add(value, how); };
}

inline auto add(place to, number value, order how) {
    return [=](state& all) { all.at[to].fetch_add(value, how); };
}

inline auto exchange(shown into, place to, number value, order how) {
    return [=](state& all) { all.registers[into] = all.at[to].exchange(value, how); };
}

// The register gets 1 if the location had the expected value, which is then replaced.
inline auto replace(shown into, place to, number expected, number value, order success, order failure) {
    return [=](state& all) {
        number seen = expected;
        all.registers[into] = all.at[to].compare_exchange_strong(seen, value, success, failure) ? 1 : 0;
    };
}

// A compare-exchange that fails, since no thread stores 5. The register gets the value that it read.
inline auto fail_to_replace(shown into, place to, order success, order failure) {
    return [=](state& all) {
        number seen = 5;
        all.at[to].compare_exchange_strong(seen, 6, success, failure);
        all.registers[into] = seen;
    };
}

// relaxed means no fence at all.
inline auto fence(order how) {
    return [=](state&) {
        if (how != relaxed)
            teff::atomic_thread_fence(how);
    };
}

template <class... Steps>
auto thread(Steps... steps) {
    return [=](state& all) { (steps(all), ...); };
}

inline number shown_of(state& all, shown what) {
    return what == last_x ? all.at[x].load(relaxed) : what == last_y ? all.at[y].load(relaxed) : all.registers[what];
}

// The outcome has a digit for each of `what`.
template <class... Threads>
void run(std::initializer_list<shown> what, Threads... threads) {
    state all;
    model::parallel([&] { threads(all); }...);
    std::uint64_t digits = 0;
    for (const shown each : what)
        digits = 10 * digits + shown_of(all, each);
    model::outcome(digits);
}

}  // namespace scenarios::litmus_program
