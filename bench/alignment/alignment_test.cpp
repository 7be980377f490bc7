// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment scores pairs like the textbook's full matrices, and scores every pair once.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/serial.hpp>
#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace bench::alignment {
namespace {

sequence sequence_of(const char* letters) {
    sequence made;
    for (; *letters != '\0'; ++letters)
        made.push_back(static_cast<std::uint8_t>(std::strchr(residue_letters, *letters) - residue_letters));
    return made;
}

result score_on_stack(const problem& input) { return reduce_on_stack(body{input}, first_task(input)); }

TEST(alignment, the_substitution_matrix_is_symmetric) {
    for (std::size_t one = 0; one < residues; ++one) {
        for (std::size_t other = 0; other < residues; ++other)
            EXPECT_EQ(substitution[one][other], substitution[other][one]) << one << ", " << other;
    }
    for (std::size_t known = 0; known + 1 < residues; ++known) EXPECT_GE(substitution[known][known], 4) << known;
}

TEST(alignment, scores_by_hand) {
    // W scores 11 against itself, and A scores 4. A gap of length 1 costs 11, a gap of length 3 costs 13.
    EXPECT_EQ(score_of(sequence_of("WAW"), sequence_of("WAW")), 26);
    EXPECT_EQ(score_of(sequence_of("WAW"), sequence_of("WW")), 22 - 11);
    EXPECT_EQ(score_of(sequence_of("WW"), sequence_of("WAAAW")), 22 - 13);
    EXPECT_EQ(score_of(sequence_of("W"), sequence_of("A")), -3);
    EXPECT_EQ(score_of(sequence_of("X"), sequence_of("W")), -1);
}

TEST(alignment, agrees_with_full_matrices) {
    seeded_random random(7);
    for (int round = 0; round < 300; ++round) {
        sequence across(1 + random.below(40));
        sequence down(1 + random.below(40));
        // Few different residues, so that long matches and long gaps occur.
        for (std::uint8_t& residue : across) residue = static_cast<std::uint8_t>(random.below(2 + random.below(19)));
        for (std::uint8_t& residue : down) residue = static_cast<std::uint8_t>(random.below(2 + random.below(19)));
        ASSERT_EQ(score_of(across, down), reference_score(across, down)) << "round " << round;
        ASSERT_EQ(score_of(across, down), score_of(down, across)) << "round " << round;
    }
}

TEST(alignment, the_longest_sequences_fit) {
    const sequence longest(longest_sequence, 0);
    EXPECT_EQ(score_of(longest, longest), 4 * static_cast<std::int32_t>(longest_sequence));
}

TEST(alignment, scores_every_pair_once) {
    for (const int sequences : {2, 3, 4, 7, 10}) {
        const problem input = make_problem(sequences);
        const result found = score_on_stack(input);
        const auto count = static_cast<std::uint64_t>(sequences);
        EXPECT_EQ(found.pairs, count * (count - 1) / 2) << sequences;
        EXPECT_EQ(found.tasks, number_of_tasks(input)) << sequences;
        EXPECT_EQ(found.checksum, reference_checksum(input)) << sequences;
        EXPECT_TRUE(checked(input, 0, found).verified) << sequences;
    }
}

TEST(alignment, waiting_tasks_score_every_pair_once) {
    for (const int sequences : {2, 3, 4, 7, 10}) {
        const problem input = make_problem(sequences);
        const result found = waiting_step<serial_forks>(input, first_task(input));
        EXPECT_TRUE(checked(input, 0, found).verified) << sequences;
    }
}

TEST(alignment, wrong_results_are_not_verified) {
    const problem input = make_problem(4);
    result found = score_on_stack(input);
    ++found.checksum;
    EXPECT_FALSE(checked(input, 0, found).verified);
    --found.checksum;
    --found.pairs;
    EXPECT_FALSE(checked(input, 0, found).verified);
}

TEST(alignment, reads_fasta) {
    const written_file file("Number of sequences is 2\n\n>one\r\nAR\r\nND\n>two [A]\nwwZ\n");
    const problem input = read_problem(file.path());
    ASSERT_EQ(input.sequences.size(), 2U);
    EXPECT_EQ(input.sequences[0], sequence_of("ARND"));
    EXPECT_EQ(input.sequences[1], sequence_of("WWX"));
}

TEST(alignment, malformed_files_are_refused) {
    const std::string too_long(longest_sequence + 1, 'A');
    for (const std::string& text :
         {std::string(), std::string(">one\nAR\n>two\nND\n"), std::string("Number of sequences is 1\n>one\nAR\n"),
          std::string("Number of sequences is 3\n>one\nAR\n>two\nND\n"),
          std::string("Number of sequences is 2\nAR\n>one\nAR\n>two\nND\n"),
          std::string("Number of sequences is 2\n>one\nAR\n>two\n"),
          "Number of sequences is 2\n>one\nAR\n>two\n" + too_long + "\n"}) {
        const written_file file(text);
        EXPECT_THROW(read_problem(file.path()), usage_error) << text.substr(0, 60);
    }
    EXPECT_THROW(problem_of(of_size("1")), usage_error);
}

TEST(alignment, the_samples_can_be_read_and_are_scored_as_recorded) {
    const std::string path = sample_path("alignment/prot.20.aa");
    if (path.empty()) GTEST_SKIP() << "no sample prot.20.aa";
    const problem input = read_problem(path);
    EXPECT_EQ(input.sequences.size(), 20U);
    EXPECT_TRUE(checked(input, 0, score_on_stack(input)).verified);
    EXPECT_EQ(read_problem(sample_path("alignment/prot.100.aa")).sequences.size(), 100U);
}

}  // namespace
}  // namespace bench::alignment
