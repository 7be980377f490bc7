// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operating system's counters for this process (getrusage). They are measured alike for every runtime, so they
// can be compared. They include the generation of the input, therefore they do not replace the time that is reported.
#pragma once

#include <string>

namespace bench {

class system_counters {
public:
    // Starts counting now.
    system_counters();

    // The counts since construction, as a JSON object of integers.
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
