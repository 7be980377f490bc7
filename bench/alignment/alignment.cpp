// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences, scores and expected answers of alignment; see alignment.hpp.
//
// The expected checksum is that of reference_checksum(), which takes several times as long as the measured
// computation. For the most common inputs it is recorded here, together with a fingerprint of the sequences.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/input.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <cstring>

namespace bench {
namespace {

using alignment::problem;
using alignment::sequence;

struct known_problem {
    std::uint64_t fingerprint;
    std::uint64_t checksum;
};

constexpr known_problem known_problems[] = {
    {0x49d67c7f68a9c4c6U, 0xa255d77c907c9d45U},  // 4 generated sequences
    {0x85377317cbcd6749U, 0x30487c1a3cc2ee59U},  // 10
    {0xed90d239e8731a77U, 0xcaa1909dfb575564U},  // 20
    {0xf7f07445f1059a8eU, 0x73945b2606c18dcdU},  // 40
    {0xe6f6396264da0e3cU, 0x23910b631b853d19U},  // 100
    {0x60890faa1d25b48dU, 0x3229c26e781e1369U},  // the suite's 20 proteins
    {0xc3123d2e56e0c6b5U, 0x642010fe734056ebU},  // the suite's 100 proteins
};

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, true); }

// All tasks that score a pair may be queued at once.
std::uint64_t memory_bytes(const parameters& p, runtime_family) {
    const problem input = alignment::problem_of(p);
    const std::uint64_t pairs = input.sequences.size() * input.sequences.size() / 2;
    return (std::uint64_t{64} << 20) + pairs * 256;
}

bool is_letter(char character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

std::uint8_t residue_of(char letter) {
    const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    const char* const found = std::strchr(alignment::residue_letters, upper);
    return static_cast<std::uint8_t>(found != nullptr ? found - alignment::residue_letters
                                                      : static_cast<std::ptrdiff_t>(alignment::residues - 1));
}

std::uint64_t fingerprint_of(const problem& input) {
    std::uint64_t bits = 0xcbf29ce484222325U;   // FNV-1a
    for (const sequence& each : input.sequences) {
        for (const std::uint8_t residue : each) bits = (bits ^ residue) * 0x100000001b3U;
        bits = (bits ^ alignment::residues) * 0x100000001b3U;
    }
    return bits;
}

// Most proteins have a few hundred residues; some have thousands.
std::size_t random_length(seeded_random& random) {
    std::uint64_t length = 80 + random.below(300) + random.below(600);
    if (random.below(8) == 0) length += random.below(1200);
    return static_cast<std::size_t>(length);
}

}  // namespace

const kernel_description alignment_description = {
    .name = "alignment", .sizes = {.quick = "40", .paper = "100", .tiny = "4", .check = "6"}, .has_input = true,
    .variants = variants, .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"30", "100"},
};

namespace alignment {

// BLOSUM62 in half bits; rows and columns are ordered as in residue_letters. An unknown residue scores -1 against any
// residue.
const std::int8_t substitution[residues][residues] = {
    {4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0, -1},
    {-1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3, -1},
    {-2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3, -1},
    {-2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3, -1},
    {0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -1},
    {-1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2, -1},
    {-1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2, -1},
    {0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3, -1},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3, -1},
    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3, -1},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1, -1},
    {-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2, -1},
    {-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1, -1},
    {-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1, -1},
    {-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2, -1},
    {1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2, -1},
    {0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0, -1},
    {-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3, -1},
    {-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1, -1},
    {0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4, -1},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
};

problem problem_of(const parameters& p) {
    if (!p.input.empty()) return read_problem(p.input);
    return make_problem(static_cast<int>(integer_size(alignment_description, p, min_sequences, max_sequences)));
}

problem make_problem(int sequences) {
    // How often a residue occurs in proteins, per mille, in the order of residue_letters.
    constexpr std::uint64_t frequency[residues - 1] = {83, 55, 41, 55, 14, 39, 68, 71, 23, 59,
                                                       97, 58, 24, 39, 47, 66, 53, 11, 29, 68};
    seeded_random random(62);
    problem made;
    made.sequences.resize(static_cast<std::size_t>(sequences));
    for (sequence& each : made.sequences) {
        each.resize(random_length(random));
        for (std::uint8_t& residue : each) {
            std::uint64_t ticket = random.below(1000);
            residue = 0;
            while (ticket >= frequency[residue]) ticket -= frequency[residue++];
        }
    }
    return made;
}

problem read_problem(const std::string& path) {
    input_reader reader(path);
    for (const char* word : {"Number", "of", "sequences", "is"})
        if (reader.word("\"Number of sequences is\"") != word)
            throw usage_error("--input " + path + ": does not begin with \"Number of sequences is\"");
    const long count = reader.integer("the number of sequences, 2 to 10000", min_sequences, max_sequences);
    problem made;
    while (!reader.at_end()) {
        const std::string line = reader.line();
        if (line.starts_with('>')) {
            made.sequences.emplace_back();
            continue;
        }
        if (made.sequences.empty())
            throw usage_error("--input " + path + ": a sequence begins with a line of > and a name");
        sequence& last = made.sequences.back();
        for (const char letter : line)
            if (is_letter(letter)) last.push_back(residue_of(letter));
    }
    if (made.sequences.size() != static_cast<std::size_t>(count))
        throw usage_error("--input " + path + ": announces " + std::to_string(count) + " sequences and holds " +
                          std::to_string(made.sequences.size()));
    for (const sequence& each : made.sequences)
        if (each.empty() || each.size() > longest_sequence)
            throw usage_error("--input " + path + ": a sequence has " + std::to_string(each.size()) +
                              " residues; 1 to " + std::to_string(longest_sequence) + " are possible");
    return made;
}

std::int32_t reference_score(const sequence& across, const sequence& down) {
    constexpr std::int32_t impossible = -1'000'000;
    const std::size_t width = across.size() + 1;
    const std::size_t height = down.size() + 1;
    // One matrix for each possible last column of an alignment: two residues, a residue of `down` against a gap, a
    // residue of `across` against a gap.
    std::vector<std::int32_t> both(width * height, impossible);
    std::vector<std::int32_t> down_alone = both;
    std::vector<std::int32_t> across_alone = both;
    both[0] = 0;
    for (std::size_t row = 0; row < height; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
            const std::size_t here = row * width + column;
            if (row > 0) {
                const std::size_t above = here - width;
                const std::int32_t opened = std::max(both[above], across_alone[above]) - gap_open;
                down_alone[here] = std::max(opened, down_alone[above]) - gap_extend;
            }
            if (column > 0) {
                const std::size_t before = here - 1;
                const std::int32_t opened = std::max(both[before], down_alone[before]) - gap_open;
                across_alone[here] = std::max(opened, across_alone[before]) - gap_extend;
            }
            if (row > 0 && column > 0) {
                const std::size_t corner = here - width - 1;
                both[here] = std::max({both[corner], down_alone[corner], across_alone[corner]}) +
                             substitution[across[column - 1]][down[row - 1]];
            }
        }
    }
    return std::max({both.back(), down_alone.back(), across_alone.back()});
}

std::uint64_t reference_checksum(const problem& input) {
    std::uint64_t checksum = 0;
    for (std::int32_t second = 1; second <= input.rows(); ++second)
        for (std::int32_t first = 0; first < second; ++first)
            checksum += hash_of(first, second, reference_score(input.sequences[static_cast<std::size_t>(first)],
                                                               input.sequences[static_cast<std::size_t>(second)]));
    return checksum;
}

std::uint64_t number_of_tasks(const problem& input) {
    const std::uint64_t rows = input.sequences.size() - 1;
    return 2 * rows - 1 + rows * (rows + 1) / 2;
}

outcome checked(const problem& input, double seconds, const result& found) {
    const std::uint64_t fingerprint = fingerprint_of(input);
    const auto* const known = std::find_if(std::begin(known_problems), std::end(known_problems),
                                           [&](const known_problem& each) { return each.fingerprint == fingerprint; });
    const std::uint64_t checksum = known != std::end(known_problems) ? known->checksum : reference_checksum(input);
    const std::uint64_t tasks = number_of_tasks(input);
    const std::uint64_t pairs = input.sequences.size() * (input.sequences.size() - 1) / 2;
    const auto text = [](std::uint64_t scored, std::uint64_t sum, std::uint64_t executed) {
        return std::to_string(scored) + " pairs, checksum " + std::to_string(sum) + ", " + std::to_string(executed) +
               " tasks";
    };
    return exact_outcome(seconds, found.tasks, text(found.pairs, found.checksum, found.tasks),
                         text(pairs, checksum, tasks));
}

}  // namespace alignment
}  // namespace bench
