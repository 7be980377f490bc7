// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this library counts for each of its workers, for its own runner; the other runtimes have no such numbers.
#pragma once

#include <teff/counters.hpp>

#include <cstdlib>
#include <string>
#include <utility>

namespace bench {

// To be called before the library is used for the first time.
inline void count_workers() { setenv("TEFF_COUNTERS", "on", 1); }

// A JSON array with an object per worker; the first stands for the calling thread.
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
            {"requests_served", counted.requests_served},
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
