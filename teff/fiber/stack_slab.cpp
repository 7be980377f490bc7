// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps slabs, and places stacks and guards in them; see stack_slab.hpp.
#include <teff/fiber/stack_slab.hpp>

#include <teff/base/assert.hpp>

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace teff {
namespace {

// The address space of a slab, unless a single stack needs more.
constexpr std::size_t usual_slab = std::size_t{16} << 20;
constexpr std::size_t header_size = 48 * 1024;

}  // namespace

stack_slab* stack_slab::map(std::size_t stack_size) noexcept {
    static_assert(sizeof(stack_slab) <= header_size);
    const std::size_t step = stack_guard_size + stack_size;
    // If the limit of address space is too low for this size, tries smaller slabs.
    for (std::size_t count = std::clamp<std::size_t>(usual_slab / step, 1, most_stacks); count != 0; count /= 4) {
        const std::size_t size = header_size + count * step;
        void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (mapped == MAP_FAILED)
            continue;
        // With huge pages the first use of a stack could take the memory of a hundred stacks. (Newer kernels avoid them
        // for MAP_STACK.)
        ::madvise(mapped, size, MADV_NOHUGEPAGE);
        return ::new (mapped) stack_slab(stack_size, size, static_cast<unsigned>(count));
    }
    return nullptr;
}

bool stack_slab::unmap() noexcept {
    TEFF_ASSERT(is_unused(), "a slab with a used stack is unmapped");
    const auto guards = static_cast<long>(std::count(guards_, guards_ + begun_, stack_guard::mapping));
    if (::munmap(this, mapped_) != 0)
        return false;
    give_back_guard_mappings(guards);
    return true;
}

std::byte* stack_slab::lowest_of(unsigned number) noexcept {
    return reinterpret_cast<std::byte*>(this) + header_size + number * (stack_guard_size + stack_size_) +
           stack_guard_size;
}

unsigned stack_slab::take() noexcept { return free_count_ != 0 ? free_[--free_count_] : begun_++; }

void stack_slab::give_back(const fiber_stack& stack) noexcept {
    const auto distance = static_cast<std::size_t>(static_cast<std::byte*>(stack.lowest) - lowest_of(0));
    free_[free_count_++] = static_cast<std::uint16_t>(distance / (stack_guard_size + stack_size_));
}

fiber_stack stack_slab::stack_at(unsigned number) noexcept {
    std::byte* const lowest = lowest_of(number);
    stack_guard& guard = guards_[number];
    // A stack with a canary gets a better guard if the budget of mappings allows it now.
    if (guard == stack_guard::none || guard == stack_guard::canary)
        guard = make_stack_guard(lowest);
    if (guard == stack_guard::canary)
        write_canary(lowest);
    return {lowest, stack_size_, this, guard, records_ + number};
}

bool stack_slab::find_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept {
    for (unsigned number = 0; number < begun_; ++number)
        if (visit({lowest_of(number), stack_size_, this, stack_guard::none, records_ + number}, argument))
            return true;
    return false;
}

void stack_slab::clean(const fiber_stack& stack) noexcept { ::madvise(stack.lowest, stack.size, MADV_DONTNEED); }

}  // namespace teff
