// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and expected sums of skynet; see skynet.hpp.
#include <bench/skynet/skynet.hpp>

#include <bench/harness/size.hpp>

#include <string>

namespace bench {
namespace {

constexpr std::uint64_t most_levels = 9;    // of which the sum of the leaves' numbers has 64 bits

// Ten to the power of the number of levels.
std::uint64_t leaves(const parameters& p) {
    std::uint64_t count = 1;
    for (std::uint64_t level = integer_size(skynet_description, p, 0, most_levels); level > 0; --level)
        count *= skynet::children;
    return count;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Tasks wait for their children, so at most the children of the nodes on one path are queued by a thread.
    leaves(p);
    return task_memory_bytes(p, family, 0, sizeof(skynet::node));
}

}  // namespace

const kernel_description skynet_description = {
    .name = "skynet", .sizes = {.quick = "8", .paper = "8", .tiny = "3", .check = "4"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace skynet {

node root(const parameters& p) { return {0, leaves(p)}; }

outcome checked(const parameters& p, double seconds, std::uint64_t sum) {
    const std::uint64_t count = leaves(p);
    const std::uint64_t nodes = (count * children - 1) / (children - 1);
    const std::uint64_t expected = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
    return exact_outcome(seconds, nodes, std::to_string(sum), std::to_string(expected));
}

}  // namespace skynet
}  // namespace bench
