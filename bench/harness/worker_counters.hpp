// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This library's counters of each of its workers, for its own runner. The other runtimes have no such counters.
#pragma once

#include <teff/counters.hpp>

#include <cstdlib>
#include <string>
#include <utility>

namespace bench {

// Must be called before the library is used for the first time.
inline void count_workers() { setenv("TEFF_COUNTERS", "on", 1); }

// A JSON array with one object per worker; the first one is the calling thread.
inline std::string worker_counters_json() {
    std::string text;
    for (unsigned worker = 0; worker < teff::counted_workers(); ++worker) {
        const teff::worker_counters counted = teff::counters_of_worker(worker);
        const std::pair<const char*, std::uint64_t> members[] = {
            {"run", counted.run},
            {"pushed", counted.pushed},
            {"run_at_once", counted.run_at_once},
            {"steals_tried", counted.steals_tried},
            {"steals_won", counted.steals_won},
            {"steals_contended", counted.steals_contended},
            {"requests_served", counted.requests_served},
            {"combining_rounds", counted.combining_rounds},
            {"combined", counted.combined},
            {"parked", counted.parked},
            {"idle_ns", counted.idle_ns},
        };
        std::string object;
        for (const auto& [name, value] : members)
            object += (object.empty() ? "\"" : ",\"") + std::string(name) + "\":" + std::to_string(value);
        text += (text.empty() ? "{" : ",{") + object + "}";
    }
    return "[" + text + "]";
}

}  // namespace bench
