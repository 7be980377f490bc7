// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variants of hidden, the functions that take time, and what a run tells; see hidden.hpp.
#include <bench/hidden/hidden.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

namespace bench {
namespace {

struct loop_variant {
    const char* name;
    hidden::loop_shape shape;
};
constexpr loop_variant loop_variants[] = {
    {"loop3_first", {3, 0}},    {"loop3_middle", {3, 1}},     {"loop3_last", {3, 2}},
    {"loop8_first", {8, 0}},    {"loop8_middle", {8, 4}},     {"loop8_last", {8, 7}},
    {"loop16_first", {16, 0}},  {"loop16_middle", {16, 8}},   {"loop16_last", {16, 15}},
    {"loop100_first", {100, 0}}, {"loop100_middle", {100, 50}}, {"loop100_last", {100, 99}},
};

std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::serial) return {};
    constexpr unsigned least_threads = 2;
    std::vector<variant_description> all;
    for (const char* name : {"fork", "fork_tree", "sleeping_tree", "producer", "reduction", "barrier", "pipes"})
        all.push_back({name, true, least_threads});
    for (const loop_variant& each : loop_variants) all.push_back({each.name, true, least_threads});
    return all;
}

constexpr size_part parts[] = {{"MILLISECONDS", 1, 100'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) { return task_memory_bytes(p, family, 100, 64); }

const micro_description micro = {
    .headline = "of_ideal", .headline_title = "of ideal",
    .figures = {{.form = figure_description::shape::lines,
                 .title = "Time of a program with long functions, as a multiple of the least possible",
                 .measured = "of_ideal", .measured_title = "multiple of the least possible time",
                 .across = "threads", .across_title = "threads", .by_variant = true}},
    .variants_differ = true,
};

}  // namespace

const kernel_description hidden_description = {
    .name = "hidden", .sizes = {.quick = "60", .paper = "500", .tiny = "1", .check = "2"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace hidden {

work::work(const parameters& p)
    : threads_(p.threads), length_(static_cast<double>(size_numbers(hidden_description, p, parts)[0])) {}

void work::spin(milliseconds time) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < time) {}
}

void work::compute(milliseconds time) {
    spin(time);
    count();
}

void work::sleep(milliseconds time) {
    std::this_thread::sleep_for(time);
    count();
}

pipe::pipe() {
    if (::pipe(ends_) != 0) throw std::system_error(errno, std::generic_category(), "hidden: no pipe");
}

pipe::~pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
}

void pipe::write() const {
    const char byte = 0;
    while (::write(ends_[1], &byte, 1) < 0 && errno == EINTR) {}
}

void pipe::read() const {
    char byte;
    while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) {}
}

bool find_loop(std::string_view variant, loop_shape& found) {
    for (const loop_variant& each : loop_variants) {
        if (variant != each.name) continue;
        found = each.shape;
        return true;
    }
    return false;
}

outcome checked(const work& done, const run_time& time) {
    outcome result =
        exact_outcome(time.seconds, done.done(), std::to_string(done.done()), std::to_string(time.tasks));
    result.measures.push_back({"of_ideal", measure::role::found, {time.seconds * 1000 / time.ideal.count()}});
    return result;
}

}  // namespace hidden
}  // namespace bench
