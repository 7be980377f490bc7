// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Also replaces operator new and operator delete: the simulated program allocates from its memory, and the simulator
// from that of the system.
#include <simulator/memory.hpp>
#include <simulator/simulation.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace simulator {
namespace {

void* const fixed_address = reinterpret_cast<void*>(std::uintptr_t{1} << 44);

std::byte* map(std::size_t size) {
    void* const made = ::mmap(fixed_address, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made != fixed_address) {
        std::fputs("teff_simulator: the addresses of the simulated memory are in use; allow the process more address "
                   "space (ulimit -v)\n",
                   stderr);
        std::exit(125);
    }
    return static_cast<std::byte*>(made);
}

}  // namespace

memory::memory() : begin_(map(range)), fresh_(begin_), class_of_page_(range >> page_bits) {}

// 16, 20, 24, 28, 32, 40, ...: the top three bits of the size decide.
unsigned memory::class_of(std::size_t size) noexcept {
    const std::size_t rounded = std::max<std::size_t>(size, 16) - 1;
    const auto power = static_cast<unsigned>(std::bit_width(rounded)) - 1;
    return 4 * (power - 3) + static_cast<unsigned>(rounded >> (power - 2) & 3U);
}
std::size_t memory::size_of(unsigned number) noexcept {
    const unsigned power = number / 4 + 3;
    return std::size_t{number % 4 + 5} << (power - 2);
}

memory::free_lists& memory::own_lists() {
    const simulation* const current = simulation::current();
    const std::size_t thread = current != nullptr ? current->running_thread() : 0;
    if (lists_.size() <= thread)
        lists_.resize(thread + 1);
    return lists_[thread];
}

void* memory::allocate(std::size_t size, std::size_t alignment) noexcept {
    if (simulation* const current = simulation::current())
        current->allocated();
    // Blocks of a power of two are aligned to their size, up to a page.
    const std::size_t needed = alignment > 16 ? std::bit_ceil(std::max(size, alignment)) : (size + 15) / 16 * 16;
    const unsigned number = class_of(needed);
    free_block*& first = own_lists().first[number];
    if (first != nullptr)
        return std::exchange(first, first->next);
    const std::size_t block = (size_of(number) + 15) / 16 * 16;
    if (next_[number] == nullptr || next_[number] + block > end_[number]) {
        const std::size_t pages = std::max(page, (block + page - 1) / page * page);
        if (static_cast<std::size_t>(begin_ + range - fresh_) < pages)
            return nullptr;
        for (std::size_t i = 0; i < pages; i += page)
            class_of_page_[static_cast<std::size_t>(fresh_ + i - begin_) >> page_bits] =
                static_cast<unsigned char>(number);
        next_[number] = fresh_;
        fresh_ += pages;
        end_[number] = fresh_;
    }
    return std::exchange(next_[number], next_[number] + block);
}

void memory::deallocate(void* block) noexcept {
    if (block == nullptr)
        return;
    if (simulation* const current = simulation::current())
        current->allocated();
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(block) - begin_);
    const unsigned number = class_of_page_[offset >> page_bits];
    free_block*& first = own_lists().first[number];
    first = ::new (block) free_block{first};
}

memory& program_memory() {
    static memory the_one;
    return the_one;
}

namespace {

void* allocate_for_anyone(std::size_t size, std::size_t alignment) {
    void* made = nullptr;
    if (program_runs) {
        const simulator_scope scope;
        made = program_memory().allocate(size, alignment);
    } else {
        made = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    }
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

void deallocate_for_anyone(void* block) noexcept {
    const simulator_scope scope;
    if (program_memory().contains(block))
        program_memory().deallocate(block);
    else
        std::free(block);
}

}  // namespace
}  // namespace simulator

void* operator new(std::size_t size) {
    return simulator::allocate_for_anyone(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return simulator::allocate_for_anyone(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { simulator::deallocate_for_anyone(block); }
void operator delete(void* block, std::size_t) noexcept { simulator::deallocate_for_anyone(block); }
void operator delete(void* block, std::align_val_t) noexcept { simulator::deallocate_for_anyone(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { simulator::deallocate_for_anyone(block); }
