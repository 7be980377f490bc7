// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the system counted for this process (getrusage): the same for every runtime, so that their numbers can be
// compared. They cover the measured run with the making of its input, which is why they are not the time that is
// reported.
#pragma once

#include <string>

namespace bench {

class system_counters {
public:
    // Counts from now on.
    system_counters();

    // What was counted since, as a JSON object of whole numbers.
    std::string json() const;

private:
    struct values {
        long cpu_ms;
        long voluntary_switches;
        long involuntary_switches;
        long page_faults;
    };

    static values now();

    values start_;
};

}  // namespace bench
