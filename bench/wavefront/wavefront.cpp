// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences, the scores and the check of wavefront; see wavefront.hpp.
#include <bench/wavefront/wavefront.hpp>

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/figures.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>

namespace bench {
namespace {

constexpr size_part parts[] = {{"LENGTH", 1, 1'000'000}, {"BLOCK", 1, 100'000}};

constexpr std::int32_t match = 2;
constexpr std::int32_t mismatch = -1;
constexpr std::int32_t gap = -2;

std::int32_t next_score(std::int32_t diagonal, std::int32_t above, std::int32_t left, char one, char other) {
    const std::int32_t paired = diagonal + (one == other ? match : mismatch);
    return std::max(std::max(0, paired), std::max(above, left) + gap);
}

// Sums up scores and their places.
class checksum {
public:
    void add(std::size_t row, std::size_t column, std::int32_t score) {
        sum_ += (row * 1'000'003 + column + 1) * (static_cast<std::uint64_t>(static_cast<std::uint32_t>(score)) + 1);
    }
    std::string text(std::int32_t best) const {
        return "best " + std::to_string(best) + ", checksum " + std::to_string(sum_);
    }

private:
    std::uint64_t sum_ = 0;
};

std::string row_by_row(const wavefront::workload& given) {
    checksum borders;
    std::int32_t best = 0;
    std::vector<std::int32_t> scores(given.second.size() + 1);
    const auto ends_block = [&](std::size_t index) {
        return (index + 1) % given.length == 0 || index + 1 == given.first.size();
    };
    for (std::size_t row = 0; row < given.first.size(); ++row) {
        std::int32_t diagonal = 0;
        const bool is_last_row = ends_block(row);
        for (std::size_t column = 0; column < given.second.size(); ++column) {
            const std::int32_t above = scores[column + 1];
            const std::int32_t found =
                next_score(diagonal, above, scores[column], given.first[row], given.second[column]);
            diagonal = above;
            scores[column + 1] = found;
            best = std::max(best, found);
            if (is_last_row) borders.add(row, column, found);
            if (ends_block(column)) borders.add(row, column, found);
        }
    }
    return borders.text(best);
}

std::uint64_t tasks_of(const wavefront::workload& given) { return given.blocks() * given.blocks(); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::vector<std::uint64_t> size = size_numbers(wavefront_description, p, parts);
    const std::uint64_t blocks = (size[0] + size[1] - 1) / size[1] + 1;
    const std::uint64_t block_bytes = sizeof(wavefront::block) + 2 * (size[1] + 8) * sizeof(std::int32_t);
    return 2 * size[0] + blocks * blocks * block_bytes + dataflow::memory_bytes(p, family, blocks * blocks);
}

const micro_description micro =
    dataflow::rate("mcells", "Mcells/s", "Alignment of two sequences", "million scores per second");

}  // namespace

const kernel_description wavefront_description = {
    .name = "wavefront", .sizes = {.quick = "8192x256", .paper = "32768x256", .tiny = "100x16", .check = "1000x64"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace wavefront {

// The second sequence is the first one with every fourth letter drawn again, and moved by a quarter.
workload::workload(const parameters& p) {
    constexpr std::uint64_t seed = 1981;
    seeded_random random(seed);
    const std::vector<std::uint64_t> size = size_numbers(wavefront_description, p, parts);
    length = std::min(size[0], size[1]);
    const auto letter = [&random] { return "ACGT"[random.below(4)]; };
    first.resize(size[0]);
    for (char& each : first) each = letter();
    second = first;
    std::rotate(second.begin(), second.begin() + static_cast<std::ptrdiff_t>(size[0] / 4), second.end());
    for (char& each : second)
        if (random.below(4) == 0) each = letter();
}

block workload::zeros(std::size_t row, std::size_t column) const {
    return {std::vector<std::int32_t>(to(column) - from(column) + 1), std::vector<std::int32_t>(to(row) - from(row))};
}

void score(const workload& given, std::size_t row, std::size_t column, const block& above, const block& left,
           block& to) {
    const std::size_t rows = given.to(row) - given.from(row);
    const std::size_t columns = given.to(column) - given.from(column);
    const char* const second = &given.second[given.from(column)];
    std::int32_t best = std::max(above.best, left.best);
    // The row above, which becomes the next row, from left to right. Its first element is the score before that row.
    to.bottom = above.bottom;
    to.right.resize(rows);
    std::int32_t* const scores = to.bottom.data();
    for (std::size_t i = 0; i < rows; ++i) {
        const char letter = given.first[given.from(row) + i];
        std::int32_t diagonal = scores[0];
        std::int32_t before = left.right[i];
        scores[0] = before;
        for (std::size_t j = 0; j < columns; ++j) {
            const std::int32_t over = scores[j + 1];
            before = next_score(diagonal, over, before, letter, second[j]);
            diagonal = over;
            scores[j + 1] = before;
            best = std::max(best, before);
        }
        to.right[i] = before;
    }
    to.best = best;
}

outcome checked(const workload& given, const std::vector<const block*>& blocks, double seconds) {
    checksum borders;
    const std::size_t count = given.blocks();
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t column = 0; column < count; ++column) {
            const block& found = *blocks[row * count + column];
            for (std::size_t j = given.from(column); j < given.to(column); ++j)
                borders.add(given.to(row) - 1, j, found.bottom.at(j - given.from(column) + 1));
            for (std::size_t i = given.from(row); i < given.to(row); ++i)
                borders.add(i, given.to(column) - 1, found.right.at(i - given.from(row)));
        }
    }
    outcome result =
        exact_outcome(seconds, tasks_of(given), borders.text(blocks.back()->best), row_by_row(given));
    const auto size = static_cast<double>(given.first.size());
    result.measures.push_back({"mcells", measure::role::found, {size * size / seconds * 1e-6}});
    return result;
}

}  // namespace wavefront
}  // namespace bench
