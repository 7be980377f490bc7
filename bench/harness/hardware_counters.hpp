// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of the processor and of the kernel's scheduler for this process, by perf_event_open (Linux). They are the
// measurements of Blaze-Tasks, tables 4 to 9 (cycles, instructions, cycles without execution), and what explains them:
// misses in the caches, mispredicted branches, context switches and migrations.
//
// The counters are inherited by threads that the process starts later, so they must be opened before the runtime starts
// its threads. Then they count every runtime alike. Each is a descriptor of its own: the kernel cannot read inherited
// counters as a group. If there are more than the processor has, the kernel lets them take turns. Values are then
// scaled by the share of the time in which they counted, and the least share is reported.
//
// Events of the processor are counted in user mode only. The kernel allows that at perf_event_paranoid 2, the usual
// value, and the values then mean the same on every machine. For what is not counted there is a reason with a remedy.
#pragma once

#include <bench/harness/timed_region.hpp>

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

// The descriptor of a new counter for this process, or -1 with the error in errno.
using open_counter = int (*)(const perf_event_attr& what);
int open_counter_of_process(const perf_event_attr& what);

// Why a counter cannot be opened, and what to do about it; one sentence without a full stop. `error`: the value of
// errno; `paranoid`: the value of kernel.perf_event_paranoid, if known; `most_paranoid`: the greatest value at which
// the kernel allows the counter.
std::string why_not_counted(int error, std::optional<int> paranoid, int most_paranoid);

// Not for several threads at once.
class hardware_counters final : public region_watcher {
public:
    // Opens all counters that can be opened.
    explicit hardware_counters(open_counter open = open_counter_of_process);
    ~hardware_counters();
    hardware_counters(const hardware_counters&) = delete;
    hardware_counters& operator=(const hardware_counters&) = delete;

    // Counts the regions between these calls; several regions are added up.
    void region_begins() override;
    void region_ends() override;
    bool has_regions() const { return has_regions_; }

    // An object with the values by name, "counted_share" if something was counted by the processor, and "unavailable",
    // a list of objects that have "counters" (a list of names) and "reason".
    std::string json() const;

private:
    // As the kernel writes it.
    struct reading {
        std::uint64_t value = 0;
        std::uint64_t enabled_ns = 0;
        std::uint64_t running_ns = 0;
    };
    struct counter {
        int descriptor;
        int error;  // if the descriptor is -1
        std::optional<reading> at_begin;
        reading counted;  // in all regions
    };

    // Nothing if the counter does not exist.
    static std::optional<reading> read_now(const counter& from);
    std::string unavailable_json() const;

    std::vector<counter> counters_;  // in the order of the table of events
    bool has_regions_ = false;
};

}  // namespace bench
