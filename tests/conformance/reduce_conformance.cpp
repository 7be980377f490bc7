// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions give the right result on every scheduler, for various shapes of work and types of tasks, results and
// bodies.
//
// Exceptions are tested in reduce_failure_conformance.cpp; nested and concurrent calls, options and stopping are
// tested in reduce_call_conformance.cpp.
#include <tests/conformance/each_choice.hpp>

#include <teff/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

enum class shape { tree, chain, wide, fibonacci, leaf };

// Tasks that are plain numbers. A task i below `size` contributes i + 1; in a Fibonacci tree only the leaves
// contribute.
struct spread {
    shape form;
    std::size_t size;

    template <class Pool>
    long operator()(Pool& pool, std::size_t number) const {
        if (form == shape::fibonacci) {
            if (number < 2)
                return static_cast<long>(number);
            pool.enq(number - 1);
            pool.enq(number - 2);
            return 0;
        }
        std::size_t first = number + 1;
        std::size_t end = first;
        if (form == shape::tree)
            end = (first = 2 * number + 1) + 2;
        else if (form == shape::chain)
            end = first + 1;
        else if (form == shape::wide && number == 0)
            end = size;
        for (std::size_t next = first; next < end && next < size; ++next)
            pool.enq(next);
        return static_cast<long>(number) + 1;
    }
};

long sum_to(std::size_t size) { return static_cast<long>(size * (size + 1) / 2); }

class reduce_conformance : public each_choice {
protected:
    void expect_sums(shape form, std::size_t size, std::size_t size_for_many_threads) {
        for (const long threads : thread_counts) {
            SCOPED_TRACE(std::to_string(threads) + " threads");
            const std::size_t now = threads > 5 ? size_for_many_threads : size;
            EXPECT_EQ(teff::reduce_tasks(with_threads(threads), spread{form, now}, std::size_t{0}), sum_to(now));
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, reduce_conformance, testing::ValuesIn(all_rows()), row_names());

TEST_P(reduce_conformance, a_tree_of_calls) {
    constexpr std::size_t n = 24;
    constexpr long expected = 46368;
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        EXPECT_EQ(teff::reduce_tasks(with_threads(threads), spread{shape::fibonacci, 0}, n), expected);
    }
}
TEST_P(reduce_conformance, a_binary_tree) { expect_sums(shape::tree, 100'000, 5'000); }
TEST_P(reduce_conformance, a_chain) { expect_sums(shape::chain, 20'000, 500); }
TEST_P(reduce_conformance, one_producer) { expect_sums(shape::wide, 1'000'000, 20'000); }
TEST_P(reduce_conformance, a_single_task) { expect_sums(shape::leaf, 1, 1); }

// All other tests run in the common form, unless the scheduler is `demand`.
TEST_P(reduce_conformance, with_every_scheduler_compiled_into_the_call) {
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        const long sum = teff::reduce_tasks<teff::every_scheduler>(with_threads(threads), spread{shape::tree, 5'000},
                                                                   std::size_t{0});
        EXPECT_EQ(sum, sum_to(5'000));
    }
}

// A task of N bytes that may be copied like memory: queues hold it in an item of 8, 16, 32 or 64 bytes, or, if it is
// larger, its address.
template <std::size_t N>
struct bytes {
    unsigned char all[N];

    static bytes of(unsigned number) {
        bytes made;
        for (std::size_t i = 0; i < N; ++i)
            made.all[i] = static_cast<unsigned char>(number + i);
        return made;
    }
    bool is_whole() const {
        for (std::size_t i = 0; i < N; ++i)
            if (all[i] != static_cast<unsigned char>(all[0] + i))
                return false;
        return true;
    }
};

// A full tree of depth 7; the results count the tasks that arrived whole.
struct carry {
    template <class Pool, std::size_t N>
    long operator()(Pool& pool, const bytes<N>& task) const {
        if (task.all[0] < 7) {
            pool.enq(bytes<N>::of(task.all[0] + 1U));
            const auto again = bytes<N>::of(task.all[0] + 1U);
            pool.enq(again);
        }
        return task.is_whole() ? 1 : 0;
    }
};

template <std::size_t... N>
void expect_whole(const teff::options& call, std::index_sequence<N...>) {
    const long found[] = {teff::reduce_tasks(call, carry{}, bytes<N>::of(0))...};
    const std::size_t sizes[] = {N...};
    for (std::size_t i = 0; i < sizeof...(N); ++i)
        EXPECT_EQ(found[i], 255) << "tasks of " << sizes[i] << " bytes";
}

TEST_P(reduce_conformance, tasks_of_all_sizes) {
    for (const long threads : {1L, 5L})
        expect_whole(with_threads(threads), std::index_sequence<1, 8, 9, 16, 32, 33, 64, 65>{});
}

// The first tasks are given as a range.
TEST_P(reduce_conformance, several_first_tasks) {
    const spread body{shape::leaf, 0};
    const std::vector<std::size_t> numbers = [] {
        std::vector<std::size_t> result(1000);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = i;
        return result;
    }();
    const std::list<std::size_t> listed(numbers.begin(), numbers.end());
    for (const long threads : {1L, 5L}) {
        const teff::options call = with_threads(threads);
        EXPECT_EQ(teff::reduce_tasks(call, body, teff::from_range, numbers), sum_to(1000));
        EXPECT_EQ(numbers[999], 999U);
        EXPECT_EQ(teff::reduce_tasks(call, body, teff::from_range, listed), sum_to(1000));
        EXPECT_EQ(teff::reduce_tasks(call, body, teff::from_range, std::vector<std::size_t>{4, 5}), 11);
        EXPECT_EQ(teff::reduce_tasks(call, body, teff::from_range, std::vector<std::size_t>{}), 0);
    }
}

// The number of tasks in one call, if the tasks themselves are expensive.
constexpr int tree_size = 2'000;

// A result with two components, which are combined in different ways.
struct extent {
    long count = 0;
    long largest = -1;
    extent& operator+=(const extent& other) {
        count += other.count;
        largest = std::max(largest, other.largest);
        return *this;
    }
};

// The body takes the task as an lvalue only, as in the paper's loop, and the task is large.
struct measure {
    std::uint32_t size;

    template <class Pool>
    extent operator()(Pool& pool, tracked<alignof(void*), 1024>& self) const {
        const std::uint32_t number = self.number();
        for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < size; ++next)
            pool.enq(tracked<alignof(void*), 1024>(next));
        return {1, static_cast<long>(number)};
    }
};

TEST_P(reduce_conformance, big_tasks_taken_as_lvalues_with_a_result_of_two_parts) {
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        const extent found =
            teff::reduce_tasks(with_threads(threads), measure{tree_size}, tracked<alignof(void*), 1024>(0));
        EXPECT_EQ(found.count, tree_size);
        EXPECT_EQ(found.largest, tree_size - 1);
    }
    tracked<alignof(void*), 1024>::expect_none_alive();
}

// A body that cannot be copied and returns nothing. The call moves it, so the counts are stored outside of it.
struct mark_off {
    std::unique_ptr<std::vector<std::atomic<int>>*> counts;

    template <class Pool>
    void operator()(Pool& pool, tracked<256>&& self) {
        std::vector<std::atomic<int>>& all = **counts;
        const std::uint32_t number = self.number();
        ++all[number];
        for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < all.size(); ++next)
            pool.enq(tracked<256>(next));
    }
};
static_assert(!std::is_copy_constructible_v<mark_off>);

TEST_P(reduce_conformance, over_aligned_tasks_with_a_body_that_cannot_be_copied_and_no_result) {
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        std::vector<std::atomic<int>> counts(tree_size);
        mark_off body{std::make_unique<std::vector<std::atomic<int>>*>(&counts)};
        static_assert(
            std::is_void_v<decltype(teff::reduce_tasks(with_threads(threads), std::move(body), tracked<256>(0)))>);
        teff::reduce_tasks(with_threads(threads), std::move(body), tracked<256>(0));
        EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), tree_size);
    }
    tracked<256>::expect_none_alive();
}

// How many of the tasks of a call have begun, and how many sums that are not neutral were added to each other.
std::atomic<unsigned> started{0}, combined{0};

void wait_until(std::atomic<unsigned>& count, unsigned wanted, const char* what) {
    const auto begin = std::chrono::steady_clock::now();
    while (count < wanted) {
        if (std::chrono::steady_clock::now() - begin > std::chrono::minutes(2)) {
            ADD_FAILURE() << "waited in vain until " << what;
            return;
        }
        std::this_thread::yield();
    }
}

// The number of tasks that it was made of. The first combination is long; the second one waits for the third one.
struct long_sum {
    unsigned tasks = 0;
    long_sum& operator+=(const long_sum& other) {
        if (tasks != 0 && other.tasks != 0) {
            if (combined.fetch_add(1) == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            else
                wait_until(combined, 3, "two threads combine");
        }
        tasks += other.tasks;
        return *this;
    }
};

// The tasks wait for each other, so that each of them is run by another member.
TEST(reduce_combination, long_partial_results_are_combined_by_several_threads) {
    constexpr unsigned members = 8;
    started = combined = 0;
    const auto body = [](auto&, int) {
        ++started;
        wait_until(started, members, "all tasks run");
        return long_sum{1};
    };
    const long_sum found = teff::reduce_tasks({.threads = members, .scheduler = "blaze"}, body, teff::from_range,
                                              std::vector<int>(members));
    EXPECT_EQ(found.tasks, members);
    EXPECT_EQ(combined, members - 1);
}

// A result that can only be moved: the numbers that were seen.
class collection {
public:
    collection() = default;
    explicit collection(int number) : numbers_(std::make_unique<std::vector<int>>(1, number)) {}
    collection& operator+=(collection&& other) {
        if (!other.numbers_)
            return *this;
        if (!numbers_)
            numbers_ = std::make_unique<std::vector<int>>();
        numbers_->insert(numbers_->end(), other.numbers_->begin(), other.numbers_->end());
        return *this;
    }
    std::vector<int> sorted() const {
        std::vector<int> result = numbers_ ? *numbers_ : std::vector<int>{};
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    std::unique_ptr<std::vector<int>> numbers_;
};

struct collect {
    int size;

    template <class Pool>
    collection operator()(Pool& pool, std::unique_ptr<int> self) const {
        for (int next = 2 * *self + 1; next < 2 * *self + 3 && next < size; ++next)
            pool.enq(std::make_unique<int>(next));
        return collection(*self);
    }
};

TEST_P(reduce_conformance, tasks_and_results_that_can_only_be_moved) {
    std::vector<int> all(tree_size);
    for (int i = 0; i < tree_size; ++i)
        all[static_cast<std::size_t>(i)] = i;
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        const collection found =
            teff::reduce_tasks(with_threads(threads), collect{tree_size}, std::make_unique<int>(0));
        EXPECT_EQ(found.sorted(), all);
    }
    std::vector<std::unique_ptr<int>> first;
    for (int i = 0; i < 10; ++i)
        first.push_back(std::make_unique<int>(i));
    const collection found =
        teff::reduce_tasks(with_threads(2), collect{0}, teff::from_range, std::move(first));
    EXPECT_EQ(found.sorted(), std::vector<int>(all.begin(), all.begin() + 10));
}

// The result's += is concatenation, so only the multiset of its parts is determined.
struct spell {
    template <class Pool>
    std::string operator()(Pool& pool, const std::string& word) const {
        for (std::size_t i = 1; i < word.size() && word.size() > 1; i *= 2)
            pool.enq(word.substr(i, i));
        return word.substr(0, 1);
    }
};

TEST_P(reduce_conformance, concatenated_results_hold_every_part_once) {
    std::string word;
    for (int i = 0; i < 512; ++i)
        word += static_cast<char>('a' + i % 26);
    std::string letters = word;
    std::sort(letters.begin(), letters.end());
    for (const long threads : thread_counts) {
        SCOPED_TRACE(threads);
        std::string found = teff::reduce_tasks(with_threads(threads), spell{}, word);
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, letters);
    }
}

}  // namespace
