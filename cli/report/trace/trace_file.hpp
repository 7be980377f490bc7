// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace of one run, read from the file that the library writes (teff/timeline.hpp).
//
// A file may have a million events, so its lines are scanned for the few members that matter, in the form in which the
// library writes them; a general parser of JSON reads only the part before the events, and the names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli {

// The activity of a thread; `outside`: it is outside of the library.
enum class thread_state : unsigned char { work, search, pool, wait, sleep, outside };
inline constexpr std::size_t thread_state_count = 6;

struct recorded_trace {
    struct slice {
        double begin_us;
        double end_us;
        std::uint32_t name;      // in `names`
        std::uint32_t category;  // in `categories`
        std::uint32_t depth;     // how many slices it lies in
        double own_us;           // without the slices inside
    };
    struct thread {
        std::string name;
        std::array<double, thread_state_count> times_us{};
        std::uint64_t steals_tried = 0, steals = 0, dropped = 0;
        std::vector<slice> slices;     // by begin; one that contains others before these
        std::vector<double> steals_us; // when
    };
    // A label of a fiber that has moved or was left meanwhile.
    struct span {
        double begin_us;
        double end_us;
        std::uint32_t name;
    };

    std::string version, program, scheduler;
    unsigned threads_wished = 0;
    double span_us = 0;
    std::uint64_t events = 0, dropped = 0, threads_left_out = 0;
    std::vector<thread> threads;       // the callers first, then the workers by number
    std::vector<span> moving_labels;   // by begin
    std::vector<std::pair<double, double>> running;  // from this time on so many threads work, on the mean
    std::vector<std::string> names;
    std::vector<std::string> categories;

    [[nodiscard]] bool is(const slice& some, const char* category) const {
        return categories[some.category] == category;
    }
};

// From the text of the file. Throws std::runtime_error with the reason if it is none.
[[nodiscard]] recorded_trace read_trace(const std::string& text);

}  // namespace teff::cli
