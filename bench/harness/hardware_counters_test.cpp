// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of hardware_counters.hpp. Machines differ in what they can count, so the tests either replace
// perf_event_open or count page faults, whose number the test determines; without any perf events these are skipped.
#include <bench/harness/hardware_counters.hpp>
#include <bench/harness/kernel.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include <gtest/gtest.h>

namespace bench {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(why_not_counted, names_the_cause_and_a_remedy) {
    const std::pair<int, const char*> causes[] = {
        {ENOENT, "give the virtual machine a PMU"},
        {ENODEV, "give the virtual machine a PMU"},
        {EOPNOTSUPP, "give the virtual machine a PMU"},
        {ENOSYS, "CONFIG_PERF_EVENTS"},
        {EMFILE, "ulimit -n"},
        {ENFILE, "ulimit -n"},
        {EBUSY, "run again when it has ended"},
        {EINVAL, "use a newer one"},
        {E2BIG, "use a newer one"},
        {EIO, "Input/output error; run without hardware counters"},
    };
    for (const auto& [error, part] : causes) {
        const std::string reason = why_not_counted(error, 2, 2);
        EXPECT_TRUE(has(reason, part)) << reason;
        EXPECT_TRUE(has(reason, "; ")) << reason;
        EXPECT_EQ(reason.find('\n'), std::string::npos);
    }
}

TEST(why_not_counted, tells_a_forbidding_kernel_from_a_filter) {
    for (const int error : {EACCES, EPERM}) {
        const std::string forbidden = why_not_counted(error, 3, 2);
        EXPECT_TRUE(has(forbidden, "perf_event_paranoid is 3 and forbids them; set it to 2 by sysctl")) << forbidden;
        EXPECT_TRUE(has(why_not_counted(error, 2, 1), "set it to 1 by sysctl"));
        EXPECT_TRUE(has(why_not_counted(error, std::nullopt, 1), "perf_event_paranoid is unknown"));
        EXPECT_TRUE(has(why_not_counted(error, 1, 1), "seccomp"));
        EXPECT_TRUE(has(why_not_counted(error, -1, 2), "seccomp"));
    }
}

constexpr std::uint64_t page_faults = PERF_COUNT_SW_PAGE_FAULTS;

int refuse(const perf_event_attr&) {
    errno = ENOENT;
    return -1;
}
// The processor has nothing, the kernel counts page faults in place of migrations.
int count_page_faults(const perf_event_attr& what) {
    if (what.type != PERF_TYPE_SOFTWARE) return refuse(what);
    perf_event_attr changed = what;
    if (what.config == PERF_COUNT_SW_CPU_MIGRATIONS) changed.config = page_faults;
    changed.exclude_kernel = 1;
    return open_counter_of_process(changed);
}
bool counts_page_faults() {
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = PERF_TYPE_SOFTWARE;
    what.config = page_faults;
    what.exclude_kernel = 1;
    const int descriptor = open_counter_of_process(what);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0;
}

// Touches pages for the first time.
void touch(long pages) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = static_cast<std::size_t>(pages) * page;
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    ::madvise(memory, bytes, MADV_NOHUGEPAGE);
    for (std::size_t place = 0; place < bytes; place += page) static_cast<volatile char*>(memory)[place] = 1;
    ::munmap(memory, bytes);
}

long value_of(const std::string& json, const std::string& name) {
    const auto place = json.find("\"" + name + "\":");
    return place == std::string::npos ? -1 : std::stol(json.substr(place + name.size() + 3));
}

TEST(hardware_counters, without_any_counter_the_reasons_remain) {
    hardware_counters counters(refuse);
    counters.region_begins();
    counters.region_ends();
    EXPECT_EQ(counters.json(),
              R"({"unavailable":[{"counters":["cycles","instructions","stalled_cycles","l1d_loads","l1d_misses",)"
              R"("llc_references","llc_misses","branch_misses","task_clock_ns","context_switches","cpu_migrations"],)"
              R"("reason":")" +
                  why_not_counted(ENOENT, 0, 2) + R"("}]})");
}

TEST(hardware_counters, count_threads_that_start_and_end_later) {
    if (!counts_page_faults()) GTEST_SKIP() << "the kernel allows no perf events";
    constexpr long pages = 3000;
    hardware_counters counters(count_page_faults);
    counters.region_begins();
    std::thread([] { touch(pages); }).join();
    touch(pages);
    counters.region_ends();
    const std::string json = counters.json();
    EXPECT_GE(value_of(json, "cpu_migrations"), 2 * pages) << json;
    EXPECT_GT(value_of(json, "task_clock_ns"), 0) << json;
    EXPECT_EQ(value_of(json, "cycles"), -1) << json;
    EXPECT_FALSE(has(json, "counted_share")) << json;
}

// As if the processor counted cycles; the kernel lets no other counter take its turn.
int count_page_faults_as_cycles(const perf_event_attr& what) {
    if (what.type != PERF_TYPE_HARDWARE || what.config != PERF_COUNT_HW_CPU_CYCLES) return refuse(what);
    perf_event_attr changed = what;
    changed.type = PERF_TYPE_SOFTWARE;
    changed.config = page_faults;
    return open_counter_of_process(changed);
}

TEST(hardware_counters, tell_the_share_of_the_time_that_was_counted) {
    if (!counts_page_faults()) GTEST_SKIP() << "the kernel allows no perf events";
    hardware_counters counters(count_page_faults_as_cycles);
    counters.region_begins();
    touch(100);
    counters.region_ends();
    const std::string json = counters.json();
    EXPECT_GE(value_of(json, "cycles"), 100) << json;
    EXPECT_TRUE(has(json, "\"counted_share\":1.000000,")) << json;
    EXPECT_TRUE(has(json, "\"unavailable\":[{\"counters\":[\"instructions\",")) << json;
}

// As if only cycles were counted: what is read comes from a pipe, which has all readings at once.
int pipe_of_readings(const perf_event_attr& what) {
    if (what.type != PERF_TYPE_HARDWARE || what.config != PERF_COUNT_HW_CPU_CYCLES) return refuse(what);
    // Value, time enabled, time running, at the beginning and at the end of each region. In the second region the
    // counter never gets its turn.
    constexpr std::uint64_t readings[4][3] = {
        {10, 5000, 5000}, {110, 6000, 5500}, {110, 6000, 5500}, {110, 7000, 5500}};
    int ends[2];
    if (::pipe(ends) != 0) return -1;
    const bool is_filled = ::write(ends[1], readings, sizeof readings) == sizeof readings;
    ::close(ends[1]);
    return is_filled ? ends[0] : -1;
}

TEST(hardware_counters, values_are_scaled_by_the_share_of_all_regions) {
    hardware_counters counters(pipe_of_readings);
    for (int region = 0; region < 2; ++region) {
        counters.region_begins();
        counters.region_ends();
    }
    // 100 cycles in 500 of 2000 ns.
    EXPECT_TRUE(has(counters.json(), R"({"cycles":400,"counted_share":0.250000,)")) << counters.json();
}

TEST(hardware_counters, leave_out_what_lies_outside_the_regions) {
    if (!counts_page_faults()) GTEST_SKIP() << "the kernel allows no perf events";
    constexpr long pages = 3000;
    hardware_counters counters(count_page_faults);
    EXPECT_FALSE(counters.has_regions());
    for (int i = 0; i < 2; ++i) {
        touch(2 * pages);
        counters.region_begins();
        touch(pages);
        counters.region_ends();
    }
    touch(2 * pages);
    EXPECT_TRUE(counters.has_regions());
    const long counted = value_of(counters.json(), "cpu_migrations");
    EXPECT_GE(counted, 2 * pages);
    EXPECT_LT(counted, 3 * pages);
}

TEST(timed_region, is_told_around_the_measured_call) {
    struct log final : region_watcher {
        void region_begins() override { text += "begins "; }
        void region_ends() override { text += "ends "; }
        std::string text;
    } watcher;
    watching_regions = &watcher;
    (void)time_seconds([&] { watcher.text += "call "; });
    watching_regions = nullptr;
    (void)time_seconds([&] { watcher.text += "unwatched "; });
    EXPECT_EQ(watcher.text, "begins call ends unwatched ");
}

}  // namespace
}  // namespace bench
