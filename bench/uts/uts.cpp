// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trees of uts, with their published node counts, and the check; see uts.hpp.
#include <bench/uts/uts.hpp>

#include <bench/harness/input.hpp>
#include <bench/harness/size.hpp>

#include <charconv>
#include <limits>
#include <string_view>

namespace bench {
namespace {

struct named_workload {
    const char* name;
    uts::tree (*make)();
    uts::counts expected;             // nodes, leaves, depth
};

// The numbers of `small` and `medium`, and the depth and the leaves of `tiny`, are not published: this program found
// them.
constexpr named_workload workloads[] = {
    {"small", [] { return uts::tree::geometric(4, 5, 19); }, {3987, 3232, 5}},
    {"medium", [] { return uts::tree::geometric(4, 9, 19); }, {1031269, 825408, 9}},
    {"T1", [] { return uts::tree::geometric(4, 10, 19); }, {4130071, 3305118, 10}},
    {"T1L", [] { return uts::tree::geometric(4, 13, 29); }, {102181082, 81746377, 13}},
    {"T3", [] { return uts::tree::binomial(2000, 0.124875, 8, 42); }, {4112897, 3599034, 1572}},
    {"T3L", [] { return uts::tree::binomial(2000, 0.200014, 5, 7); }, {111345631, 89076904, 17844}},
    {"tiny", [] { return uts::tree::binomial(2000, 0.333332, 3, 8); }, {30399117, 20266744, 6974}},
};

// Throws usage_error.
std::uint32_t work_factor(const parameters& p, std::string_view text) {
    std::uint32_t work = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), work);
    if (error != std::errc() || end != text.data() + text.size() || work < 1 || work > uts::greatest_work)
        throw usage_error("--size " + p.size + ": behind the slash uts takes a work factor from 1 to " +
                          std::to_string(uts::greatest_work));
    return work;
}

// A name, or a name, a slash and a work factor.
uts::workload named(const parameters& p) {
    const std::size_t slash = p.size.find('/');
    parameters plain = p;
    plain.size = p.size.substr(0, slash);
    const std::string name = size_text(uts_description, plain);
    std::string names;
    for (const named_workload& each : workloads) {
        if (name == each.name) {
            uts::workload asked = {each.make(), each.expected, uts::known::all};
            if (slash != p.size.npos) asked.tree.work = work_factor(p, std::string_view(p.size).substr(slash + 1));
            return asked;
        }
        names += std::string(names.empty() ? "" : ", ") + each.name;
    }
    throw usage_error("--size " + p.size + ": uts takes quick, paper, " + names +
                      ", or one of them with a work factor, such as T3L/10");
}

// The file holds the number of the root's children, q, m, the seed, the work factor, and the number of nodes, the depth
// and the number of leaves of the tree.
uts::workload from_file(const std::string& path) {
    constexpr long unlimited = std::numeric_limits<long>::max();
    input_reader file(path);
    const auto root_children = static_cast<std::uint32_t>(file.integer("the root's children, 1 to 10^6", 1, 1'000'000));
    const double q = file.real("a probability", 0, 1);
    const long children = file.integer("the children of other nodes, 1 to 100", 1, uts::most_children);
    const auto m = static_cast<std::uint32_t>(children);
    const auto seed = static_cast<std::uint32_t>(file.integer("a seed below 2^31", 0, 0x7fffffff));
    const auto work = static_cast<std::uint32_t>(file.integer("a work factor, 1 to 1000", 1, uts::greatest_work));
    uts::counts expected;
    expected.nodes = static_cast<std::uint64_t>(file.integer("the number of nodes", 1, unlimited));
    expected.depth = static_cast<std::uint64_t>(file.integer("the depth", 1, unlimited));
    expected.leaves = static_cast<std::uint64_t>(file.integer("the number of leaves", 1, unlimited));
    // The value 1 stands for an unknown number.
    const bool all = expected.depth != 1 && expected.leaves != 1;
    uts::tree tree = uts::tree::binomial(root_children, q, m, seed);
    tree.work = work;
    return {tree, expected, all ? uts::known::all : uts::known::nodes};
}

std::string text(const uts::counts& counts) {
    return std::to_string(counts.nodes) + " nodes, depth " + std::to_string(counts.depth) + ", " +
           std::to_string(counts.leaves) + " leaves";
}

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, true); }

// Deep trees: a recursion, or a task that waits on top of another, has as many frames as the tree has levels.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    constexpr std::uint64_t stack_bytes = std::uint64_t{64} << 20;
    const std::uint64_t nodes = uts::chosen(p).expected.nodes;
    return stack_bytes + task_memory_bytes(p, family, nodes, sizeof(uts::node));
}

}  // namespace

const kernel_description uts_description = {
    .name = "uts", .sizes = {.quick = "T1", .paper = "tiny", .tiny = "small", .check = "small"}, .has_input = true,
    .variants = variants, .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"medium", "tiny"},
    .mpi = kind_sizes{"T1,T3", "T1L,T3L"},
};

namespace uts {

void repeat_digest(std::uint32_t times, const node& parent, std::uint32_t index) {
    repeat_hash(times, index, [&parent](std::uint32_t which) { return sha1(parent.state, which); });
}

workload chosen(const parameters& p) {
    return p.input.empty() ? named(p) : from_file(p.input);
}

outcome checked(const workload& asked, double seconds, const counts& found) {
    counts expected = asked.expected;
    if (asked.what == known::nodes) {
        expected.depth = found.depth;
        expected.leaves = found.leaves;
    }
    return exact_outcome(seconds, found.nodes, text(found), text(expected));
}

}  // namespace uts
}  // namespace bench
