// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the thread of a worker and leaves all other threads alone.
#include <teff/machine/pinning.hpp>

#include <teff/machine/topology_sources.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

namespace {

using teff::cpu_mask;

teff::topology usable_cpus() {
    teff::topology machine;
    teff::read_flat(machine, cpu_mask::of_calling_thread());
    return machine;
}

struct result {
    const teff::topology* machine;
    bool bound = false;
    int cpus_after = 0;
    bool on_wanted_cpu = false;
};

void* bind_as_worker(void* argument) {
    auto& outcome = *static_cast<result*>(argument);
    constexpr unsigned worker = 1;
    outcome.bound = teff::bind_worker_thread(*outcome.machine, worker);
    const cpu_mask now = cpu_mask::of_calling_thread();
    outcome.cpus_after = now.count();
    outcome.on_wanted_cpu = now.contains(outcome.machine->cpu_of_worker(worker));
    return nullptr;
}

result bind_on_a_thread(const teff::topology& machine) {
    result outcome{&machine};
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, nullptr, bind_as_worker, &outcome), 0);
    pthread_join(thread, nullptr);
    return outcome;
}

TEST(pinning, binds_the_calling_thread_to_the_cpu_of_its_worker) {
    const int before = cpu_mask::of_calling_thread().count();
    const teff::topology machine = usable_cpus();
    const result outcome = bind_on_a_thread(machine);
    EXPECT_TRUE(outcome.bound);
    EXPECT_EQ(outcome.cpus_after, 1);
    EXPECT_TRUE(outcome.on_wanted_cpu);
    EXPECT_EQ(cpu_mask::of_calling_thread().count(), before);
}

TEST(pinning, never_touches_the_first_thread) {
    const int before = cpu_mask::of_calling_thread().count();
    EXPECT_FALSE(teff::bind_worker_thread(usable_cpus(), 0));
    EXPECT_EQ(cpu_mask::of_calling_thread().count(), before);
}

TEST(pinning, refuses_a_synthetic_machine_and_a_cpu_that_is_not_there) {
    const int before = cpu_mask::of_calling_thread().count();
    teff::topology machine;
    teff::read_synthetic(machine, {1, 1, 1});
    EXPECT_FALSE(bind_on_a_thread(machine).bound);
    machine.begin(teff::topology_source::flat);
    machine.add(cpu_mask::capacity - 1, 0, 0);
    machine.finish();
    const result outcome = bind_on_a_thread(machine);
    EXPECT_FALSE(outcome.bound);
    EXPECT_EQ(outcome.cpus_after, before);
}

TEST(pinning, binds_for_a_scope) {
    struct outcome {
        cpu_mask before = {}, inside = {}, after = {}, without = {};
        int first_cpu = -1;
    } seen;
    pthread_t thread;
    const auto visit = [](void* argument) -> void* {
        auto& to = *static_cast<outcome*>(argument);
        to.before = cpu_mask::of_calling_thread();
        for (to.first_cpu = 0; !to.before.contains(to.first_cpu);)
            ++to.first_cpu;
        cpu_mask one;
        one.add(to.first_cpu);
        {
            const teff::scoped_binding bound(&one);
            to.inside = cpu_mask::of_calling_thread();
        }
        to.after = cpu_mask::of_calling_thread();
        const teff::scoped_binding not_bound(nullptr);
        to.without = cpu_mask::of_calling_thread();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, visit, &seen), 0);
    pthread_join(thread, nullptr);
    EXPECT_EQ(seen.inside.count(), 1);
    EXPECT_TRUE(seen.inside.contains(seen.first_cpu));
    EXPECT_EQ(seen.after.count(), seen.before.count());
    EXPECT_EQ(seen.without.count(), seen.before.count());
    // The first thread stays as it is.
    cpu_mask one;
    one.add(seen.first_cpu);
    const int before = cpu_mask::of_calling_thread().count();
    const teff::scoped_binding refused(&one);
    EXPECT_EQ(cpu_mask::of_calling_thread().count(), before);
}

}  // namespace
