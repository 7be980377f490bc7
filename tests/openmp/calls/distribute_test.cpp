// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are divided among teams and threads by one call: each iteration is in one part.
#include "regions.hpp"

#include <atomic>

namespace {

using openmp_calls::function;
using openmp_calls::in_league;
using openmp_calls::in_region;

constexpr std::int32_t team_count = 3, threads_of_each = 4;
constexpr std::int32_t static_chunked = 33, static_ = 34, dynamic = 35;

// What the parts of a loop from `first` to `last` have run.
class record {
public:
    record(std::int64_t first, std::int64_t last, std::int64_t step) : first_(first), last_(last), step_(step) {}
    void run(std::int64_t value) { ++runs_[static_cast<std::size_t>((value - first_) / step_)]; }
    void count_last(bool is_last) { last_parts_ += is_last ? 1 : 0; }
    void check(int last_parts) {
        const std::int64_t count = (last_ - first_) / step_ + 1;
        for (std::int64_t each = 0; each < most; ++each)
            EXPECT_EQ(runs_[static_cast<std::size_t>(each)], each < count ? 1 : 0)
                << "iteration " << each << " of " << first_ << " to " << last_;
        EXPECT_EQ(last_parts_, last_parts);
    }

private:
    static constexpr std::int64_t most = 128;
    const std::int64_t first_, last_, step_;
    std::atomic<int> runs_[most]{};
    std::atomic<int> last_parts_{0};
};

// A part as the compiler's code runs it.
template <class Value>
void run_part(record& in, Value first, Value last, Value stride, Value step, Value end, bool is_chunked) {
    const auto is_over = [step](Value value, Value bound) { return step > 0 ? value > bound : value < bound; };
    for (; !is_over(first, last); first += stride, last += stride) {
        const Value bound = is_over(last, end) ? end : last;
        for (Value i = first; !is_over(i, bound); i += step)
            in.run(i);
        if (!is_chunked || is_over(static_cast<Value>(first + stride), end))
            return;
    }
}

template <class Value>
void check_static(const char* name, std::int32_t schedule, Value first, Value last, Value step, Value chunk) {
    record all(first, last, step);
    in_league(team_count, [&] {
        in_region(threads_of_each, [&] {
            std::int32_t is_last = 0;
            Value mine = first, end = last, end_of_team = last, stride = 0;
            using init = void(void*, std::int32_t, std::int32_t, std::int32_t*, Value*, Value*, Value*, Value*, Value,
                              Value);
            function<init>(name)(nullptr, 0, schedule, &is_last, &mine, &end, &end_of_team, &stride, step, chunk);
            all.count_last(is_last != 0);
            run_part(all, mine, end, stride, step, end_of_team, schedule == static_chunked);
        });
    });
    all.check(1);
}

TEST(openmp_distribute, one_call_divides_a_loop_among_teams_and_threads) {
    for (const std::int32_t last : {0, 1, 10, 100}) {
        check_static<std::int32_t>("__kmpc_dist_for_static_init_4", static_, -3, last, 2, 0);
        check_static<std::int32_t>("__kmpc_dist_for_static_init_4", static_chunked, -3, last, 2, 3);
        check_static<std::int64_t>("__kmpc_dist_for_static_init_8", static_, last, -5, -1, 0);
        check_static<std::int64_t>("__kmpc_dist_for_static_init_8", static_chunked, last, -5, -1, 4);
    }
}

TEST(openmp_distribute, teams_get_chunks_of_a_loop) {
    record all(5, 90, 1);
    in_league(team_count, [&] {
        std::int32_t is_last = 0;
        std::int64_t first = 5, last = 90, stride = 0;
        function<void(void*, std::int32_t, std::int32_t*, std::int64_t*, std::int64_t*, std::int64_t*, std::int64_t,
                      std::int64_t)>("__kmpc_team_static_init_8")(nullptr, 0, &is_last, &first, &last, &stride, 1, 7);
        all.count_last(is_last != 0);
        run_part<std::int64_t>(all, first, last, stride, 1, 90, true);
    });
    all.check(1);
}

TEST(openmp_distribute, chunks_of_a_teams_part_are_handed_out) {
    record all(0, 99, 1);
    in_league(team_count, [&] {
        in_region(threads_of_each, [&] {
            std::int32_t is_last = 0;
            function<void(void*, std::int32_t, std::int32_t, std::int32_t*, std::int32_t, std::int32_t, std::int32_t,
                          std::int32_t)>("__kmpc_dist_dispatch_init_4")(nullptr, 0, dynamic, &is_last, 0, 99, 1, 3);
            all.count_last(is_last != 0);
            std::int32_t first = 0, last = 0, step = 0;
            while (function<int(void*, std::int32_t, std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*)>(
                       "__kmpc_dispatch_next_4")(nullptr, 0, nullptr, &first, &last, &step) != 0)
                for (std::int32_t i = first; i <= last; ++i)
                    all.run(i);
        });
    });
    all.check(threads_of_each);
}

}  // namespace
