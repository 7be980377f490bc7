// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions in two halves, as compilers before GCC 4.9 called them: the opener calls the function itself between them.
#include "functions.hpp"
#include "regions.hpp"

#include <atomic>
#include <string>

namespace {

using openmp_calls::function, openmp_calls::num_threads, openmp_calls::thread_num;

// What the threads of a region leave.
struct roll {
    std::atomic<unsigned> numbers{0};  // a bit for each thread
    std::atomic<int> size{0};
    std::atomic<long> sum{0};

    static void answer(void* argument) {
        auto& self = *static_cast<roll*>(argument);
        self.numbers.fetch_or(1U << thread_num());
        self.size.store(num_threads());
        function<void()>("GOMP_barrier")();
    }
    // The chunks of a loop from 0 to 99 that the region has begun.
    template <const char* Next>
    static void add_chunks(void* argument) {
        auto& self = *static_cast<roll*>(argument);
        for (long first = 0, end = 0; function<bool(long*, long*)>(Next)(&first, &end);)
            for (long i = first; i < end; ++i)
                self.sum.fetch_add(i);
        function<void()>("GOMP_loop_end_nowait")();
    }
};
using region_function = void (*)(void*);

void in_two_halves(unsigned threads, roll& call) {
    function<void(region_function, void*, unsigned)>("GOMP_parallel_start")(&roll::answer, &call, threads);
    roll::answer(&call);
    function<void()>("GOMP_parallel_end")();
}

TEST(openmp_parallel_start, calls_the_function_on_all_other_threads) {
    for (const unsigned threads : {1U, 2U, 4U, 3U, 1U}) {
        SCOPED_TRACE(threads);
        roll call;
        in_two_halves(threads, call);
        EXPECT_EQ(call.numbers.load(), (1U << threads) - 1);
        EXPECT_EQ(call.size.load(), static_cast<int>(threads));
        EXPECT_EQ(num_threads(), 1) << "outside of the region";
    }
}

TEST(openmp_parallel_start, regions_may_be_nested) {
    function<void(int)>("omp_set_max_active_levels")(2);
    openmp_calls::in_region(2, [] {
        for (int round = 0; round < 3; ++round) {
            roll call;
            in_two_halves(2, call);
            EXPECT_EQ(call.numbers.load(), 3U);
            EXPECT_EQ(num_threads(), 2);
        }
    });
    function<void(int)>("omp_set_max_active_levels")(1);
}

constexpr char static_next[] = "GOMP_loop_static_next", dynamic_next[] = "GOMP_loop_dynamic_next",
               guided_next[] = "GOMP_loop_guided_next", runtime_next[] = "GOMP_loop_runtime_next";

template <const char* Next>
void expect_whole_loop(const char* start) {
    roll call;
    const region_function body = &roll::add_chunks<Next>;
    if (std::string(start).find("runtime") != std::string::npos)
        function<void(region_function, void*, unsigned, long, long, long)>(start)(body, &call, 3, 0, 100, 1);
    else
        function<void(region_function, void*, unsigned, long, long, long, long)>(start)(body, &call, 3, 0, 100, 1, 7);
    body(&call);
    function<void()>("GOMP_parallel_end")();
    EXPECT_EQ(call.sum.load(), 99 * 100 / 2) << start;
}
TEST(openmp_parallel_start, begins_a_loop) {
    expect_whole_loop<static_next>("GOMP_parallel_loop_static_start");
    expect_whole_loop<dynamic_next>("GOMP_parallel_loop_dynamic_start");
    expect_whole_loop<guided_next>("GOMP_parallel_loop_guided_start");
    expect_whole_loop<runtime_next>("GOMP_parallel_loop_runtime_start");
}

TEST(openmp_parallel_start, begins_sections) {
    static std::atomic<unsigned> run{0};
    const region_function body = [](void*) {
        while (const unsigned section = function<unsigned()>("GOMP_sections_next")())
            run.fetch_add(1U << section);
        function<void()>("GOMP_sections_end_nowait")();
    };
    function<void(region_function, void*, unsigned, unsigned)>("GOMP_parallel_sections_start")(body, nullptr, 2, 3);
    body(nullptr);
    function<void()>("GOMP_parallel_end")();
    EXPECT_EQ(run.load(), 2U + 4U + 8U);
}

}  // namespace
