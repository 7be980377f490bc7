// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// schedule(simd: runtime): whatever the schedule is, all chunks but the last have a multiple of the vector length.
#include "regions.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace {

using openmp_calls::function;
using openmp_calls::in_region;

constexpr std::int32_t runtime_simd = 47, last = 26, length = 4;

// The first and last iterations of the chunks that four threads get.
std::vector<std::pair<std::int32_t, std::int32_t>> chunks_with(std::uint32_t kind, int chunk) {
    function<void(std::uint32_t, int)>("omp_set_schedule")(kind, chunk);
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    std::mutex guard;
    in_region(4, [&] {
        function<void(void*, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t)>(
            "__kmpc_dispatch_init_4")(nullptr, 0, runtime_simd, 0, last, 1, length);
        std::int32_t from = 0, to = 0, step = 0;
        while (function<int(void*, std::int32_t, std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*)>(
                   "__kmpc_dispatch_next_4")(nullptr, 0, nullptr, &from, &to, &step) != 0) {
            const std::lock_guard hold(guard);
            found.emplace_back(from, to);
        }
    });
    std::sort(found.begin(), found.end());
    return found;
}

TEST(openmp_simd_schedule, chunks_are_multiples_of_the_vector_length) {
    for (const std::uint32_t kind : {1U, 2U, 3U, 4U})
        for (const int chunk : {0, 1, 2}) {
            std::int32_t next = 0;
            for (const auto& [from, to] : chunks_with(kind, chunk)) {
                EXPECT_EQ(from, next);
                EXPECT_TRUE(to == last || (to + 1 - from) % length == 0) << from << " to " << to << ", kind " << kind;
                next = to + 1;
            }
            EXPECT_EQ(next, last + 1);
        }
}

TEST(openmp_simd_schedule, static_without_a_chunk_and_auto_give_each_thread_one) {
    EXPECT_EQ(chunks_with(1, 0).size(), 4U);
    EXPECT_EQ(chunks_with(4, 0).size(), 4U);
}

}  // namespace
