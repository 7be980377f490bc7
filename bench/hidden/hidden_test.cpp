// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hidden counts the functions that ran, on faces with a thread per task and without threads.
#include <bench/hidden/hidden.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

namespace bench::hidden {
namespace {

struct thread_per_task {
    template <class F> static void run(const parameters&, const F& f) { f(); }
    template <class F, class G> static void both(const F& f, const G& g) {
        std::thread other(g);
        f();
        other.join();
    }
    template <class F> static void loop(unsigned count, const F& f) {
        group all;
        for (unsigned index = 0; index < count; ++index) all.run([&f, index] { f(index); });
        all.wait();
    }
    template <class F> static void spread(const parameters&, unsigned count, const F& f) { loop(count + 1, f); }

    class group {
    public:
        template <class F> void run(const F& f) { threads_.emplace_back(f); }
        void wait() {
            for (std::thread& each : threads_) each.join();
            threads_.clear();
        }

    private:
        std::vector<std::thread> threads_;
    };
};

// Forgets the last iteration and the second function.
struct forgetful : thread_per_task {
    template <class F, class G> static void both(const F& f, const G&) { f(); }
    template <class F> static void loop(unsigned count, const F& f) { thread_per_task::loop(count - 1, f); }
};

parameters of(const char* variant) {
    parameters made = of_size("2");
    made.variant = variant;
    made.threads = 2;
    return made;
}

TEST(hidden, every_function_runs) {
    for (const char* variant : {"fork", "fork_tree", "sleeping_tree", "producer", "reduction", "barrier", "pipes",
                                "loop3_first", "loop100_last"}) {
        const outcome found = measured<thread_per_task>(of(variant));
        EXPECT_TRUE(found.verified) << variant << ": " << found.answer;
        EXPECT_GT(found.measures.at(0).values.at(0), 0) << variant;
    }
}

TEST(hidden, a_function_that_did_not_run_is_noticed) {
    for (const char* variant : {"fork", "sleeping_tree", "loop8_middle"})
        EXPECT_FALSE(measured<forgetful>(of(variant)).verified) << variant;
}

TEST(hidden, without_help_a_loop_takes_twice_the_least_time) {
    struct alone : thread_per_task {
        static void serial_loop(unsigned count, const std::function<void(unsigned)>& f) {
            for (unsigned index = 0; index < count; ++index) f(index);
        }
        static void loop(unsigned count, const std::function<void(unsigned)>& f) { serial_loop(count, f); }
    };
    // Each function takes its time at least.
    EXPECT_GE(measured<alone>(of("loop16_first")).measures.at(0).values.at(0), 2);
}

TEST(hidden, names_every_loop) {
    loop_shape shape{};
    ASSERT_TRUE(find_loop("loop16_middle", shape));
    EXPECT_EQ(shape.iterations, 16U);
    EXPECT_EQ(shape.long_one, 8U);
    EXPECT_FALSE(find_loop("fork", shape));
}

}  // namespace
}  // namespace bench::hidden
