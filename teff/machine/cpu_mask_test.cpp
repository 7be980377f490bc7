// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of CPUs: its limits, and reading and setting the mask of a thread.
#include <teff/machine/cpu_mask.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

namespace {

using teff::cpu_mask;

int lowest(const cpu_mask& mask) {
    int cpu = 0;
    while (!mask.contains(cpu))
        ++cpu;
    return cpu;
}

TEST(cpu_mask, holds_what_was_added_and_ignores_numbers_out_of_range) {
    cpu_mask mask;
    EXPECT_EQ(mask.count(), 0);
    for (const int cpu : {0, 63, 64, 1023, 1024, cpu_mask::capacity - 1, -1, cpu_mask::capacity, 63})
        mask.add(cpu);
    EXPECT_EQ(mask.count(), 6);
    EXPECT_TRUE(mask.contains(63));
    EXPECT_TRUE(mask.contains(cpu_mask::capacity - 1));
    EXPECT_FALSE(mask.contains(62));
    EXPECT_FALSE(mask.contains(-1));
    EXPECT_FALSE(mask.contains(cpu_mask::capacity));
}

TEST(cpu_mask, of_the_calling_thread_is_never_empty) { EXPECT_GE(cpu_mask::of_calling_thread().count(), 1); }

TEST(cpu_mask, binding_nothing_is_refused) { EXPECT_FALSE(cpu_mask().bind_calling_thread()); }

// Runs on a separate thread, so that the mask of the test program stays unchanged.
void* bind_to_lowest(void* result) {
    cpu_mask one;
    one.add(lowest(cpu_mask::of_calling_thread()));
    const bool bound = one.bind_calling_thread();
    const cpu_mask now = cpu_mask::of_calling_thread();
    *static_cast<bool*>(result) = bound && now.count() == 1 && now.contains(lowest(one));
    return nullptr;
}

TEST(cpu_mask, binding_changes_the_calling_thread_only) {
    const int before = cpu_mask::of_calling_thread().count();
    bool worked = false;
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, nullptr, bind_to_lowest, &worked), 0);
    pthread_join(thread, nullptr);
    EXPECT_TRUE(worked);
    EXPECT_EQ(cpu_mask::of_calling_thread().count(), before);
}

}  // namespace
