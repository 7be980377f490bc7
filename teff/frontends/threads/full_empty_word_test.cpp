// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of words of memory, and the operations that wait, on threads without fibers.
#include <teff/frontends/threads/full_empty_word.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace {

TEST(full_empty_word, a_word_is_full_unless_it_was_emptied) {
    int word = 3;
    EXPECT_TRUE(teff::is_full(word));
    EXPECT_EQ(teff::read_ff(word), 3);
    teff::empty(word);
    EXPECT_FALSE(teff::is_full(word));
    EXPECT_EQ(word, 3);
    teff::fill(word);
    EXPECT_TRUE(teff::is_full(word));
}

TEST(full_empty_word, operations_leave_the_state_that_they_name) {
    long word = 0;
    teff::empty(word);
    teff::write_ef(word, 1);
    EXPECT_TRUE(teff::is_full(word));
    teff::write_ff(word, 2);
    EXPECT_EQ(teff::read_ff(word), 2);
    EXPECT_TRUE(teff::is_full(word));
    EXPECT_EQ(teff::read_fe(word), 2);
    EXPECT_FALSE(teff::is_full(word));
    EXPECT_EQ(teff::read_xx(word), 2);
    EXPECT_FALSE(teff::is_full(word));
    teff::write_xf(word, 4);
    EXPECT_TRUE(teff::is_full(word));
    EXPECT_EQ(word, 4);
}

struct three_bytes {
    char bytes[3];
};

TEST(full_empty_word, words_of_any_size_have_states_of_their_own) {
    three_bytes array[3] = {{"ab"}, {"cd"}, {"ef"}};
    teff::empty(array[1]);
    EXPECT_TRUE(teff::is_full(array[0]));
    EXPECT_TRUE(teff::is_full(array[2]));
    teff::write_ef(array[1], {"xy"});
    EXPECT_EQ(teff::read_fe(array[1]).bytes[1], 'y');
    EXPECT_STREQ(array[2].bytes, "ef");
    teff::fill(array[1]);
}

// Each operation waits in a thread of its own until this thread changes the state.
TEST(full_empty_word, wakes_what_waits) {
    int word = 1;
    std::thread writer([&] { teff::write_ef(word, 2); });
    EXPECT_EQ(teff::read_fe(word), 1);
    writer.join();
    EXPECT_EQ(teff::read_fe(word), 2);

    int seen = 0;
    std::thread reader([&] { seen = teff::read_ff(word); });
    std::thread replacing([&] { teff::write_ff(word, 3); });
    teff::fill(word);
    reader.join();
    replacing.join();
    EXPECT_TRUE(seen == 2 || seen == 3) << seen;
    EXPECT_EQ(word, 3);

    std::thread filling([&] { teff::write_ef(word, 4); });
    teff::empty(word);
    filling.join();
    EXPECT_EQ(teff::read_ff(word), 4);
}

TEST(full_empty_word, many_words_at_once) {
    constexpr std::size_t count = 10'000;
    std::vector<std::size_t> words(count);
    for (std::size_t& each : words)
        teff::empty(each);
    std::thread writer([&] {
        for (std::size_t i = 0; i < count; ++i)
            teff::write_ef(words[count - 1 - i], i);
    });
    for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(teff::read_ff(words[i]), count - 1 - i);
    writer.join();
}

}  // namespace
