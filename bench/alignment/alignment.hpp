// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alignment: the score of the best global alignment of every pair of protein sequences (Blaze-Tasks, section 5.1; the
// problem comes from Cray's application kernel matrix by way of the Barcelona OpenMP Tasks Suite).
//
// Scores follow Gotoh (1982): a substitution matrix (BLOSUM62, Henikoff and Henikoff 1992), and a cost of gap_open +
// k * gap_extend for a gap of length k. The computation uses integers, and memory linear in one sequence, which a
// task keeps on its stack. There are two kinds of tasks and no continuation, as in the paper. A task of the first
// kind halves a range of rows. A single row consists of the pairs of one sequence with all later ones; for it the
// task creates tasks of the second kind, which score one pair each. The waiting variant has the same tasks, each of
// which waits for its children; in OpenMP it is the suite's own loop over the rows, with a task per pair.
//
// Differs from the suite, which scores by the scheme of a well known alignment program: the purpose here is to
// measure a few thousand tasks of very different lengths, which any quadratic recurrence provides. The result is the
// number of pairs and the sum of a hash of every (pair, score); it does not depend on the order.
// Rejected: vector instructions, or a bit-parallel method. The inner loop stays simple, because it is the same in all
// versions.
#pragma once

#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::alignment {

inline constexpr int min_sequences = 2;
inline constexpr int max_sequences = 10'000;
inline constexpr std::size_t longest_sequence = 4095;   // a task keeps a row of so many cells on its stack
inline constexpr std::int32_t gap_open = 10;
inline constexpr std::int32_t gap_extend = 1;

// Residues are indices into this text; the last letter stands for any other residue.
inline constexpr char residue_letters[] = "ARNDCQEGHILKMFPSTWYVX";
inline constexpr std::size_t residues = sizeof(residue_letters) - 1;
extern const std::int8_t substitution[residues][residues];

using sequence = std::vector<std::uint8_t>;

struct problem {
    std::vector<sequence> sequences;

    std::int32_t rows() const { return static_cast<std::int32_t>(sequences.size()) - 1; }
};

enum class kind : std::uint8_t { rows, pair };

// For kind::rows: rows first to second - 1. For kind::pair: the pair of the sequences first and second.
struct task {
    kind what = kind::rows;
    std::int32_t first = 0;
    std::int32_t second = 0;
};

struct result {
    std::uint64_t checksum = 0;
    std::uint64_t pairs = 0;
    std::uint64_t tasks = 0;

    result& operator+=(const result& other) {
        checksum += other.checksum;
        pairs += other.pairs;
        tasks += other.tasks;
        return *this;
    }
};

// The contribution of one pair to the checksum.
inline std::uint64_t hash_of(std::int32_t first, std::int32_t second, std::int32_t score) {
    std::uint64_t bits = static_cast<std::uint64_t>(first) << 48 ^ static_cast<std::uint64_t>(second) << 32 ^
                         static_cast<std::uint32_t>(score);
    bits = (bits ^ bits >> 31) * 0x9e3779b97f4a7c15U;
    return bits ^ bits >> 29;
}

// The score of the best alignment of two sequences. The scores of a gap in the next cell, to the right and below, are
// computed one step ahead. Otherwise Clang's code takes twice the time of GCC's for the same loop, and the two could
// not be compared in one table.
inline std::int32_t score_of(const sequence& across, const sequence& down) {
    constexpr std::int32_t first_gap = gap_open + gap_extend;
    const std::size_t width = across.size();
    // Initialised only as far as the sequence needs.
    std::array<std::int32_t, longest_sequence + 1> best;        // of the cells in the last row
    std::array<std::int32_t, longest_sequence + 1> from_above;  // of the next row's cells, if they end in a gap
    best[0] = 0;
    for (std::size_t column = 1; column <= width; ++column) {
        best[column] = -gap_open - gap_extend * static_cast<std::int32_t>(column);
        from_above[column] = best[column] - first_gap;
    }
    std::int32_t margin = -gap_open;
    for (const std::uint8_t residue : down) {
        const std::int8_t* const scores = substitution[residue];
        std::int32_t diagonal = best[0];
        margin -= gap_extend;
        best[0] = margin;
        std::int32_t from_left = margin - first_gap;
        for (std::size_t column = 1; column <= width; ++column) {
            const std::int32_t matched = diagonal + scores[across[column - 1]];
            const std::int32_t cell = std::max(std::max(matched, from_above[column]), from_left);
            diagonal = best[column];
            best[column] = cell;
            from_left = std::max(from_left - gap_extend, cell - first_gap);
            from_above[column] = std::max(from_above[column] - gap_extend, cell - first_gap);
        }
    }
    return best[width];
}

inline result score_pair(const problem& input, std::int32_t first, std::int32_t second) {
    const std::int32_t score = score_of(input.sequences[static_cast<std::size_t>(first)],
                                        input.sequences[static_cast<std::size_t>(second)]);
    return {hash_of(first, second, score), 1, 1};
}

// Executes one task; calls create(child) for each task that it creates.
template <class Create> result step(const problem& input, task work, const Create& create) {
    if (work.what == kind::pair) return score_pair(input, work.first, work.second);
    if (work.second - work.first > 1) {
        const std::int32_t middle = work.first + (work.second - work.first) / 2;
        create(task{kind::rows, work.first, middle});
        create(task{kind::rows, middle, work.second});
    } else {
        for (std::int32_t other = work.first + 1; other <= input.rows(); ++other)
            create(task{kind::pair, work.first, other});
    }
    return {.tasks = 1};
}

// The task as the body of a reduction over tasks.
struct body {
    const problem& input;

    template <class Pool> result operator()(Pool& pool, task work) const {
        return step(input, work, [&pool](task child) { pool.enq(child); });
    }
};

// The same task, waiting for the tasks that it creates; for the forks of any runtime (harness/serial.hpp).
template <class Forks> result waiting_step(const problem& input, task work) {
    if (work.what == kind::pair) return score_pair(input, work.first, work.second);
    result sum{.tasks = 1};
    if (work.second - work.first > 1) {
        const std::int32_t middle = work.first + (work.second - work.first) / 2;
        result upper;
        result lower;
        Forks::both([&] { upper = waiting_step<Forks>(input, {kind::rows, work.first, middle}); },
                    [&] { lower = waiting_step<Forks>(input, {kind::rows, middle, work.second}); });
        sum += upper;
        sum += lower;
    } else {
        std::vector<result> pairs(static_cast<std::size_t>(input.rows() - work.first));
        Forks::each(pairs.size(), [&](std::size_t index) {
            const std::int32_t other = work.first + 1 + static_cast<std::int32_t>(index);
            pairs[index] = waiting_step<Forks>(input, {kind::pair, work.first, other});
        });
        for (const result& each : pairs) sum += each;
    }
    return sum;
}

inline task first_task(const problem& input) { return {kind::rows, 0, input.rows()}; }

// The problem that p asks for: a file, or a number of sequences from min_sequences to max_sequences.
problem problem_of(const parameters& p);

// `sequences` sequences, generated from a fixed seed, with lengths and residues distributed as in proteins.
problem make_problem(int sequences);

// Reads the format of the Barcelona suite: a count, then sequences in FASTA.
problem read_problem(const std::string& path);

// The score, computed differently: full matrices, one for each way in which an alignment can end.
std::int32_t reference_score(const sequence& across, const sequence& down);

// The checksum over all pairs, computed with reference_score().
std::uint64_t reference_checksum(const problem& input);

// One task per pair, and one per node of the tree over the rows.
std::uint64_t number_of_tasks(const problem& input);

// Compares with the reference; for known inputs, with the recorded checksum.
outcome checked(const problem& input, double seconds, const result& found);

}  // namespace bench::alignment
