// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses mmap, mlock, and the system calls for memory policies, for which the C library has no wrappers.
#include <teff/frontends/openmp/core/data/pages.hpp>

#include <teff/machine/placement.hpp>

#include <array>
#include <climits>
#include <cstdint>

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff::openmp {
namespace {

constexpr std::size_t bits_per_word = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t max_nodes = 1024;  // of Linux

using node_set = std::array<unsigned long, max_nodes / bits_per_word>;

// The nodes that the process may use; empty if the kernel does not support the call.
node_set usable_nodes() noexcept {
    node_set nodes{};
    int policy = 0;
    if (::syscall(SYS_get_mempolicy, &policy, nodes.data(), max_nodes, nullptr, MPOL_F_MEMS_ALLOWED) != 0)
        nodes = {};
    return nodes;
}

bool has(const node_set& nodes, std::size_t node) noexcept {
    return (nodes[node / bits_per_word] >> node % bits_per_word & 1) != 0;
}

// If the kernel refuses, it chooses the nodes.
void bind_pages(void* memory, std::size_t size, int policy, const node_set& nodes) noexcept {
    // The kernel reads one bit less than the given number.
    [[maybe_unused]] const long ignored = ::syscall(SYS_mbind, memory, size, policy, nodes.data(), max_nodes + 1, 0);
}

void place_in_blocks(std::byte* memory, std::size_t size) noexcept {
    const node_set nodes = usable_nodes();
    std::size_t count = 0;
    for (std::size_t node = 0; node < max_nodes; ++node)
        count += has(nodes, node) ? 1 : 0;
    if (count < 2)
        return;
    const std::size_t page = local_pages::page_size(), pages = (size + page - 1) / page;
    std::size_t block = 0;
    for (std::size_t node = 0; node < max_nodes; ++node) {
        if (!has(nodes, node))
            continue;
        const std::size_t first = pages * block / count, end = pages * (block + 1) / count;
        ++block;
        if (first == end)
            continue;
        node_set one{};
        one[node / bits_per_word] = 1UL << node % bits_per_word;
        bind_pages(memory + first * page, (end - first) * page, MPOL_PREFERRED, one);
    }
}

}  // namespace

void* map_pages(std::size_t size, partition where, bool is_pinned) noexcept {
    void* memory = nullptr;
    if (where == partition::nearest) {
        memory = local_pages::map(size);
    } else {
        memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            memory = nullptr;
    }
    if (memory == nullptr)
        return nullptr;
    if (where == partition::interleaved)
        bind_pages(memory, size, MPOL_INTERLEAVE, usable_nodes());
    else if (where == partition::blocked)
        place_in_blocks(static_cast<std::byte*>(memory), size);
    // Touches the pages, so it comes last.
    if (is_pinned && ::mlock(memory, size) != 0) {
        unmap_pages(memory, size);
        return nullptr;
    }
    return memory;
}

void unmap_pages(void* memory, std::size_t size) noexcept { ::munmap(memory, size); }

}  // namespace teff::openmp
