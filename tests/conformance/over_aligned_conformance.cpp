// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results with a larger alignment than any cache line, on every scheduler: wherever the runtime keeps a value, it is
// aligned as its type asks. `tracked` checks its address whenever it is used.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_scan.hpp>
#include <teff/parallel_sort.hpp>
#include <teff/parallel_transform.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/spawn.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using namespace conformance;

using wide = tracked<256>;

// Copyable, with the operations of a sum.
struct number : wide {
    explicit number(std::uint32_t n = 0) noexcept : wide(n) {}
    number(number&&) = default;
    number& operator=(number&&) = default;
    number(const number& other) : wide(other.wide::number()) {}
    number& operator=(const number& other) { return *this = number(other); }

    std::uint32_t get() const { return wide::number(); }
    number& operator+=(const number& other) { return *this = number(get() + other.get()); }
    friend number operator+(const number& a, const number& b) { return number(a.get() + b.get()); }
    friend bool operator<(const number& a, const number& b) { return a.get() < b.get(); }
};
static_assert(alignof(number) == 256);

class over_aligned_on : public each_choice {
protected:
    void TearDown() override { wide::expect_none_alive(); }
    // Within a team, with one thread and with several.
    template <class F>
    void in_teams(F f) {
        for (const long threads : {1L, 4L})
            teff::execute(with_threads(threads), f);
    }
};

INSTANTIATE_TEST_SUITE_P(, over_aligned_on, testing::ValuesIn(all_rows()), row_names());

number tree(std::uint32_t leaves) {
    if (leaves == 1)
        return number(1);
    auto [low, high] = teff::fork_join([=] { return tree(leaves / 2); },
                                       [=] { return tree(leaves - leaves / 2); });
    return low + high;
}

TEST_P(over_aligned_on, forks_return_it) {
    in_teams([] {
        EXPECT_EQ(tree(500).get(), 500U);
        const auto [a, b, c] = teff::fork_join([] { return number(1); }, [n = number(2)] { return n; },
                                               [] { return number(3); });
        EXPECT_EQ((a + b + c).get(), 6U);
    });
    EXPECT_EQ(teff::execute(with_threads(2), [] { return number(7); }).get(), 7U);
}

TEST_P(over_aligned_on, handles_and_groups_hold_it) {
    in_teams([] {
        std::vector<teff::handle<number>> all;
        for (std::uint32_t i = 0; i < 50; ++i)
            all.push_back(teff::spawn([n = number(i)] { return n; }));
        std::uint32_t sum = 0;
        for (teff::handle<number>& each : all)
            sum += each.get().get();
        EXPECT_EQ(sum, 50U * 49 / 2);
        teff::reducer<number> shared;
        teff::ordered_reducer<number> ordered;
        teff::task_group group;
        for (std::uint32_t i = 0; i < 50; ++i)
            group.run([&, n = number(i)] {
                *shared += n;
                *ordered += n;
            });
        group.wait();
        EXPECT_EQ(shared.get().get(), 50U * 49 / 2);
        EXPECT_EQ(ordered->get(), 50U * 49 / 2);
    });
}

TEST_P(over_aligned_on, algorithms_compute_with_it) {
    in_teams([] {
        constexpr std::uint32_t count = 1000;
        std::vector<std::uint32_t> from(count);
        for (std::uint32_t i = 0; i < count; ++i)
            from[i] = count - i;
        std::vector<number> values(count), sums(count);
        teff::parallel_transform(from.begin(), from.end(), values.begin(), [](std::uint32_t n) { return number(n); });
        EXPECT_EQ(values[0].get(), count);
        EXPECT_EQ(teff::parallel_reduce(values, number(0), std::plus<>()).get(), count * (count + 1) / 2);
        EXPECT_EQ(teff::parallel_deterministic_reduce(values, number(0), std::plus<>()).get(),
                  count * (count + 1) / 2);
        teff::parallel_inclusive_scan(values.begin(), values.end(), sums.begin());
        EXPECT_EQ(sums.back().get(), count * (count + 1) / 2);
        teff::parallel_sort(values.begin(), values.end());
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
        std::reverse(values.begin(), values.end());
        teff::parallel_stable_sort(values.begin(), values.end());
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    });
}

TEST_P(over_aligned_on, pipelines_carry_it) {
    in_teams([] {
        using teff::filter_mode;
        std::uint32_t next = 0, sum = 0;
        teff::parallel_pipeline(4,
            teff::make_filter<void, number>(filter_mode::serial_in_order, [&](teff::flow_control& flow) {
                if (next == 100)
                    flow.stop();
                return number(next++);
            }) &
            teff::make_filter<number, void>(filter_mode::serial_in_order, [&](const number& n) { sum += n.get(); }));
        EXPECT_EQ(sum, 100U * 99 / 2);
    });
}

TEST_P(over_aligned_on, reductions_add_it_up) {
    const auto halve = [](auto& pool, std::uint32_t n) {
        if (n > 1) {
            pool.enq(n / 2);
            pool.enq(n - n / 2);
        }
        return number(n == 1 ? 1 : 0);
    };
    const auto halve_number = [&](auto& pool, number n) {
        if (n.get() > 1) {
            pool.enq(number(n.get() / 2));
            pool.enq(number(n.get() - n.get() / 2));
        }
        return number(n.get() == 1 ? 1 : 0);
    };
    for (const long threads : {1L, 4L}) {
        EXPECT_EQ(teff::reduce_tasks(with_threads(threads), halve, std::uint32_t{1000}).get(), 1000U);
        EXPECT_EQ(teff::reduce_tasks(with_threads(threads), halve_number, number(1000)).get(), 1000U);
    }
}

}  // namespace
