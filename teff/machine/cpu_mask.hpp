// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of CPU numbers, large enough for every Linux machine.
//
// The C library's fixed cpu_set_t ends at 1024 CPUs, and the kernel refuses to answer through it on a larger machine.
// The library's dynamic variant allocates. This mask is a plain value of one kilobyte with the layout that the kernel
// expects. One thread at a time may change an object; any number of threads may read an object that no thread
// changes.
#pragma once

#include <array>
#include <cstddef>

namespace teff {

class cpu_mask {
public:
    // CPU numbers are below this: the largest number for which Linux can be configured on any machine we know.
    static constexpr int capacity = 8192;

    // The CPUs that the calling thread may run on. If the system does not tell, all CPUs that are online, numbered
    // from 0. Never empty.
    [[nodiscard]] static cpu_mask of_calling_thread() noexcept;
    // The CPUs that the thread with this number (gettid) may run on; empty if the system does not tell.
    [[nodiscard]] static cpu_mask of_thread(int thread) noexcept;

    // Adds `cpu`; numbers outside 0..capacity-1 are ignored.
    constexpr void add(int cpu) noexcept {
        if (cpu >= 0 && cpu < capacity)
            words_[word_of(cpu)] |= bit_of(cpu);
    }

    constexpr void remove(int cpu) noexcept {
        if (cpu >= 0 && cpu < capacity)
            words_[word_of(cpu)] &= ~bit_of(cpu);
    }

    // False for every number outside 0..capacity-1.
    [[nodiscard]] constexpr bool contains(int cpu) const noexcept {
        return cpu >= 0 && cpu < capacity && (words_[word_of(cpu)] & bit_of(cpu)) != 0;
    }

    // How many CPUs it holds.
    [[nodiscard]] constexpr int count() const noexcept {
        int total = 0;
        for (const unsigned long word : words_)
            total += __builtin_popcountl(word);
        return total;
    }

    // Restricts the calling thread, and no other, to these CPUs. Returns false and changes nothing if the system
    // refuses (no CPU of the set exists and is allowed).
    [[nodiscard]] bool bind_calling_thread() const noexcept { return bind_thread(0); }
    // The same for the thread with this number (gettid), which belongs to this process; 0 is the calling thread.
    [[nodiscard]] bool bind_thread(int thread) const noexcept;

private:
    static constexpr int word_bits = static_cast<int>(8 * sizeof(unsigned long));
    static constexpr std::size_t word_of(int cpu) noexcept { return static_cast<std::size_t>(cpu / word_bits); }
    static constexpr unsigned long bit_of(int cpu) noexcept { return 1UL << (cpu % word_bits); }

    std::array<unsigned long, capacity / word_bits> words_{};
};

}  // namespace teff
