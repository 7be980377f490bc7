// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps and moves pages; see local_pages.hpp. mbind is called as a system call, since the C library has no wrapper of
// it.
#include <teff/machine/local_pages.hpp>

#include <array>
#include <climits>

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff::local_pages {
namespace {

constexpr std::size_t bits_per_word = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t max_nodes = 1024;  // of Linux

std::size_t whole_pages(std::size_t bytes) noexcept { return (bytes + page_size() - 1) / page_size() * page_size(); }

}  // namespace

std::size_t page_size() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

unsigned current_node() noexcept {
    unsigned cpu = 0, node = 0;
    return ::syscall(SYS_getcpu, &cpu, &node, nullptr) == 0 ? node : 0;
}

void* map(std::size_t bytes) noexcept {
    const std::size_t size = whole_pages(bytes);
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    // A kernel without huge pages refuses this, which does no harm.
    [[maybe_unused]] const int ignored = ::madvise(memory, size, MADV_NOHUGEPAGE);
    move_here(memory, bytes);
    return memory;
}

bool move_here(void* memory, std::size_t bytes) noexcept {
    const std::size_t node = current_node();
    if (node >= max_nodes)
        return false;
    std::array<unsigned long, max_nodes / bits_per_word> nodes{};
    nodes[node / bits_per_word] = 1UL << node % bits_per_word;
    // Preferred, so that a node without free memory is no error. The kernel reads one bit less than the given number.
    return ::syscall(SYS_mbind, memory, whole_pages(bytes), MPOL_PREFERRED, nodes.data(), max_nodes + 1,
                     MPOL_MF_MOVE) == 0;
}

void unmap(void* memory, std::size_t bytes) noexcept { ::munmap(memory, whole_pages(bytes)); }

}  // namespace teff::local_pages
