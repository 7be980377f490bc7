// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usable CPUs, their NUMA domains, and their distances from each other (the three distances of Blaze-Tasks, section
// 4.3.1).
//
// A topology is a fixed table with one row for each CPU that may be used. It is filled by one of four sources: the
// files of sysfs, hwloc where the library was built with it, a synthetic description, or, if nothing is known, a
// single socket of single-threaded cores. It never allocates and never throws.
//
// Workers get the CPUs in the order of the rows: first one hardware thread of every core, socket by socket and domain
// by domain, and only then the second threads. So a few workers each have a core of their own and share a socket.
// Rejected: all threads of a core in a row, which would put two workers on one core while other cores are empty.
//
// The sources call begin(), add() and finish(), from one thread, before any other thread sees the object. All other
// functions only read, and any number of threads may call them at once.
#pragma once

#include <teff/machine/cpu_mask.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace teff {

// The description of an imaginary machine, as a user or a test writes it: "sockets:8 numa:2 cores:4 threads:2". It lets
// a small machine run the logic of a large one: which victims are near, and which worker starts which others. The words
// may have any order and are separated by blanks or commas. Each may occur once; a missing word counts as 1. `numa`
// (NUMA domains) and `cores` are per socket, `threads` per core; the domains of a socket have as many cores each.

// The largest number of CPUs in a topology, real or synthetic.
inline constexpr int max_topology_cpus = 4096;

// The longest description, in characters.
inline constexpr int max_synthetic_text = 120;

struct synthetic_shape {
    int sockets = 1;
    int cores = 1;    // per socket
    int threads = 1;  // per core
    int numa = 1;     // domains per socket, a divisor of `cores`

    friend bool operator==(const synthetic_shape&, const synthetic_shape&) = default;
};

// The shape that `text` describes. Returns nothing if a word is unknown, occurs twice or has no number of at least 1,
// if there is no word at all, if the text is longer than max_synthetic_text, if the cores of a socket cannot be divided
// among its NUMA domains, or if there would be more than max_topology_cpus CPUs.
[[nodiscard]] std::optional<synthetic_shape> parse_synthetic_shape(std::string_view text) noexcept;

enum class proximity { same_core, same_socket, other_socket };

enum class topology_source { flat, sysfs, hwloc, synthetic };

// The name of a proximity or source as users see it: "same_core", "sysfs" and so on.
[[nodiscard]] const char* name_of(proximity) noexcept;
[[nodiscard]] const char* name_of(topology_source) noexcept;

class topology {
public:
    // One CPU with the number 0.
    constexpr topology() noexcept = default;

    // The number of usable CPUs, cores, sockets and NUMA domains; each at least 1. A core counts if one of its CPUs is
    // usable. A domain lies within a socket: where one has CPUs of several sockets, each socket's part counts as one.
    [[nodiscard]] int cpu_count() const noexcept { return last_ + 1; }
    [[nodiscard]] int core_count() const noexcept { return last_core_ + 1; }
    [[nodiscard]] int socket_count() const noexcept { return last_socket_ + 1; }
    [[nodiscard]] int numa_count() const noexcept { return last_numa_ + 1; }

    [[nodiscard]] topology_source source() const noexcept { return source_; }

    // True if the CPU numbers are those of this machine, so that threads can be bound to them.
    [[nodiscard]] bool is_real() const noexcept { return source_ != topology_source::synthetic; }

    // The operating system's number of the CPU for worker `worker`. If there are more workers than CPUs, several
    // workers share a CPU.
    [[nodiscard]] int cpu_of_worker(unsigned worker) const noexcept { return place_of(worker).cpu; }

    // The core of that CPU, 0 to core_count() - 1.
    [[nodiscard]] int core_of_worker(unsigned worker) const noexcept { return place_of(worker).core; }

    // The socket of that CPU, 0 to socket_count() - 1.
    [[nodiscard]] int socket_of_worker(unsigned worker) const noexcept { return place_of(worker).socket; }

    // The NUMA domain of that CPU, 0 to numa_count() - 1. Not the operating system's number of it.
    [[nodiscard]] int numa_of_worker(unsigned worker) const noexcept { return place_of(worker).numa; }

    // The proximity of the CPUs numbered `cpu_a` and `cpu_b`. A CPU that is not in the table is other_socket to all
    // CPUs but itself. Takes time linear in the number of CPUs.
    [[nodiscard]] proximity between(int cpu_a, int cpu_b) const noexcept;

    // The same for the CPUs of two workers, in constant time.
    [[nodiscard]] proximity of_workers(unsigned worker_a, unsigned worker_b) const noexcept {
        return of_places(place_of(worker_a), place_of(worker_b));
    }

    // Empties the table for a new description from `source`.
    void begin(topology_source source) noexcept;
    // Adds a CPU. CPUs with equal `socket_key` share a socket; those whose `numa_key`, or `core_key`, is equal as well
    // share a NUMA domain, or a core. The keys may be any numbers. CPUs beyond max_topology_cpus and negative CPU
    // numbers are left out.
    void add(int cpu, int socket_key, int core_key, int numa_key = 0) noexcept;
    // Numbers and orders the CPUs that were added. Returns false if there were none; the topology is then that of one
    // CPU.
    bool finish() noexcept;

private:
    struct place {
        int cpu;
        int core;    // the source's key until finish(); then a number from 0, unique in the machine
        int socket;  // the same
        int numa;    // the same
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

    // All zeros describe one CPU, so that a static object that is not used yet needs no space in the executable.
    std::array<place, max_topology_cpus> places_{};
    int last_ = 0;
    int last_core_ = 0;
    int last_socket_ = 0;
    int last_numa_ = 0;
    topology_source source_ = topology_source::flat;
};

}  // namespace teff
