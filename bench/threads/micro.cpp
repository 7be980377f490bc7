// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, variants and measures of the micro-benchmarks of kind threads; see micro.hpp.
#include <bench/threads/micro.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace bench::threads {
namespace {

constexpr size_part parts[] = {{"OPERATIONS", 400, 1'000'000'000'000}};

std::vector<variant_description> one_variant(runtime_family family) { return waiting_variants(family, {"threads"}); }

std::uint64_t few_threads(const parameters& p, runtime_family family) { return memory_bytes(p, family, 1000); }

micro_description shown(const char* measure, const char* headline, const char* title, bool variants_differ) {
    return {.headline = measure,
            .headline_title = headline,
            .figures = {{.form = figure_description::shape::lines,
                         .title = title,
                         .measured = measure,
                         .measured_title = "ns",
                         .across = "threads",
                         .across_title = "workers",
                         .least = 1,
                         .by_variant = variants_differ}},
            .variants_differ = variants_differ,
            .by_threads = true};
}

const micro_description spawn_join_micro = shown("thread_ns", "ns/thread", "To start and join a thread", true);
const micro_description yield_micro = shown("yield_ns", "ns/yield", "To let another thread run", false);
const micro_description ping_pong_micro = shown("hand_over_ns", "ns/hand-over", "To hand a number over", false);
const micro_description mutex_micro = shown("lock_ns", "ns/lock", "To enter a critical section", true);
const micro_description live_micro = {
    .headline = "live", .headline_title = "live",
    .figures = {{.form = figure_description::shape::lines, .title = "Threads that live at the same time",
                 .measured = "thread_ns", .measured_title = "ns per thread",
                 .across = "live", .across_title = "threads", .least = 10}},
};

}  // namespace

const kernel_description spawn_join_description = {
    .name = "spawn_join", .sizes = {.quick = "20000", .paper = "1000000", .tiny = "400", .check = "1000"},
    .variants = [](runtime_family family) { return waiting_variants(family, {"one", "hundred", "blocked"}); },
    .memory_bytes = few_threads, .micro = &spawn_join_micro, .threads = true,
};

const kernel_description yield_description = {
    .name = "yield", .sizes = {.quick = "500000", .paper = "10000000", .tiny = "400", .check = "1000"},
    .variants = one_variant, .memory_bytes = few_threads, .micro = &yield_micro, .threads = true,
};

const kernel_description ping_pong_description = {
    .name = "ping_pong", .sizes = {.quick = "200000", .paper = "2000000", .tiny = "400", .check = "1000"},
    .variants = one_variant, .memory_bytes = few_threads, .micro = &ping_pong_micro, .threads = true,
};

const kernel_description mutex_description = {
    .name = "mutex", .sizes = {.quick = "200000", .paper = "2000000", .tiny = "400", .check = "1000"},
    .variants = [](runtime_family family) { return waiting_variants(family, {"short", "held"}); },
    .memory_bytes = few_threads, .micro = &mutex_micro, .threads = true,
};

const kernel_description live_description = {
    .name = "live", .sizes = {.quick = "20000,100000", .paper = "1000000", .tiny = "400", .check = "1000"},
    .variants =
        [](runtime_family family) {
            std::vector<variant_description> all = one_variant(family);
            // Where not all threads that were asked for can live, the times are not those of the same work.
            for (variant_description& each : all) each.ratio = false;
            return all;
        },
    .memory_bytes =
        [](const parameters& p, runtime_family) {
            constexpr std::uint64_t thread_bytes = 10 * 1024;
            return (std::uint64_t{64} << 20) + operations(live_description, p) * thread_bytes;
        },
    .micro = &live_micro, .prepare = live::ask_for_small_stacks, .threads = true,
};

std::uint64_t operations(const kernel_description& kernel, const parameters& p) {
    return size_numbers(kernel, p, parts)[0];
}

outcome operations_outcome(const parameters& p, const char* name, double seconds, std::uint64_t done,
                           std::uint64_t wanted) {
    outcome result = exact_outcome(seconds, done, std::to_string(done), std::to_string(wanted));
    result.measures.push_back(
        {name, measure::role::found, {seconds * 1e9 * p.threads / static_cast<double>(wanted)}});
    return result;
}

namespace live {

void ask_for_small_stacks(const parameters&) {
    if (::setenv(stack_variable, "16", 1) != 0) throw std::bad_alloc();
}

std::uint64_t resident_bytes() {
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long pages = 0;
    const int read = std::fscanf(file, "%*u %lu", &pages);
    std::fclose(file);
    return read == 1 ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

outcome checked(const found& result) {
    outcome made =
        exact_outcome(result.seconds, result.live, std::to_string(result.ended), std::to_string(result.live));
    if (result.live == 0) {
        made.verified = false;
        return made;
    }
    const auto live = static_cast<double>(result.live);
    made.measures.push_back({"live", measure::role::found, {live}});
    made.measures.push_back({"thread_ns", measure::role::found, {result.seconds * 1e9 / live}});
    made.measures.push_back(
        {"resident_bytes", measure::role::found, {static_cast<double>(result.resident_bytes) / live}});
    return made;
}

}  // namespace live
}  // namespace bench::threads
