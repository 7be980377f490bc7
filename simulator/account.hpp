// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the virtual time of a thread goes, and which places of the program wait for cache lines.
#pragma once

#include <simulator/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <unordered_map>
#include <vector>

namespace simulator {

enum class cause : unsigned char {
    work,       // declared by the program
    near_line,  // waits for a line from its socket
    far_line,   // from another one
    spin,       // pauses and yields
    wake,       // wakes other threads, or comes to run after it was woken
    interrupt,  // by fences that other threads ask for
    asleep,     // until it was woken
    queued,     // ready to run, on a processor that runs another thread
};
inline constexpr std::size_t cause_count = 8;
const char* name_of(cause) noexcept;

struct account {
    std::array<duration, cause_count> time{};
    std::uint64_t near_lines = 0, far_lines = 0;

    duration& operator[](cause why) noexcept { return time[static_cast<std::size_t>(why)]; }
    duration operator[](cause why) const noexcept { return time[static_cast<std::size_t>(why)]; }
    account& operator+=(const account& other) noexcept;
    account& operator-=(const account& other) noexcept;
};

// A place in the program that has made a line move: an atomic operation, or an access to ordinary memory.
struct transfer_site {
    const char* file = nullptr;  // of an atomic operation
    unsigned line = 0;
    const void* code = nullptr;  // of another access
};

class transfer_sites {
public:
    struct row {
        std::string where;  // file:line; the address of the code if that is not known
        std::uint64_t transfers = 0;
        duration waited = 0;
        const void* code = nullptr;
    };

    void count(const transfer_site& at, duration waited);
    void clear() noexcept { found_.clear(); }
    // Those with the most transfers first, at most `limit`.
    std::vector<row> most(std::size_t limit) const;

private:
    struct counted {
        transfer_site at;
        std::uint64_t transfers = 0;
        duration waited = 0;
    };
    std::unordered_map<std::uint64_t, counted> found_;
};

}  // namespace simulator
