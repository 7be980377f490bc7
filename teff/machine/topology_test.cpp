// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbering, order and distances, on synthetic machines and on file trees that imitate sysfs.
// Synthetic descriptions: which are accepted, and what they say.
#include <teff/machine/topology.hpp>

#include <teff/machine/machine_topology.hpp>

#include <gtest/gtest.h>
#include <tests/fixture_tree.hpp>

#include <set>
#include <string>
#include <vector>

namespace {

using teff::parse_synthetic_shape;
using teff::synthetic_shape;

TEST(synthetic_shape, reads_its_words_in_any_order) {
    const synthetic_shape expected{8, 4, 2};
    EXPECT_EQ(parse_synthetic_shape("sockets:8 cores:4 threads:2"), expected);
    EXPECT_EQ(parse_synthetic_shape("threads:2 sockets:8 cores:4"), expected);
    EXPECT_EQ(parse_synthetic_shape("  sockets:8,cores:4 ,\tthreads:2\n"), expected);
    EXPECT_EQ(parse_synthetic_shape("numa:2 sockets:8 cores:4 threads:2"), (synthetic_shape{8, 4, 2, 2}));
}

TEST(synthetic_shape, a_word_left_out_counts_as_one) {
    EXPECT_EQ(parse_synthetic_shape("cores:6"), (synthetic_shape{1, 6, 1}));
    EXPECT_EQ(parse_synthetic_shape("sockets:1"), (synthetic_shape{1, 1, 1}));
}

TEST(synthetic_shape, reaches_exactly_the_largest_machine) {
    EXPECT_EQ(parse_synthetic_shape("sockets:4096"), (synthetic_shape{4096, 1, 1}));
    EXPECT_EQ(parse_synthetic_shape("sockets:64 cores:32 threads:2"), (synthetic_shape{64, 32, 2}));
    EXPECT_FALSE(parse_synthetic_shape("sockets:4097"));
    EXPECT_FALSE(parse_synthetic_shape("sockets:64 cores:64 threads:2"));
    EXPECT_FALSE(parse_synthetic_shape("sockets:4096 cores:4096 threads:4096"));
}

TEST(synthetic_shape, divides_the_cores_of_a_socket_among_its_numa_domains) {
    EXPECT_EQ(parse_synthetic_shape("numa:3 cores:6"), (synthetic_shape{1, 6, 1, 3}));
    EXPECT_FALSE(parse_synthetic_shape("numa:4 cores:6"));
    EXPECT_FALSE(parse_synthetic_shape("numa:2"));
}

TEST(synthetic_shape, refuses_a_text_that_is_too_long) {
    const std::string longest = "cores:2" + std::string(teff::max_synthetic_text - 7, ' ');
    EXPECT_TRUE(parse_synthetic_shape(longest));
    EXPECT_FALSE(parse_synthetic_shape(longest + " "));
}

TEST(synthetic_shape, refuses_malformed_texts) {
    for (const char* text : {"", " ", ",", "8", "sockets", "sockets:", "sockets:0", "sockets:-1", "sockets:x",
                             "sockets:1.5", "sockets 8", "sockets: 8", "sockets:8:2", "nodes:2", "Sockets:2", ":3",
                             "sockets:2 sockets:2", "sockets:2;cores:2", "cores:99999999999999999999", "machine"})
        EXPECT_FALSE(parse_synthetic_shape(text)) << '"' << text << '"';
}

using teff::cpu_mask;
using teff::proximity;
using teff::topology;
using teff::topology_source;

topology synthetic(int sockets, int cores, int threads, int numa = 1) {
    topology result;
    teff::read_synthetic(result, {sockets, cores, threads, numa});
    return result;
}

cpu_mask mask_of(const std::vector<int>& cpus) {
    cpu_mask mask;
    for (const int cpu : cpus)
        mask.add(cpu);
    return mask;
}

// What `of_worker` says of each worker.
std::vector<int> in_order(const topology& machine, int (topology::*of_worker)(unsigned) const noexcept) {
    std::vector<int> all;
    for (int worker = 0; worker < machine.cpu_count(); ++worker)
        all.push_back((machine.*of_worker)(static_cast<unsigned>(worker)));
    return all;
}

std::vector<int> cpus_in_order(const topology& machine) { return in_order(machine, &topology::cpu_of_worker); }

TEST(topology, starts_as_one_cpu) {
    const topology machine;
    EXPECT_EQ(machine.cpu_count(), 1);
    EXPECT_EQ(machine.core_count(), 1);
    EXPECT_EQ(machine.socket_count(), 1);
    EXPECT_EQ(machine.numa_count(), 1);
    EXPECT_EQ(machine.numa_of_worker(7), 0);
    EXPECT_EQ(machine.cpu_of_worker(7), 0);
    EXPECT_EQ(machine.of_workers(0, 1), proximity::same_core);
}

TEST(topology, synthetic_machines_have_the_described_parts) {
    for (const int sockets : {1, 2, 8})
        for (const int threads : {1, 2}) {
            const topology machine = synthetic(sockets, 4, threads);
            EXPECT_EQ(machine.source(), topology_source::synthetic);
            EXPECT_FALSE(machine.is_real());
            EXPECT_EQ(machine.socket_count(), sockets);
            EXPECT_EQ(machine.core_count(), sockets * 4);
            EXPECT_EQ(machine.cpu_count(), sockets * 4 * threads);
        }
}

TEST(topology, distances_between_cpus) {
    const topology machine = synthetic(8, 4, 2);
    EXPECT_EQ(machine.between(0, 0), proximity::same_core);
    EXPECT_EQ(machine.between(0, 1), proximity::same_core);
    EXPECT_EQ(machine.between(1, 2), proximity::same_socket);
    EXPECT_EQ(machine.between(0, 7), proximity::same_socket);
    EXPECT_EQ(machine.between(7, 8), proximity::other_socket);
    EXPECT_EQ(machine.between(63, 0), proximity::other_socket);
}

TEST(topology, unknown_cpus_are_far_from_all_others) {
    const topology machine = synthetic(1, 2, 1);
    EXPECT_EQ(machine.between(0, 99), proximity::other_socket);
    EXPECT_EQ(machine.between(-1, 0), proximity::other_socket);
    EXPECT_EQ(machine.between(99, 99), proximity::same_core);
}

TEST(topology, workers_get_a_core_each_before_cores_are_shared) {
    const topology machine = synthetic(2, 2, 2);
    EXPECT_EQ(cpus_in_order(machine), (std::vector{0, 2, 4, 6, 1, 3, 5, 7}));
    EXPECT_EQ(machine.of_workers(0, 1), proximity::same_socket);
    EXPECT_EQ(machine.of_workers(1, 2), proximity::other_socket);
    EXPECT_EQ(machine.of_workers(0, 4), proximity::same_core);
    EXPECT_EQ(machine.of_workers(4, 5), proximity::same_socket);
}

std::vector<int> domains_in_order(const topology& machine) { return in_order(machine, &topology::numa_of_worker); }

TEST(topology, workers_fill_one_numa_domain_after_the_other) {
    const topology machine = synthetic(2, 4, 1, 2);
    EXPECT_EQ(machine.numa_count(), 4);
    EXPECT_EQ(domains_in_order(machine), (std::vector{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(machine.of_workers(0, 2), proximity::same_socket);
    EXPECT_EQ(synthetic(3, 2, 2).numa_count(), 3) << "one per socket";
}

TEST(topology, more_workers_than_cpus_take_turns) {
    const topology machine = synthetic(2, 1, 1);
    EXPECT_EQ(machine.cpu_of_worker(5), 1);
    EXPECT_EQ(machine.of_workers(0, 2), proximity::same_core);
    EXPECT_EQ(machine.of_workers(0, 4095), proximity::other_socket);
    EXPECT_EQ(machine.of_workers(~0U, 1), proximity::same_core);
}

TEST(topology, is_symmetric_and_counts_neighbours) {
    const topology machine = synthetic(8, 4, 2);
    for (unsigned a = 0; a < 64; ++a) {
        int same_core = 0;
        int same_socket = 0;
        for (unsigned b = 0; b < 64; ++b) {
            EXPECT_EQ(machine.of_workers(a, b), machine.of_workers(b, a));
            same_core += machine.of_workers(a, b) == proximity::same_core;
            same_socket += machine.of_workers(a, b) == proximity::same_socket;
        }
        EXPECT_EQ(same_core, 2);
        EXPECT_EQ(same_socket, 6);
    }
}

TEST(topology, the_largest_machine_fits_and_what_is_beyond_is_left_out) {
    EXPECT_EQ(synthetic(64, 32, 2).cpu_count(), teff::max_topology_cpus);
    topology machine;
    machine.begin(topology_source::flat);
    for (int cpu = 0; cpu < teff::max_topology_cpus + 5; ++cpu)
        machine.add(cpu, 0, cpu);
    machine.add(-1, 0, 0);
    EXPECT_TRUE(machine.finish());
    EXPECT_EQ(machine.cpu_count(), teff::max_topology_cpus);
}

TEST(topology, flat_is_one_socket_of_single_cores) {
    topology machine;
    teff::read_flat(machine, mask_of({3, 5, 4000}));
    EXPECT_EQ(machine.source(), topology_source::flat);
    EXPECT_EQ(cpus_in_order(machine), (std::vector{3, 5, 4000}));
    EXPECT_EQ(machine.between(3, 4000), proximity::same_socket);
    teff::read_flat(machine, cpu_mask());
    EXPECT_EQ(cpus_in_order(machine), std::vector{0});
}

class sysfs_topology : public ::testing::Test {
protected:
    void cpu(int number, std::string_view socket, std::string_view core, std::string_view siblings) const {
        const std::string folder = "/cpu" + std::to_string(number) + "/topology";
        tree_.write(folder + "/physical_package_id", std::string(socket) + "\n");
        tree_.write(folder + "/core_id", std::string(core) + "\n");
        if (!siblings.empty())
            tree_.write(folder + "/core_cpus_list", std::string(siblings) + "\n");
    }
    void numa(int cpu, int domain) const {
        tree_.write("/cpu" + std::to_string(cpu) + "/node" + std::to_string(domain) + "/cpumap", "");
    }
    bool read(const std::vector<int>& usable) {
        return teff::read_sysfs(machine_, tree_.root().c_str(), mask_of(usable));
    }

    teff::testing::fixture_tree tree_;
    topology machine_;
};

TEST_F(sysfs_topology, two_sockets_with_threads) {
    // Numbered as Linux does it: the second threads of all cores come after all first threads.
    for (int core = 0; core < 4; ++core) {
        const std::string siblings = std::to_string(core) + "," + std::to_string(core + 4);
        cpu(core, core < 2 ? "0" : "1", std::to_string(core % 2), siblings);
        cpu(core + 4, core < 2 ? "0" : "1", std::to_string(core % 2), siblings);
    }
    ASSERT_TRUE(read({0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(machine_.source(), topology_source::sysfs);
    EXPECT_TRUE(machine_.is_real());
    EXPECT_EQ(machine_.core_count(), 4);
    EXPECT_EQ(machine_.socket_count(), 2);
    EXPECT_EQ(cpus_in_order(machine_), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(machine_.between(1, 5), proximity::same_core);
    EXPECT_EQ(machine_.between(0, 5), proximity::same_socket);
    EXPECT_EQ(machine_.between(1, 2), proximity::other_socket);
}

// Numbered as on many machines: neighbours are in different domains.
TEST_F(sysfs_topology, numa_domains) {
    for (int number = 0; number < 6; ++number) {
        cpu(number, number < 4 ? "0" : "1", std::to_string(number), std::to_string(number));
        numa(number, number < 4 ? number % 2 * 7 : 12);
    }
    ASSERT_TRUE(read({0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(machine_.numa_count(), 3);
    EXPECT_EQ(cpus_in_order(machine_), (std::vector{0, 2, 1, 3, 4, 5}));
    EXPECT_EQ(domains_in_order(machine_), (std::vector{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(machine_.socket_count(), 2);
}

TEST_F(sysfs_topology, without_numa_each_socket_is_a_domain) {
    cpu(0, "0", "0", "0");
    cpu(1, "1", "0", "1");
    ASSERT_TRUE(read({0, 1}));
    EXPECT_EQ(domains_in_order(machine_), (std::vector{0, 1}));
    // One domain with all CPUs: each socket's part of it counts.
    numa(0, 0);
    numa(1, 0);
    ASSERT_TRUE(read({0, 1}));
    EXPECT_EQ(domains_in_order(machine_), (std::vector{0, 1}));
}

TEST_F(sysfs_topology, cpus_outside_the_mask_are_left_out) {
    for (int number = 0; number < 4; ++number)
        cpu(number, "0", std::to_string(number / 2), number < 2 ? "0-1" : "2-3");
    ASSERT_TRUE(read({1, 3}));
    EXPECT_EQ(cpus_in_order(machine_), (std::vector{1, 3}));
    EXPECT_EQ(machine_.core_count(), 2);
}

TEST_F(sysfs_topology, offline_cpus_have_no_description_and_are_left_out) {
    cpu(0, "0", "0", "0");
    tree_.write("/cpu1/online", "0\n");
    cpu(2, "0", "2", "2");
    ASSERT_TRUE(read({0, 1, 2}));
    EXPECT_EQ(cpus_in_order(machine_), (std::vector{0, 2}));
}

TEST_F(sysfs_topology, sparse_numbers_and_several_dies) {
    // core_id repeats on every die of a socket; only the lists of siblings distinguish the cores.
    cpu(8, "3", "0", "8");
    cpu(1000, "3", "0", "1000");
    cpu(5000, "7", "0", "5000-5001");
    cpu(5001, "7", "0", "5000-5001");
    ASSERT_TRUE(read({8, 1000, 5000, 5001}));
    EXPECT_EQ(machine_.core_count(), 3);
    EXPECT_EQ(machine_.socket_count(), 2);
    EXPECT_EQ(machine_.between(8, 1000), proximity::same_socket);
    EXPECT_EQ(machine_.between(5000, 5001), proximity::same_core);
}

TEST_F(sysfs_topology, older_names_are_understood) {
    for (int number = 0; number < 2; ++number) {
        cpu(number, "0", std::to_string(number), "");
        tree_.write("/cpu" + std::to_string(number) + "/topology/thread_siblings_list", "0-1\n");
    }
    cpu(2, "0", "7", "");
    cpu(3, "0", "7", "");
    ASSERT_TRUE(read({0, 1, 2, 3}));
    EXPECT_EQ(machine_.between(0, 1), proximity::same_core);
    EXPECT_EQ(machine_.between(2, 3), proximity::same_core);
    EXPECT_EQ(machine_.between(1, 2), proximity::same_socket);
}

TEST_F(sysfs_topology, unknown_package_numbers_are_one_socket) {
    cpu(0, "-1", "0", "0");
    cpu(1, "-1", "1", "1");
    ASSERT_TRUE(read({0, 1}));
    EXPECT_EQ(machine_.socket_count(), 1);
    EXPECT_EQ(machine_.core_count(), 2);
}

TEST_F(sysfs_topology, malformed_files_cost_the_detail_only) {
    cpu(0, "zero", "x", "garbage");
    EXPECT_FALSE(read({0}));
    EXPECT_EQ(machine_.cpu_count(), 1);
    cpu(1, "99999999999999999999", "", "-");
    cpu(2, "", "", "2");
    ASSERT_TRUE(read({0, 1, 2}));
    EXPECT_EQ(cpus_in_order(machine_), std::vector{2});
}

TEST_F(sysfs_topology, no_sysfs_is_reported) {
    EXPECT_FALSE(read({0, 1}));
    EXPECT_FALSE(teff::read_sysfs(machine_, "/nowhere", mask_of({0})));
    EXPECT_FALSE(teff::read_sysfs(machine_, std::string(5000, 'x').c_str(), mask_of({0})));
}

TEST(machine_topology, is_one_object_that_does_not_change) {
    const topology& machine = teff::machine_topology();
    EXPECT_EQ(&machine, &teff::machine_topology());
    EXPECT_GE(machine.cpu_count(), 1);
    const std::vector<int> cpus = cpus_in_order(machine);
    EXPECT_EQ(std::set<int>(cpus.begin(), cpus.end()).size(), cpus.size());
    // The topology is in use already, so no other one can be chosen.
    EXPECT_FALSE(teff::choose_machine_topology({31, 3, 1}));
    EXPECT_NE(machine.socket_count(), 31);
}

#if defined(TEFF_WITH_HWLOC)
TEST(hwloc_topology, agrees_with_sysfs) {
    const cpu_mask usable = cpu_mask::of_calling_thread();
    topology by_hwloc;
    topology by_sysfs;
    ASSERT_TRUE(teff::read_hwloc(by_hwloc, usable));
    if (!teff::read_sysfs(by_sysfs, teff::sysfs_cpu_root, usable))
        GTEST_SKIP() << "this machine has no sysfs";
    EXPECT_EQ(by_hwloc.cpu_count(), by_sysfs.cpu_count());
    for (const int a : cpus_in_order(by_sysfs))
        for (const int b : cpus_in_order(by_sysfs))
            EXPECT_EQ(by_hwloc.between(a, b), by_sysfs.between(a, b)) << a << " and " << b;
    EXPECT_EQ(domains_in_order(by_hwloc), domains_in_order(by_sysfs));
}
#endif

}  // namespace
