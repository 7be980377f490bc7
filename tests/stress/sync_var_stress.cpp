// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty variables, and words of memory, with many fibers and some threads that write and read them: each value
// that was written is read once, and what its writer did before is seen.
//
// Every variable has as many writers as readers, and all of them make the same number of operations. So all end.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t variables = 3, fibers_each = 20, threads_each = 1;
constexpr std::size_t writers = variables * (fibers_each + threads_each);

using variable = teff::sync_var<std::uint64_t>;

// The same operations on a word of memory.
class word_as_variable {
public:
    word_as_variable() { teff::empty(word_); }
    ~word_as_variable() { teff::fill(word_); }
    word_as_variable(const word_as_variable&) = delete;
    word_as_variable& operator=(const word_as_variable&) = delete;

    void write_ef(std::uint64_t value) { teff::write_ef(word_, value); }
    std::uint64_t read_fe() { return teff::read_fe(word_); }
    bool is_full() const { return teff::is_full(word_); }
    static const char* check_invariants() { return nullptr; }

private:
    std::uint64_t word_ = 0;
};

template <class Variable>
class full_empty_run {
public:
    explicit full_empty_run(std::uint64_t values_each)
        : each_(values_each), delivered_(writers * values_each),
          written_(static_cast<std::size_t>(writers * values_each)) {}

    void run() {
        std::vector<teff::fiber> fibers;
        std::vector<std::thread> threads;
        std::uint64_t next = 0;
        for (Variable& each : variables_) {
            for (std::size_t i = 0; i < fibers_each + threads_each; ++i) {
                const auto write_all = [this, &each, first = next] { write(each, first); };
                const auto read_all = [this, &each] { read(each); };
                next += each_;
                if (i < threads_each) {
                    threads.emplace_back(write_all);
                    threads.emplace_back(read_all);
                } else {
                    fibers.emplace_back(write_all);
                    fibers.emplace_back(read_all);
                }
            }
        }
        for (teff::fiber& each : fibers)
            each.join();
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the joins.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        for (Variable& each : variables_) {
            EXPECT_FALSE(each.is_full());
            EXPECT_EQ(each.check_invariants(), nullptr);
        }
    }

private:
    void write(Variable& to, std::uint64_t first) {
        for (std::uint64_t identity = first; identity < first + each_; ++identity) {
            written_[static_cast<std::size_t>(identity)] = ~identity;
            to.write_ef(identity);
            if (identity % 7 == 0)
                teff::this_fiber::yield();
        }
    }
    void read(Variable& from) {
        for (std::uint64_t i = 0; i < each_; ++i) {
            const std::uint64_t identity = from.read_fe();
            const bool is_right = delivered_.deliver(identity) &&
                                  written_[static_cast<std::size_t>(identity)] == ~identity;
            // relaxed: read after the joins.
            mistakes_.fetch_add(is_right ? 0 : 1, std::memory_order_relaxed);
        }
    }

    const std::uint64_t each_;
    Variable variables_[variables];
    stress::identities delivered_;
    std::vector<std::uint64_t> written_;  // ordinary memory
    teff::atomic<unsigned> mistakes_{0};
};

// An operation that waits takes a hundred times as long as one on a queue.
std::uint64_t values_each() { return stress::operations() / 100 / writers; }

TEST(sync_var_stress, one_thread_and_threads_outside) {
    teff::execute({.threads = 1}, [] { full_empty_run<variable>(values_each() / 4).run(); });
}
TEST(sync_var_stress, several_threads_by_default) {
    teff::execute({.threads = 4}, [] { full_empty_run<variable>(values_each()).run(); });
}
TEST(sync_var_stress, several_threads_that_deal_tasks_out) {
    teff::execute({.threads = 4, .scheduler = "nemesis"}, [] { full_empty_run<variable>(values_each()).run(); });
}

TEST(full_empty_word_stress, one_thread_and_threads_outside) {
    teff::execute({.threads = 1}, [] { full_empty_run<word_as_variable>(values_each() / 4).run(); });
}
TEST(full_empty_word_stress, several_threads_by_default) {
    teff::execute({.threads = 4}, [] { full_empty_run<word_as_variable>(values_each()).run(); });
}

}  // namespace
