// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activities of the threads of one run over time: read from the file that the library writes (teff/timeline.hpp),
// and drawn like the plots of X-OpenMP (Figs. 3 and 14).
//
// There is a row for each thread, and columns of equal time. In a column the height of each colour is the share of the
// time that the thread spent with that activity, so that stretches shorter than a column still count. Sums beside a row
// are exact. Colours differ in lightness, so they can also be told apart in grey. Single tasks are not shown: the file
// is one that was recorded without events (TEFF_TRACE_EVENTS=0).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace teff::cli {

// In the order in which they are drawn, from the bottom of a row.
enum class thread_activity : unsigned char { work, search, pool, sleep, wait };
inline constexpr std::size_t thread_activity_count = 5;

struct timeline {
    struct stretch {
        double begin_us;
        double end_us;
        thread_activity what;
    };
    struct thread {
        std::string name;
        std::vector<stretch> stretches;  // in the order of time
        std::array<double, thread_activity_count> sums_us{};
        std::uint64_t merged = 0;        // short stretches that are part of others
        double merged_below_us = 0;
    };

    double span_us = 0;
    std::vector<thread> threads;         // the callers first
    std::uint64_t threads_left_out = 0;
};

// From the text of the file. Throws std::runtime_error with the reason if it is none.
[[nodiscard]] timeline read_timeline(const std::string& text);

// The picture for the report, whose style sheet has the colours; `title` is for screen readers.
[[nodiscard]] std::string timeline_plot(const timeline& seen, const std::string& title);

// The same as a file of its own, with a heading.
[[nodiscard]] std::string timeline_file(const timeline& seen, const std::string& title);

// The part of the style sheet that both need.
extern const char* const timeline_style;

}  // namespace teff::cli
