// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compression stores each distinct chunk once, also when hashes collide; the archive gives the input back; damage and a
// task that did not run are noticed.
#include <bench/compression/compression.hpp>

#include <bench/dataflow/skipping_face.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace bench::compression {
namespace {

const workload& small() {
    static const workload made(of_size("1x50"));
    return made;
}

chunk_list chunks_of(chunk_table& table, std::string_view input) {
    chunk_list all;
    refine<serial_face>(table, input, all);
    return all;
}

TEST(compression, the_archive_gives_the_input_back) {
    for (const char* size : {"1x0", "1x50", "1x95"}) {
        const outcome result = measured<serial_face>(of_size(size));
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", but " << result.expected;
        EXPECT_GT(value_of(result, "megabytes"), 0);
        EXPECT_GT(result.tasks, 1'000'000 / fine_cuts.most);
    }
}

TEST(compression, the_input_has_repeated_parts) {
    const auto stored_bytes = [](const char* size) {
        chunk_table table;
        archive output;
        const workload given(of_size(size));
        output.append(chunks_of(table, given.input));
        return output.bytes.size();
    };
    const std::size_t without = stored_bytes("1x0");
    EXPECT_LT(without, 800'000U);
    EXPECT_GT(without, 200'000U);
    EXPECT_LT(stored_bytes("1x50"), without * 8 / 10);
}

TEST(compression, cuts_depend_on_the_content) {
    const std::string_view input = small().input;
    std::vector<std::string_view> chunks;
    for (std::size_t begin = 0; begin < input.size();) {
        const std::size_t end = fine_cuts.end_of(input, begin);
        chunks.push_back(input.substr(begin, end - begin));
        if (end != input.size()) {
            EXPECT_GE(end - begin, fine_cuts.least);
        }
        EXPECT_LE(end - begin, fine_cuts.most);
        begin = end;
    }
    EXPECT_GT(chunks.size(), 1'000'000 / fine_cuts.most);
    // After an insertion at the front the chunks soon are the same again.
    const std::string moved = "inserted" + std::string(input);
    chunk_table table;
    const chunk_list same = chunks_of(table, moved);
    const std::size_t compared = chunks.size() * 9 / 10;
    ASSERT_GE(same.size(), compared);
    for (std::size_t back = 1; back <= compared; ++back)
        EXPECT_EQ(same[same.size() - back]->content(), chunks[chunks.size() - back]) << back;
}

TEST(compression, a_chunk_is_stored_once) {
    chunk_table table;
    archive output;
    chunk* const one = &table.add("one");
    chunk* const other = &table.add("other");
    EXPECT_EQ(&table.add("one"), one);
    EXPECT_NE(one, other);
    output.append({one, other, one});
    output.append({one});
    EXPECT_EQ(output.stored, 2U);
    EXPECT_EQ(output.all, 4U);
    EXPECT_EQ(restored(output.bytes), "oneotheroneone");
}

TEST(compression, equal_hashes_do_not_make_chunks_equal) {
    chunk_table table;
    archive output;
    chunk* const one = &table.add("one", 7);
    chunk* const other = &table.add("other", 7);
    EXPECT_NE(one, other);
    EXPECT_EQ(&table.add("other", 7), other);
    output.append({other, one});
    EXPECT_EQ(restored(output.bytes), "otherone");
}

TEST(compression, threads_may_add_the_same_chunk) {
    chunk_table table;
    chunk_list of_second;
    std::thread second([&] { of_second = chunks_of(table, small().input); });
    const chunk_list of_first = chunks_of(table, small().input);
    second.join();
    EXPECT_EQ(of_first, of_second);
    archive output;
    output.append(of_first);
    EXPECT_TRUE(restored(output.bytes) == small().input);
}

TEST(compression, a_task_that_did_not_run_is_noticed) {
    // Two tasks per coarse chunk.
    const std::uint64_t least = 2 * (1'000'000 / coarse_cuts.most);
    skipping_face::skipped = ~std::uint64_t{0};
    EXPECT_TRUE(measured<skipping_face>(of_size("1x50")).verified);
    const std::uint64_t tasks = skipping_face::spawned;
    EXPECT_GE(tasks, least);
    for (std::uint64_t task = 0; task < tasks; ++task) {
        skipping_face::skipped = task;
        EXPECT_FALSE(measured<skipping_face>(of_size("1x50")).verified) << task;
    }
}

TEST(compression, damage_is_noticed) {
    chunk_table table;
    archive good;
    good.append(chunks_of(table, small().input.substr(0, 100'000)));
    workload given = small();
    given.input.resize(100'000);
    // The whole input is one coarse chunk.
    EXPECT_TRUE(checked(given, good, 1).verified);
    for (const std::size_t at : {std::size_t{0}, std::size_t{2}, std::size_t{6}, good.bytes.size() / 2}) {
        archive damaged = good;
        damaged.bytes[at] = static_cast<char>(damaged.bytes[at] ^ 1);
        EXPECT_FALSE(checked(given, damaged, 1).verified) << at;
    }
    archive shorter = good;
    shorter.bytes.pop_back();
    EXPECT_FALSE(checked(given, shorter, 1).verified);
    archive no_repeats = good;
    ++no_repeats.stored;
    EXPECT_FALSE(checked(given, no_repeats, 1).verified);
    EXPECT_THROW(restored("R????"), std::exception);
}

TEST(compression, sizes_out_of_range_are_refused) {
    for (const char* size : {"0x5", "5", "5x96", "5000x5"}) EXPECT_THROW(workload(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::compression
