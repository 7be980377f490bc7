// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directory of cache lines; see cache.hpp.
#include <simulator/cache.hpp>

#include <algorithm>
#include <utility>

namespace simulator {
namespace {

constexpr std::size_t first_size = std::size_t{1} << 16;

}  // namespace

cache_directory::cache_directory(const machine& simulated)
    : machine_(simulated), lines_(first_size), mask_(first_size - 1), of_core_(simulated.cores()),
      of_socket_(simulated.sockets()), cores_of_socket_(simulated.sockets()) {
    for (arrivals& each : of_core_)
        each.set_room(simulated.private_lines());
    for (arrivals& each : of_socket_)
        each.set_room(simulated.shared_lines());
    for (unsigned core = 0; core < simulated.cores(); ++core)
        cores_of_socket_[simulated.socket_of_core(core)][core / 64] |= std::uint64_t{1} << core % 64;
}

cache_directory::line& cache_directory::add(line_number number, unsigned core) {
    if (++used_ > mask_ / 2)
        grow();
    std::size_t place = place_of(number);
    while (lines_[place].number != 0)
        place = (place + 1) & mask_;
    line& made = lines_[place];
    made.number = number;
    made.is_dirty = true;
    made.holders[core / 64] = std::uint64_t{1} << core % 64;
    make_room(core, number);
    return made;
}

cache_directory::line* cache_directory::find_used(line_number number) noexcept {
    for (std::size_t place = place_of(number); lines_[place].number != 0; place = (place + 1) & mask_) {
        if (lines_[place].number == number)
            return &lines_[place];
    }
    return nullptr;
}

void cache_directory::make_room(unsigned core, line_number number) noexcept {
    const line_number oldest = of_core_[core].put(number);
    line* const left = oldest == 0 || oldest == number ? nullptr : find_used(oldest);
    if (left == nullptr || !left->is_held_by(core))
        return;
    left->holders[core / 64] &= ~(std::uint64_t{1} << core % 64);
    if (has_holder(*left))
        return;
    left->is_dirty = false;
    left->is_shared = true;
    const line_number dropped = of_socket_[machine_.socket_of_core(core)].put(oldest);
    if (line* const gone = dropped == 0 || dropped == oldest ? nullptr : find_used(dropped))
        gone->is_shared = false;
}

bool cache_directory::has_holder(const line& held) const noexcept {
    return std::any_of(held.holders.begin(), held.holders.end(), [](std::uint64_t cores) { return cores != 0; });
}

void cache_directory::grow() {
    const std::vector<line> old = std::exchange(lines_, std::vector<line>(2 * lines_.size()));
    mask_ = lines_.size() - 1;
    for (const line& each : old) {
        if (each.number == 0)
            continue;
        std::size_t place = place_of(each.number);
        while (lines_[place].number != 0)
            place = (place + 1) & mask_;
        lines_[place] = each;
    }
}

bool cache_directory::has_holder_elsewhere(const line& held, unsigned core) const noexcept {
    const auto& cores = cores_of_socket_[machine_.socket_of_core(core)];
    for (std::size_t i = 0; i < cores.size(); ++i) {
        if ((held.holders[i] & ~cores[i]) != 0)
            return true;
    }
    return false;
}

bool cache_directory::has_holder_near(const line& held, unsigned core) const noexcept {
    const auto& cores = cores_of_socket_[machine_.socket_of_core(core)];
    for (std::size_t i = 0; i < cores.size(); ++i) {
        if ((held.holders[i] & cores[i]) != 0)
            return true;
    }
    return false;
}

// A reader gets a copy from the nearest core that has one. A writer waits for the farthest core to give its copy up. A
// line that no core has any more comes from a shared cache or from memory, and counts as one from near.
cache_directory::transfer cache_directory::move(line& what, unsigned core, bool writes, duration now,
                                                double slower) noexcept {
    const bool is_lost = !has_holder(what), has_it = what.is_held_by(core);
    if (is_lost) {
        const double ns = what.is_shared ? machine_.prices().shared_line : machine_.prices().memory_line;
        what.busy_until = std::max(now, what.busy_until) + picoseconds(ns * slower);
        what.is_dirty = true;
        what.holders[core / 64] |= std::uint64_t{1} << core % 64;
        make_room(core, what.number);
        return {what.busy_until, distance::near};
    }
    const bool is_far = writes ? has_holder_elsewhere(what, core) : !has_holder_near(what, core);
    const double ns = is_far ? machine_.prices().far_line : machine_.prices().near_line;
    const duration begin = std::max(now, what.busy_until);
    const duration done = begin + picoseconds(ns * slower);
    if (writes) {
        what.holders.fill(0);
        what.busy_until = done;
    } else if (std::exchange(what.is_dirty, false)) {
        what.busy_until = done;
    }
    what.is_dirty = writes;
    what.holders[core / 64] |= std::uint64_t{1} << core % 64;
    if (!has_it)
        make_room(core, what.number);
    return {done, is_far ? distance::far : distance::near};
}

}  // namespace simulator
