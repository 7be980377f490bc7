// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CPUs there are and how near they are to each other (the three distances of Blaze-Tasks, section 4.3.1).
//
// A topology is a fixed table, one row for each CPU that may be used, filled by one of four sources: the files of
// sysfs, hwloc where the library was built with it, a synthetic description, or, when nothing is known, one socket of
// single cores. It never allocates and never throws.
//
// Workers get the CPUs in the order of the rows: first one hardware thread of every core, socket by socket, and only
// then the second threads. So a few workers each have a core of their own and share a socket. Rejected: all
// threads of a core in a row, which would put two workers on one core while others are empty.
//
// begin(), add() and finish() are for the sources, by one thread, before anybody else sees the object; everything else
// only reads and may be called by any number of threads together.
#pragma once

#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/synthetic_shape.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace teff {

enum class proximity { same_core, same_socket, other_socket };

enum class topology_source { flat, sysfs, hwloc, synthetic };

// The name of a proximity or source as users read it: "same_core", "sysfs" and so on.
[[nodiscard]] const char* name_of(proximity) noexcept;
[[nodiscard]] const char* name_of(topology_source) noexcept;

class topology {
public:
    // One CPU with the number 0.
    constexpr topology() noexcept = default;

    // Usable CPUs, cores and sockets; each at least 1. A core is counted if one of its CPUs is usable.
    [[nodiscard]] int cpu_count() const noexcept { return last_ + 1; }
    [[nodiscard]] int core_count() const noexcept { return last_core_ + 1; }
    [[nodiscard]] int socket_count() const noexcept { return last_socket_ + 1; }

    [[nodiscard]] topology_source source() const noexcept { return source_; }

    // True if its CPU numbers are those of this machine, so that threads can be bound to them.
    [[nodiscard]] bool is_real() const noexcept { return source_ != topology_source::synthetic; }

    // The operating system's number of the CPU for worker `worker`; with more workers than CPUs they take turns.
    [[nodiscard]] int cpu_of_worker(unsigned worker) const noexcept { return place_of(worker).cpu; }

    // The socket of that CPU, 0 to socket_count() - 1.
    [[nodiscard]] int socket_of_worker(unsigned worker) const noexcept { return place_of(worker).socket; }

    // How near the CPUs numbered `cpu_a` and `cpu_b` are. A CPU that is not in the table is far from all but itself.
    // Takes time linear in the number of CPUs.
    [[nodiscard]] proximity between(int cpu_a, int cpu_b) const noexcept;

    // The same for the CPUs of two workers, in constant time.
    [[nodiscard]] proximity of_workers(unsigned worker_a, unsigned worker_b) const noexcept {
        return of_places(place_of(worker_a), place_of(worker_b));
    }

    // Empties the table for a new description from `source`.
    void begin(topology_source source) noexcept;
    // Adds a CPU. CPUs with equal `socket_key` share a socket, those with equal `core_key` as well a core; the keys are
    // any numbers. CPUs beyond max_topology_cpus and negative numbers are left out.
    void add(int cpu, int socket_key, int core_key) noexcept;
    // Numbers and orders what was added. False if that was nothing; the topology is then that of one CPU.
    bool finish() noexcept;

private:
    struct place {
        int cpu;
        int core;    // until finish() the source's key, then numbered through the machine from 0
        int socket;  // the same
        int thread;  // 0 for the first CPU of its core
    };

    [[nodiscard]] const place& place_of(unsigned worker) const noexcept {
        return places_[worker % static_cast<unsigned>(cpu_count())];
    }
    [[nodiscard]] const place* find(int cpu) const noexcept;
    static proximity of_places(const place& a, const place& b) noexcept {
        if (a.core == b.core)
            return proximity::same_core;
        return a.socket == b.socket ? proximity::same_socket : proximity::other_socket;
    }
    void number_places() noexcept;

    // All zero describes one CPU, so that an unused static object costs no space in the file.
    std::array<place, max_topology_cpus> places_{};
    int last_ = 0;
    int last_core_ = 0;
    int last_socket_ = 0;
    topology_source source_ = topology_source::flat;
};

}  // namespace teff
