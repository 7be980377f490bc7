// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which runtimes have which programs and usages; see dataflow.hpp and usage.hpp.
#include <bench/dataflow/dataflow.hpp>

#include <bench/dataflow/usage.hpp>

#include <cstdlib>
#include <new>

namespace bench::dataflow {
namespace {

bool has_reductions(runtime_family family) {
    return family == runtime_family::serial || family == runtime_family::teff;
}

}  // namespace

void allow_any_number_of_tasks(const parameters&) {
    if (::setenv("TEFF_DATAFLOW_TASKS", "0", 1) != 0) throw std::bad_alloc();
}

std::vector<variant_description> variants(runtime_family family, const needs& program) {
    if (program.reductions && !has_reductions(family)) return {};
    if (program.nested_tasks && family == runtime_family::starpu) return {};
    return {{"tasks", true}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family, std::uint64_t tasks) {
    // A node of a flow graph is the largest task.
    constexpr std::uint64_t task_bytes = 2048;
    return task_memory_bytes(p, family, 0, 0) + (family == runtime_family::serial ? 0 : tasks * task_bytes);
}

std::vector<variant_description> usage_variants(runtime_family family, usage first, unsigned least_threads) {
    std::vector<variant_description> all;
    for (auto each = static_cast<std::size_t>(first); each < std::size(usage_names); ++each)
        if (static_cast<usage>(each) < usage::reduction || has_reductions(family))
            all.push_back({usage_names[each], true, least_threads});
    return all;
}

}  // namespace bench::dataflow
