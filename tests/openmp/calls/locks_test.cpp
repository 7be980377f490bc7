// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks and critical sections through their symbols, in memory as small as the compilers give.
#include "functions.hpp"

namespace {

using openmp_calls::function;
using openmp_calls::on_threads;

// One way to lock: a function to enter, one to leave, and the memory.
struct exclusion {
    std::string name;
    void (*enter)();
    void (*leave)();
};

alignas(8) std::int32_t simple_memory;
alignas(8) std::int64_t nest_memory;
alignas(8) std::int32_t clang_critical[8];
void* gcc_critical;

template <class Function>
Function* once(const char* name) {
    return function<Function>(name);
}

const exclusion all_exclusions[] = {
    {"omp_set_lock", [] { once<void(std::int32_t*)>("omp_set_lock")(&simple_memory); },
     [] { once<void(std::int32_t*)>("omp_unset_lock")(&simple_memory); }},
    {"omp_set_lock_", [] { once<void(std::int32_t*)>("omp_set_lock_")(&simple_memory); },
     [] { once<void(std::int32_t*)>("omp_unset_lock_")(&simple_memory); }},
    {"__kmpc_set_lock", [] { once<void(void*, int, std::int32_t*)>("__kmpc_set_lock")(nullptr, 0, &simple_memory); },
     [] { once<void(void*, int, std::int32_t*)>("__kmpc_unset_lock")(nullptr, 0, &simple_memory); }},
    {"omp_set_nest_lock", [] { once<void(std::int64_t*)>("omp_set_nest_lock")(&nest_memory); },
     [] { once<void(std::int64_t*)>("omp_unset_nest_lock")(&nest_memory); }},
    {"omp_set_nest_lock_", [] { once<void(std::int64_t*)>("omp_set_nest_lock_")(&nest_memory); },
     [] { once<void(std::int64_t*)>("omp_unset_nest_lock_")(&nest_memory); }},
    {"__kmpc_set_nest_lock",
     [] { once<void(void*, int, std::int64_t*)>("__kmpc_set_nest_lock")(nullptr, 0, &nest_memory); },
     [] { once<void(void*, int, std::int64_t*)>("__kmpc_unset_nest_lock")(nullptr, 0, &nest_memory); }},
    {"__kmpc_critical", [] { once<void(void*, int, void*)>("__kmpc_critical")(nullptr, 0, clang_critical); },
     [] { once<void(void*, int, void*)>("__kmpc_end_critical")(nullptr, 0, clang_critical); }},
    {"__kmpc_critical_with_hint",
     [] { once<void(void*, int, void*, unsigned)>("__kmpc_critical_with_hint")(nullptr, 0, clang_critical, 2); },
     [] { once<void(void*, int, void*)>("__kmpc_end_critical")(nullptr, 0, clang_critical); }},
    {"GOMP_critical_start", [] { once<void()>("GOMP_critical_start")(); },
     [] { once<void()>("GOMP_critical_end")(); }},
    {"GOMP_critical_name_start", [] { once<void(void**)>("GOMP_critical_name_start")(&gcc_critical); },
     [] { once<void(void**)>("GOMP_critical_name_end")(&gcc_critical); }},
    {"GOMP_atomic_start", [] { once<void()>("GOMP_atomic_start")(); }, [] { once<void()>("GOMP_atomic_end")(); }},
    {"__kmpc_atomic_start", [] { once<void()>("__kmpc_atomic_start")(); },
     [] { once<void()>("__kmpc_atomic_end")(); }},
};

TEST(openmp_locks, exclude_threads) {
    for (const exclusion& each : all_exclusions) {
        constexpr unsigned threads = 4, rounds = 2'000;
        unsigned long counter = 0;
        on_threads(threads, [&](unsigned) {
            for (unsigned round = 0; round < rounds; ++round) {
                each.enter();
                ++counter;
                each.leave();
            }
        });
        EXPECT_EQ(counter, 1UL * threads * rounds) << each.name;
    }
}

// A lock that is set stays within its memory, and is not where another one is.
TEST(openmp_locks, use_no_more_memory_than_the_compilers_give) {
    std::int32_t simple[3] = {-1, -1, -1};
    function<void(std::int32_t*)>("omp_init_lock")(&simple[1]);
    EXPECT_EQ(function<int(std::int32_t*)>("omp_test_lock")(&simple[1]), 1);
    EXPECT_EQ(function<int(void*, int, std::int32_t*)>("__kmpc_test_lock")(nullptr, 0, &simple[1]), 0);
    function<void(std::int32_t*)>("omp_unset_lock")(&simple[1]);
    EXPECT_EQ(function<int(std::int32_t*)>("omp_test_lock_")(&simple[1]), 1);
    function<void(std::int32_t*)>("omp_unset_lock_")(&simple[1]);
    function<void(std::int32_t*)>("omp_destroy_lock")(&simple[1]);
    EXPECT_EQ(simple[0], -1);
    EXPECT_EQ(simple[2], -1);

    std::int64_t nest[3] = {-1, -1, -1};
    function<void(std::int64_t*, int)>("omp_init_nest_lock_with_hint")(&nest[1], 1);
    function<void(std::int64_t*)>("omp_set_nest_lock")(&nest[1]);
    EXPECT_EQ(function<int(std::int64_t*)>("omp_test_nest_lock")(&nest[1]), 2);
    EXPECT_EQ(function<int(void*, int, std::int64_t*)>("__kmpc_test_nest_lock")(nullptr, 0, &nest[1]), 3);
    for (int i = 0; i < 3; ++i)
        function<void(std::int64_t*)>("omp_unset_nest_lock")(&nest[1]);
    function<void(std::int64_t*)>("omp_destroy_nest_lock")(&nest[1]);
    EXPECT_EQ(nest[0], -1);
    EXPECT_EQ(nest[2], -1);
}

// What GOMP_task calls: whether the task gets the lock that its parent has set, in either version.
struct attempt {
    std::int64_t* lock;
    int by_task;
    int by_thread;
};
void attempt_in_task(void* argument) {
    attempt& mine = **static_cast<attempt**>(argument);
    mine.by_task = function<int(std::int64_t*)>("omp_test_nest_lock", "OMP_3.0")(&mine.lock[0]);
    mine.by_thread = function<int(std::int64_t*)>("omp_test_nest_lock", "OMP_1.0")(&mine.lock[1]);
}

TEST(openmp_locks, a_nestable_lock_belongs_to_the_task_and_in_old_programs_to_the_thread) {
    std::int64_t memory[2];
    attempt in_task{memory, -1, -1};
    function<void(std::int64_t*)>("omp_init_nest_lock", "OMP_3.0")(&memory[0]);
    function<void(std::int64_t*)>("omp_init_nest_lock", "OMP_1.0")(&memory[1]);
    function<void(std::int64_t*)>("omp_set_nest_lock", "OMP_3.0")(&memory[0]);
    function<void(std::int64_t*)>("omp_set_nest_lock", "OMP_1.0")(&memory[1]);

    attempt* argument = &in_task;
    // `false`: it is run before the call returns.
    function<void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**, int, void*)>(
        "GOMP_task")(attempt_in_task, &argument, nullptr, sizeof argument, alignof(attempt*), false, 0, nullptr, 0,
                     nullptr);
    EXPECT_EQ(in_task.by_task, 0);
    EXPECT_EQ(in_task.by_thread, 2);

    on_threads(1, [&](unsigned) {
        EXPECT_EQ(function<int(std::int64_t*)>("omp_test_nest_lock_", "OMP_3.0")(&memory[0]), 0);
        EXPECT_EQ(function<int(std::int64_t*)>("omp_test_nest_lock_", "OMP_1.0")(&memory[1]), 0);
    });
    EXPECT_EQ(function<int(std::int64_t*)>("omp_test_nest_lock", "OMP_3.0")(&memory[0]), 2);
}

TEST(openmp_locks, tell_that_a_free_one_is_unset) {
    std::int32_t memory;
    function<void(std::int32_t*)>("omp_init_lock")(&memory);
    testing::internal::CaptureStderr();
    function<void(std::int32_t*)>("omp_unset_lock")(&memory);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("omp_unset_lock: the lock is not set"), std::string::npos) << said;
}

}  // namespace
