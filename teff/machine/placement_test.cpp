// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What binding changes and restores; pages that are mapped, moved and given back.
#include <teff/machine/placement.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

namespace pages = teff::local_pages;

// How many of the pages have been touched. (mincore tells it of memory that lies in no file.)
std::size_t touched(void* memory, std::size_t bytes) {
    std::vector<unsigned char> resident((bytes + pages::page_size() - 1) / pages::page_size());
    EXPECT_EQ(::mincore(memory, bytes, resident.data()), 0);
    return static_cast<std::size_t>(
        std::count_if(resident.begin(), resident.end(), [](unsigned char each) { return (each & 1) != 0; }));
}

// The node of a page that was touched, or -1 where the kernel has no NUMA or does not tell.
int node_of(void* page) {
    int node = -1;
    return ::syscall(SYS_get_mempolicy, &node, nullptr, 0, page, MPOL_F_NODE | MPOL_F_ADDR) == 0 ? node : -1;
}

class local_pages : public testing::Test {
protected:
    static constexpr std::size_t bytes = 10'000;

    void SetUp() override {
        memory_ = pages::map(bytes);
        ASSERT_NE(memory_, nullptr);
    }
    void TearDown() override { pages::unmap(memory_, bytes); }
    void touch_all() const { std::fill_n(static_cast<volatile std::byte*>(memory_), bytes, std::byte{1}); }

    void* memory_ = nullptr;
};

TEST_F(local_pages, are_whole_pages) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory_) % pages::page_size(), 0U);
}

TEST_F(local_pages, are_first_touched_by_their_user) {
    EXPECT_EQ(touched(memory_, bytes), 0U);
    touch_all();
    EXPECT_GT(touched(memory_, bytes), 0U) << "this system does not tell";
    // What another thread has touched and given back is not handed out again.
    std::thread([] {
        void* const other = pages::map(bytes);
        std::fill_n(static_cast<volatile std::byte*>(other), bytes, std::byte{1});
        pages::unmap(other, bytes);
    }).join();
    void* const next = pages::map(bytes);
    EXPECT_EQ(touched(next, bytes), 0U);
    pages::unmap(next, bytes);
}

TEST_F(local_pages, keep_their_content_when_they_move) {
    touch_all();
    if (!pages::move_here(memory_, bytes)) {
        EXPECT_TRUE(errno == ENOSYS || errno == EPERM) << errno;
    }
    const auto* const first = static_cast<const std::byte*>(memory_);
    EXPECT_EQ(std::count(first, first + bytes, std::byte{1}), static_cast<std::ptrdiff_t>(bytes));
}

// Not checked where the kernel does not tell. A thread that is not bound may change its node in between, so this asks
// until it has stayed on one.
TEST_F(local_pages, lie_on_the_node_of_the_thread) {
    touch_all();
    int node = -1;
    unsigned before = 0;
    do {
        before = pages::current_node();
        if (!pages::move_here(memory_, bytes))
            GTEST_SKIP() << "mbind is not available";
        node = node_of(memory_);
    } while (before != pages::current_node());
    if (node < 0)
        GTEST_SKIP() << "the node of a page is not known";
    EXPECT_EQ(node, static_cast<int>(before));
}

}  // namespace
