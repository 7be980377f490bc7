// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See counters.hpp.
#include <bench/harness/counters.hpp>

#include <sys/resource.h>

namespace bench {
namespace {

rusage usage() {
    rusage found{};
    getrusage(RUSAGE_SELF, &found);
    return found;
}

long milliseconds(const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; }

std::string member(const char* name, long value) { return "\"" + std::string(name) + "\":" + std::to_string(value); }

}  // namespace

system_counters::system_counters() : start_(now()) {}

system_counters::values system_counters::now() {
    const rusage found = usage();
    return {milliseconds(found.ru_utime) + milliseconds(found.ru_stime), found.ru_nvcsw, found.ru_nivcsw,
            found.ru_minflt + found.ru_majflt};
}

std::string system_counters::json() const {
    const values end = now();
    return "{" + member("cpu_ms", end.cpu_ms - start_.cpu_ms) + "," +
           member("voluntary_switches", end.voluntary_switches - start_.voluntary_switches) + "," +
           member("involuntary_switches", end.involuntary_switches - start_.involuntary_switches) + "," +
           member("page_faults", end.page_faults - start_.page_faults) + "," +
           member("peak_memory_kb", usage().ru_maxrss) + "}";
}

}  // namespace bench
