// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of the simulated program. It lies at a fixed address, so that the same program has the same cache lines in
// each run.
//
// Sizes are rounded up to four classes per power of two. Each thread takes what it has given back last, else a new
// block. Pages belong to one class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace simulator {

// Whether the simulated program runs, and not the simulator on its behalf. What is allocated then is the program's.
inline bool program_runs = false;

// The scope of an operation that the simulated program has passed to the simulator. A switch to another thread ends in
// a scope, too, or at the begin of a thread (simulation.cpp).
class simulator_scope {
public:
    simulator_scope() noexcept : before_(std::exchange(program_runs, false)) {}
    ~simulator_scope() { program_runs = before_; }
    simulator_scope(const simulator_scope&) = delete;
    simulator_scope& operator=(const simulator_scope&) = delete;

private:
    const bool before_;
};

class memory {
public:
    // Ends the program with a message if the address range is not free.
    memory();
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;

    // alignment: a power of two, at most the size of a page. Returns nullptr if the range is used up.
    void* allocate(std::size_t size, std::size_t alignment) noexcept;
    void deallocate(void* block) noexcept;
    bool contains(const void* block) const noexcept {
        const auto* const at = static_cast<const std::byte*>(block);
        return at >= begin_ && at < begin_ + range;
    }

private:
    static constexpr std::size_t range = std::size_t{1} << 36;
    static constexpr std::size_t page_bits = 18, page = std::size_t{1} << page_bits;
    static constexpr unsigned classes = 4 * 40;

    struct free_block {
        free_block* next;
    };
    struct free_lists {
        std::array<free_block*, classes> first{};
    };

    static unsigned class_of(std::size_t size) noexcept;
    static std::size_t size_of(unsigned number) noexcept;
    free_lists& own_lists();

    std::byte* const begin_;
    std::byte* fresh_;  // pages from here on are unused
    std::vector<unsigned char> class_of_page_;
    std::array<std::byte*, classes> next_{}, end_{};  // of the page that new blocks of a class come from
    std::vector<free_lists> lists_;                   // by thread
};

memory& program_memory();

}  // namespace simulator
