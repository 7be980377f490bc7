// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task finds its thread's copy by the variable or by any copy of it, the innermost group first; a copy is initialized
// when it is first used, and the end of the group combines the copies that were used.
#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>

#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace teff::openmp;

void init_to_one(void* copy, void*) { *static_cast<long*>(copy) = 1; }
void multiply(void* to, void* copy) { *static_cast<long*>(to) *= *static_cast<long*>(copy); }
void add(void* to, void* copy) { *static_cast<long*>(to) += *static_cast<long*>(copy); }
unsigned ended;
void count_end(void*) { ++ended; }

// A product, and a sum whose copies begin with zeros.
reduction_copies& make_two(unsigned threads) {
    reduction_copies& made = make_copies(threads, 2, 128, 64);
    made.items[0] = {.offset = 0, .size = sizeof(long), .init = &init_to_one, .combine = &multiply, .end = nullptr};
    made.items[1] = {.offset = 64, .size = sizeof(long), .init = nullptr, .combine = &add, .end = &count_end};
    return made;
}
void add_two(place& caller, reduction_copies& copies, long& product, long& sum) {
    task_reductions& added = add_reductions(caller, copies);
    added.items[0] = {&product, &product};
    added.items[1] = {&sum, &sum};
}
long* copy_of(place& caller, void* address) {
    return static_cast<long*>(find_copy(caller, caller.current->group, address, nullptr));
}

TEST(openmp_task_reduction, copies_are_found_by_the_variable_and_by_a_copy) {
    place& caller = this_place();
    long product = 2, sum = 3, other = 0;
    begin_taskgroup(caller);
    add_two(caller, make_two(1), product, sum);
    long* const copy = copy_of(caller, &sum);
    ASSERT_NE(copy, nullptr);
    EXPECT_NE(copy, &sum);
    EXPECT_EQ(*copy, 0);
    EXPECT_EQ(copy_of(caller, copy), copy);
    void* original = nullptr;
    EXPECT_EQ(find_copy(caller, caller.current->group, copy, &original), copy);
    EXPECT_EQ(original, &sum);
    EXPECT_EQ(*copy_of(caller, &product), 1);
    EXPECT_EQ(copy_of(caller, &other), nullptr);
    end_taskgroup(caller);
}

// The variable is a thread's own, and a task of another function knows the original alone.
TEST(openmp_task_reduction, copies_are_found_by_the_original) {
    place& caller = this_place();
    long own = 4, original = 3;
    begin_taskgroup(caller);
    task_reductions& added = add_reductions(caller, make_two(1));
    added.items[1] = {&own, &original};
    long* const copy = copy_of(caller, &original);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy_of(caller, &own), copy);
    *copy += 5;
    end_taskgroup(caller);
    EXPECT_EQ(own, 9);
    EXPECT_EQ(original, 3);
}

TEST(openmp_task_reduction, the_end_of_the_group_combines_copies_that_were_used) {
    place& caller = this_place();
    long product = 2, sum = 3;
    ended = 0;
    begin_taskgroup(caller);
    add_two(caller, make_two(3), product, sum);
    *copy_of(caller, &product) *= 5;
    *copy_of(caller, &product) *= 7;
    end_taskgroup(caller);
    EXPECT_EQ(product, 70);
    EXPECT_EQ(sum, 3);
    EXPECT_EQ(ended, 0U);
    begin_taskgroup(caller);
    add_two(caller, make_two(3), product, sum);
    *copy_of(caller, &sum) += 4;
    end_taskgroup(caller);
    EXPECT_EQ(product, 70);
    EXPECT_EQ(sum, 7);
    EXPECT_EQ(ended, 1U);
}

TEST(openmp_task_reduction, the_innermost_group_that_names_it_is_taken) {
    place& caller = this_place();
    long product = 1, sum = 0, inner_product = 1;
    begin_taskgroup(caller);
    add_two(caller, make_two(1), product, sum);
    long* const outer_sum = copy_of(caller, &sum);
    begin_taskgroup(caller);
    // The inner group reduces the outer one's copy, as a task in it would.
    add_two(caller, make_two(1), inner_product, *outer_sum);
    EXPECT_NE(copy_of(caller, outer_sum), outer_sum);
    *copy_of(caller, outer_sum) += 6;
    EXPECT_EQ(*copy_of(caller, &product), 1);
    EXPECT_EQ(copy_of(caller, &product), copy_of(caller, copy_of(caller, &product)));
    end_taskgroup(caller);
    EXPECT_EQ(*outer_sum, 6);
    EXPECT_EQ(sum, 0);
    end_taskgroup(caller);
    EXPECT_EQ(sum, 6);
}

// Each thread has a group of its own. All groups use the same copies, one copy for each thread.
TEST(openmp_task_reduction, threads_of_a_team_share_the_copies) {
    struct state {
        long product = 1, sum = 0;
    };
    for (unsigned round = 0; round != 20; ++round) {
        state all;
        run_region(this_place(), {.threads = 4}, [](place& caller, void* argument) {
            auto& own = *static_cast<state*>(argument);
            for (unsigned construct = 0; construct != 5; ++construct) {
                begin_taskgroup(caller);
                reduction_copies& copies =
                    share_copies(caller, caller.in->reductions, [&]() -> auto& { return make_two(caller.size); });
                task_reductions& added = add_reductions(caller, copies);
                added.is_shared = true;
                added.items[0] = {&own.product, &own.product};
                added.items[1] = {&own.sum, &own.sum};
                *copy_of(caller, &own.sum) += caller.number + 1;
                end_taskgroup(caller);
                wait_at_barrier(caller);
            }
        }, &all);
        EXPECT_EQ(all.sum, 5 * (1 + 2 + 3 + 4));
        EXPECT_EQ(all.product, 1);
    }
}

}  // namespace
