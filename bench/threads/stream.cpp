// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays, the triad and the check; see stream.hpp.
#include <bench/threads/stream.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>

namespace bench::threads {
namespace {

constexpr size_part parts_of_size[] = {{"MEBIBYTES", 1, 1 << 20}, {"THREADS_PER_WORKER", 1, 1000}};

const micro_description micro = {
    .headline = "gigabytes", .headline_title = "GB/s",
    .figures = {{.form = figure_description::shape::lines, .title = "STREAM triad",
                 .measured = "gigabytes", .measured_title = "GB/s",
                 .across = "mebibytes", .across_title = "MiB of the three arrays"}},
};

}  // namespace

const kernel_description stream_description = {
    .name = "stream",
    .sizes = {.quick = "16x1,64x1,64x8", .paper = "16x1,16x2,16x4,16x16,256x1", .tiny = "1x1", .check = "1x3"},
    .variants = variants,
    .memory_bytes =
        [](const parameters& p, runtime_family family) {
            const std::vector<std::uint64_t> size = size_numbers(stream_description, p, parts_of_size);
            return (size[0] << 20) + memory_bytes(p, family, size[1] * p.threads);
        },
    .micro = &micro, .threads = true,
};

namespace stream {

arrays::arrays(const parameters& p) {
    const std::vector<std::uint64_t> size = size_numbers(stream_description, p, parts_of_size);
    mebibytes_ = size[0];
    parts_ = size[1] * p.threads;
    count_ = (mebibytes_ << 20) / (3 * sizeof(double));
    // Not touched yet.
    a_ = std::make_unique_for_overwrite<double[]>(count_);
    b_ = std::make_unique_for_overwrite<double[]>(count_);
    c_ = std::make_unique_for_overwrite<double[]>(count_);
}

void arrays::fill(std::size_t part) {
    for (std::size_t index = begin(part); index < begin(part + 1); ++index) {
        a_[index] = 0;
        b_[index] = static_cast<double>(index % 1000);
        c_[index] = static_cast<double>(index % 7);
    }
}

void arrays::triad(std::size_t part, int repetition) {
    double* const a = a_.get();
    const double* const b = b_.get();
    const double* const c = c_.get();
    const double alpha = repetition;
    const std::size_t last = begin(part + 1);
    for (std::size_t index = begin(part); index < last; ++index) a[index] = b[index] + alpha * c[index];
}

outcome arrays::checked(double seconds) {
    // Small whole numbers, so that the results are exact.
    std::size_t right = 0;
    for (std::size_t index = 0; index < count_; ++index)
        right += a_[index] == static_cast<double>(index % 1000) + repetitions * static_cast<double>(index % 7) ? 1 : 0;
    std::fill_n(a_.get(), count_, -1);
    outcome result = exact_outcome(seconds, parts_ * repetitions, std::to_string(right), std::to_string(count_));
    const double bytes = static_cast<double>(3 * sizeof(double) * count_) * repetitions;
    result.measures.push_back({"mebibytes", measure::role::given, {static_cast<double>(mebibytes_)}});
    result.measures.push_back({"threads_started", measure::role::given, {static_cast<double>(parts_)}});
    result.measures.push_back({"gigabytes", measure::role::found, {bytes / seconds / 1e9}});
    return result;
}

}  // namespace stream
}  // namespace bench::threads
