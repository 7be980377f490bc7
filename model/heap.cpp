// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bump allocation, and a table from lines of the heap to allocations.
#include <model/heap.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace model {
namespace {

constexpr std::uintptr_t base_address = 0x100000000000;
constexpr int fill_pattern = 0xCD;

std::size_t round_up(std::size_t value, std::size_t multiple) noexcept {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

heap::heap() {
    void* const wanted = reinterpret_cast<void*>(base_address);
    void* const got = ::mmap(wanted, total_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
        std::fprintf(stderr,
                     "teff_model: the address range from %p is not free; run it without other preloaded "
                     "libraries\n",
                     wanted);
        std::exit(2);
    }
    base_ = static_cast<std::byte*>(got);
    // A guard page: a stack overflow ends the program.
    constexpr std::size_t page = 4096;
    for (unsigned thread = 0; thread < max_threads; ++thread)
        ::mprotect(stack_top(thread) - stack_size, page, PROT_NONE);
}

void heap::begin() noexcept {
    for (unsigned thread = 0; thread < max_threads; ++thread) {
        part& mine = parts_[thread];
        const std::size_t first = thread * part_size / line;
        std::fill_n(covered_by_.begin() + static_cast<std::ptrdiff_t>(first), mine.used / line, std::uint16_t{0});
        mine.used = 0;
        mine.allocations.clear();
    }
}

void* heap::allocate(unsigned thread, std::size_t size, std::size_t alignment) noexcept {
    part& mine = parts_[thread];
    const std::size_t begin = round_up(mine.used, std::max(alignment, line));
    if (size > part_size || begin + round_up(size, line) + line > part_size)
        return nullptr;
    const std::size_t end = begin + std::max(round_up(size, line), line);
    std::byte* const memory = base_ + thread * part_size + begin;
    mine.allocations.push_back({memory, size, thread, false});
    const auto number = static_cast<std::uint16_t>(mine.allocations.size());
    const std::size_t first_line = (thread * part_size + begin) / line;
    std::fill_n(covered_by_.begin() + static_cast<std::ptrdiff_t>(first_line), (end - begin) / line, number);
    std::memset(memory, fill_pattern, size);
    mine.used = end + line;
    return memory;
}

allocation* heap::find(const void* address, std::size_t size) noexcept {
    const std::size_t at = offset(address);
    const std::uint16_t number = covered_by_[at / line];
    if (number == 0)
        return nullptr;
    allocation& around = parts_[at / part_size].allocations[number - 1U];
    return static_cast<const std::byte*>(address) + size <= around.begin + around.size ? &around : nullptr;
}

allocation* heap::find_begin(void* memory) noexcept {
    if (!contains(memory))
        return nullptr;
    const std::uint16_t number = covered_by_[offset(memory) / line];
    if (number == 0)
        return nullptr;
    allocation& around = parts_[offset(memory) / part_size].allocations[number - 1U];
    return around.begin == memory ? &around : nullptr;
}

const allocation* heap::leaked() const noexcept {
    for (const part& each : parts_) {
        for (const allocation& block : each.allocations) {
            if (!block.freed)
                return &block;
        }
    }
    return nullptr;
}

std::byte* heap::stack_top(unsigned thread) const noexcept { return base_ + heap_size + (thread + 1) * stack_size; }

}  // namespace model
