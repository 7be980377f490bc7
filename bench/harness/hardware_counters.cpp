// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See hardware_counters.hpp. The events are the rows of one table.
#include <bench/harness/hardware_counters.hpp>

#include <bench/harness/report.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace bench {
namespace {

constexpr std::uint64_t l1d(std::uint64_t result) {
    return PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 | result << 16;
}

struct event_row {
    const char* name;
    std::uint32_t type;
    std::uint64_t config;
    int most_paranoid;  // at greater values the kernel demands the capability CAP_PERFMON

    bool is_of_processor() const { return type != PERF_TYPE_SOFTWARE; }
};

// The scheduler's events happen inside the kernel. An unprivileged process may count there at paranoid 1 at most.
constexpr event_row events[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 2},
    {"stalled_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 2},
    {"l1d_loads", PERF_TYPE_HW_CACHE, l1d(PERF_COUNT_HW_CACHE_RESULT_ACCESS), 2},
    {"l1d_misses", PERF_TYPE_HW_CACHE, l1d(PERF_COUNT_HW_CACHE_RESULT_MISS), 2},
    {"llc_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 2},
    {"llc_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 2},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 2},
    {"task_clock_ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 2},
    {"context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
    {"cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1},
};

perf_event_attr attributes_of(const event_row& row) {
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = row.type;
    what.config = row.config;
    what.inherit = 1;
    what.exclude_kernel = row.most_paranoid == 2;
    what.exclude_hv = 1;
    what.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return what;
}

constexpr const char* never_counted =
    "others, such as the NMI watchdog, used the processor's counters all the time; run again when they are free";

std::optional<int> paranoid_now() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    int value = 0;
    if (file >> value) return value;
    return std::nullopt;
}

}  // namespace

int open_counter_of_process(const perf_event_attr& what) {
    constexpr int this_process = 0, any_cpu = -1, no_group = -1;
    return static_cast<int>(
        ::syscall(SYS_perf_event_open, &what, this_process, any_cpu, no_group, PERF_FLAG_FD_CLOEXEC));
}

std::string why_not_counted(int error, std::optional<int> paranoid, int most_paranoid) {
    switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
        return "the processor does not offer them, or this is a virtual machine without such counters; use a machine "
               "of its own, or give the virtual machine a PMU";
    case EACCES:
    case EPERM:
        if (paranoid && *paranoid <= most_paranoid)
            return "the system refuses perf_event_open although kernel.perf_event_paranoid is " +
                   std::to_string(*paranoid) +
                   ", probably by the seccomp filter of a container; start it with a filter that allows the call, or "
                   "with the capability CAP_PERFMON";
        return "kernel.perf_event_paranoid is " + (paranoid ? std::to_string(*paranoid) : "unknown") +
               " and forbids them; set it to " + std::to_string(most_paranoid) +
               " by sysctl, or run with the capability CAP_PERFMON";
    case ENOSYS:
        return "the kernel has no perf_event_open, or the seccomp filter of a container hides it; use a kernel with "
               "CONFIG_PERF_EVENTS, or a filter that allows the call";
    case EMFILE:
    case ENFILE:
        return "too many files are open; raise the limit (ulimit -n)";
    case EBUSY:
        return "another program has the counters for itself; run again when it has ended";
    case EINVAL:
    case E2BIG:
        return "this kernel does not know them; use a newer one";
    default:
        return std::string(std::strerror(error)) + "; run without hardware counters";
    }
}

hardware_counters::hardware_counters(open_counter open) {
    for (const event_row& row : events) {
        const int descriptor = open(attributes_of(row));
        counters_.push_back({descriptor, descriptor < 0 ? errno : 0, {}, {}});
    }
}

hardware_counters::~hardware_counters() {
    for (const counter& each : counters_)
        if (each.descriptor >= 0) ::close(each.descriptor);
}

std::optional<hardware_counters::reading> hardware_counters::read_now(const counter& from) {
    reading found;
    if (from.descriptor < 0 || ::read(from.descriptor, &found, sizeof found) != sizeof found) return std::nullopt;
    return found;
}

void hardware_counters::region_begins() {
    for (counter& each : counters_) each.at_begin = read_now(each);
}

void hardware_counters::region_ends() {
    has_regions_ = true;
    for (counter& each : counters_) {
        const std::optional<reading> now = read_now(each);
        if (!now || !each.at_begin) continue;
        each.counted.value += now->value - each.at_begin->value;
        each.counted.enabled_ns += now->enabled_ns - each.at_begin->enabled_ns;
        each.counted.running_ns += now->running_ns - each.at_begin->running_ns;
    }
}

std::string hardware_counters::json() const {
    std::string members;
    double least_share = 2;
    for (std::size_t i = 0; i < std::size(events); ++i) {
        const reading& counted = counters_[i].counted;
        // A counter that never got its turn has no value.
        if (counted.running_ns == 0) continue;
        const double share = static_cast<double>(counted.running_ns) / static_cast<double>(counted.enabled_ns);
        members += quoted(events[i].name) + ":" +
                   std::to_string(std::llround(static_cast<double>(counted.value) / share)) + ",";
        if (events[i].is_of_processor()) least_share = std::min(least_share, share);
    }
    if (least_share <= 1) members += "\"counted_share\":" + std::to_string(least_share) + ",";
    return "{" + members + "\"unavailable\":[" + unavailable_json() + "]}";
}

// One object per reason.
std::string hardware_counters::unavailable_json() const {
    struct group {
        std::string reason;
        std::string names;
    };
    std::vector<group> groups;
    for (std::size_t i = 0; i < std::size(events); ++i) {
        const counter& of = counters_[i];
        if (of.descriptor >= 0 && (!has_regions_ || of.counted.running_ns != 0)) continue;
        const std::string reason = of.descriptor >= 0
                                       ? never_counted
                                       : why_not_counted(of.error, paranoid_now(), events[i].most_paranoid);
        auto same =
            std::find_if(groups.begin(), groups.end(), [&](const group& each) { return each.reason == reason; });
        if (same == groups.end()) same = groups.insert(same, {reason, ""});
        same->names += (same->names.empty() ? "" : ",") + quoted(events[i].name);
    }
    std::string text;
    for (const group& each : groups)
        text += (text.empty() ? "{" : ",{") + ("\"counters\":[" + each.names + "],\"reason\":" + quoted(each.reason)) +
                "}";
    return text;
}

}  // namespace bench
