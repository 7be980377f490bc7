// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the calling thread by sched_setaffinity, and pages by mbind; see placement.hpp.
#include <teff/machine/placement.hpp>

#include <array>
#include <climits>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff {
namespace {

bool is_first_thread() noexcept { return ::syscall(SYS_gettid) == ::getpid(); }

}  // namespace

bool bind_worker_thread(const topology& machine, unsigned worker) noexcept {
    if (is_first_thread() || !machine.is_real())
        return false;
    cpu_mask one;
    one.add(machine.cpu_of_worker(worker));
    return one.bind_calling_thread();
}

void scoped_binding::bind(const cpu_mask& to) noexcept {
    if (is_first_thread())
        return;
    before_ = cpu_mask::of_calling_thread();
    if (!to.bind_calling_thread())
        before_.reset();
}

void scoped_binding::restore() noexcept {
    // The CPUs may have been taken from the process meanwhile; then the worker stays where it is.
    [[maybe_unused]] const bool restored = before_->bind_calling_thread();
}

}  // namespace teff

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
