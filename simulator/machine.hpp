// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated machine: how many processors it has, how near they are to each other, and what things cost on it.
//
// Processors are numbered as the runtime orders them (teff/machine/topology.hpp): first one of each core, socket by
// socket, then the second ones. Costs are in nanoseconds. Those of the default machine are measured on a real one
// (calibrate.cpp); what cannot be measured there comes from the sources that docs/simulator.md names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simulator {

// A time or a length of time: picoseconds.
using duration = std::int64_t;
constexpr duration picoseconds(double ns) noexcept { return static_cast<duration>(ns * 1000); }

struct costs {
    double access = 0.4;         // an access to memory that the core has in its cache, with the instructions around it
    double modify = 6;           // a read-modify-write of such memory; added to the access
    double fence = 7;            // a full fence
    double near_line = 60;       // to get a cache line from another core of the socket
    double far_line = 140;       // from another socket
    double shared_line = 30;     // one that no core has any more, from the socket's shared cache
    double memory_line = 100;    // the same, from memory
    double pause = 20;           // a pause instruction
    double system_call = 250;    // one that does little: a yield that finds no other thread, a wake-up of nobody
    double wake = 1500;          // to wake a sleeping thread, for the thread that does so; also a context switch
    double wake_delay = 5000;    // from then until the sleeping thread runs
    double heavy_fence = 2500;   // a fence in each thread of the process, for the thread that asks for it
};

class machine {
public:
    static constexpr unsigned max_cores = 512;
    static constexpr unsigned max_processors = 1024;
    static constexpr double cycles_per_ns = 2.5;  // of the counter that base/clock.hpp reads

    // One socket with two cores.
    machine() noexcept = default;
    machine(unsigned sockets, unsigned cores, unsigned threads) noexcept
        : sockets_(sockets), cores_(cores), threads_(threads) {}

    // "8x24": sockets, cores of each; "8x24x2": threads of each core, too. Returns nothing if it is malformed, a number
    // is 0, or there would be too many cores or processors.
    static std::optional<machine> parse(std::string_view text) noexcept;
    std::string name() const;

    unsigned sockets() const noexcept { return sockets_; }
    unsigned cores_per_socket() const noexcept { return cores_; }
    unsigned threads_per_core() const noexcept { return threads_; }
    unsigned cores() const noexcept { return sockets_ * cores_; }
    unsigned processors() const noexcept { return cores() * threads_; }
    unsigned core_of(unsigned processor) const noexcept { return processor % cores(); }
    unsigned socket_of_core(unsigned core) const noexcept { return core / cores_; }

    // Sets the cost with this name, the slowdown of `smt`, or the size of a cache (`private_kib`, `shared_kib`).
    // Returns false if there is none, or if the value is negative, not finite or far too large.
    bool set(std::string_view name, double value) noexcept;
    const costs& prices() const noexcept { return costs_; }
    // All that set() knows, with their values now.
    std::vector<std::pair<std::string_view, double>> prices_by_name() const;
    // The last processors, which the process counts as its own, run other programs all the time. At least one is left.
    void keep_busy(unsigned count) noexcept { kept_busy_ = count < processors() ? count : processors() - 1; }
    unsigned kept_busy() const noexcept { return kept_busy_; }
    // The lines for which a core's private cache and a socket's shared cache have room; 0: no limit.
    std::size_t private_lines() const noexcept { return lines_in(private_kib_); }
    std::size_t shared_lines() const noexcept { return lines_in(shared_kib_); }
    // How many times longer a thread takes while the other thread of its core is busy.
    double smt_slowdown() const noexcept { return smt_slowdown_; }

private:
    static std::size_t lines_in(double kib) noexcept { return static_cast<std::size_t>(kib * 16); }

    unsigned sockets_ = 1, cores_ = 2, threads_ = 1;
    unsigned kept_busy_ = 0;
    costs costs_;
    double smt_slowdown_ = 1.6;
    double private_kib_ = 0, shared_kib_ = 0;
};

}  // namespace simulator
