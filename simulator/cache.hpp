// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cores have which cache lines, and how long it takes to get one: a directory of all lines that were used.
//
// A line is at the cores that have read it since it was last written. A write takes it away from all other cores. A
// line that moves is busy until it has arrived, so cores that want it at the same time get it one after the other;
// copies of a line that no core has changed are made at the same time. A line that no core has used costs nothing more
// than one that the core has.
//
// By default caches have no limit. With one, a core that gets a line gives up the oldest one that it has got, in the
// order in which they came: an order of use would cost the simulation more, and lines in constant use come back soon. A
// line that no core has is in the shared cache of the socket that has given it up last, until that one is full, too,
// and then in memory.
#pragma once

#include <simulator/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace simulator {

enum class distance : unsigned char { here, near, far };

class cache_directory {
public:
    using line_number = std::uint64_t;
    static constexpr unsigned line_bits = 6;
    static line_number line_of(const void* address) noexcept {
        return reinterpret_cast<std::uintptr_t>(address) >> line_bits;
    }

    struct line {
        line_number number = 0;  // 0: the place is free
        duration busy_until = 0;
        bool is_dirty = false;   // its only copy may be written
        bool is_shared = false;  // a shared cache has it, if no core has
        std::array<std::uint64_t, machine::max_cores / 64> holders{};  // a bit for each core

        bool is_held_by(unsigned core) const noexcept { return (holders[core / 64] >> core % 64 & 1U) != 0; }
    };

    explicit cache_directory(const machine& simulated);

    // The line, which is valid until the next call. A line that nobody has used becomes the core's.
    line& find(line_number number, unsigned core) {
        std::size_t place = place_of(number);
        for (; lines_[place].number != number; place = (place + 1) & mask_) {
            if (lines_[place].number == 0) [[unlikely]]
                return add(number, core);
        }
        return lines_[place];
    }

    // Whether the core may access the line at once. A write asks for the only copy.
    static bool is_ready(const line& at, unsigned core, bool writes) noexcept {
        return at.is_held_by(core) && (!writes || at.is_dirty);
    }

    struct transfer {
        duration done;
        distance from;
    };
    // Brings the line to the core, for a request at `now`. `slower`: what a far and a near transfer take in this run,
    // in proportion to their costs.
    transfer move(line& what, unsigned core, bool writes, duration now, double slower) noexcept;

private:
    // The lines that a cache has got, the oldest first; none if it has no limit. Those taken away stay until it is
    // their turn.
    class arrivals {
    public:
        void set_room(std::size_t lines) { lines_.resize(lines); }
        // Returns the number of the line that leaves; 0: none.
        line_number put(line_number number) noexcept {
            if (lines_.empty())
                return 0;
            next_ = next_ + 1 == lines_.size() ? 0 : next_ + 1;
            return std::exchange(lines_[next_], number);
        }

    private:
        std::vector<line_number> lines_;
        std::size_t next_ = 0;
    };

    // The core has got this line, and may have to give another one up.
    void make_room(unsigned core, line_number number) noexcept;
    line* find_used(line_number number) noexcept;
    std::size_t place_of(line_number number) const noexcept {
        return static_cast<std::size_t>(number * 0x9E3779B97F4A7C15U >> 20) & mask_;
    }
    line& add(line_number number, unsigned core);
    void grow();
    bool has_holder(const line& held) const noexcept;
    bool has_holder_elsewhere(const line& held, unsigned core) const noexcept;
    bool has_holder_near(const line& held, unsigned core) const noexcept;

    const machine& machine_;
    std::vector<line> lines_;
    std::size_t mask_, used_ = 0;
    std::vector<arrivals> of_core_, of_socket_;
    // For each socket, its cores.
    std::vector<std::array<std::uint64_t, machine::max_cores / 64>> cores_of_socket_;
};

}  // namespace simulator
