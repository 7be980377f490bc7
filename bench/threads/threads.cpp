// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which runtimes have which programs; see threads.hpp.
#include <bench/threads/threads.hpp>

#include <algorithm>
#include <cstdlib>

namespace bench::threads {

std::vector<variant_description> variants(runtime_family family) {
    switch (family) {
    case runtime_family::serial:
        return {{"recursive", true}, {.name = "threads", .ratio = true, .own_threads = true}};
    case runtime_family::teff:
    case runtime_family::boost_fiber:
        return {{"threads", true}};
    case runtime_family::openmp:
    case runtime_family::tbb:
        return {{"tasks", true}};
    case runtime_family::starpu:
        break;
    }
    return {};
}

std::vector<variant_description> waiting_variants(runtime_family family, std::initializer_list<const char*> names) {
    const bool are_of_the_system = family == runtime_family::serial;
    if (!are_of_the_system && family != runtime_family::teff && family != runtime_family::boost_fiber) return {};
    std::vector<variant_description> all;
    for (const char* name : names) all.push_back({.name = name, .ratio = true, .own_threads = are_of_the_system});
    return all;
}

std::size_t stack_bytes() {
    constexpr std::size_t default_kib = 256;
    const char* const text = std::getenv(stack_variable);
    const std::size_t kib = text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
    return (kib == 0 ? default_kib : kib) << 10;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family, std::uint64_t started) {
    // The pages of a stack that a short function touches, and the thread's record, in the system or in the runtime.
    constexpr std::uint64_t thread_bytes = 32 * 1024;
    constexpr std::uint64_t fiber_bytes = 12 * 1024;
    // Where the newest thread runs first, as many live at the same time as a path of the tree has siblings.
    constexpr std::uint64_t most_on_paths = 10'000;
    const std::uint64_t runtime_bytes = task_memory_bytes(p, family, 0, 0);
    if (p.variant == "recursive") return runtime_bytes;
    if (family == runtime_family::serial) return runtime_bytes + started * thread_bytes;
    return runtime_bytes + (keeps_levels(p, family) ? started : std::min(started, most_on_paths)) * fiber_bytes;
}

outcome with_thread_measures(outcome result, const char* size_name, std::uint64_t size) {
    const auto started = static_cast<double>(std::max<std::uint64_t>(result.tasks, 1));
    result.measures.push_back({size_name, measure::role::given, {static_cast<double>(size)}});
    result.measures.push_back({"thread_ns", measure::role::found, {result.seconds * 1e9 / started}});
    return result;
}

}  // namespace bench::threads
