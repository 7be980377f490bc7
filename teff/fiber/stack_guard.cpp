// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, checks and gives back the guards; see stack_guard.hpp.
#include <teff/fiber/stack_guard.hpp>

#include <teff/base/atomic.hpp>
#include <teff/machine/text_file.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace teff {
namespace {

constexpr int madv_guard_install = 102;  // MADV_GUARD_INSTALL, which older headers do not have

// Whether the kernel supports marks.
enum class knowledge : unsigned char { unknown, has, has_not };
constinit atomic<knowledge> marks{knowledge::unknown};

// Whether madvise() refuses an unknown advice, as kernels do. An emulator of system calls may accept any advice and do
// nothing (qemu's user mode does), and then an accepted mark protects nothing.
bool refuses_unknown_advice(std::byte* memory) noexcept {
    constexpr int no_advice = 0x5EFF;
    return ::madvise(memory, stack_guard_size, no_advice) != 0;
}

bool make_mark(std::byte* guard) noexcept {
    // relaxed, here and below: a hint that saves system calls; threads that ask the kernel at the same time get the
    // same answer.
    const knowledge known = marks.load(std::memory_order_relaxed);
    if (known == knowledge::has_not)
        return false;
    if (known == knowledge::unknown && !refuses_unknown_advice(guard)) {
        marks.store(knowledge::has_not, std::memory_order_relaxed);
        return false;
    }
    if (::madvise(guard, stack_guard_size, madv_guard_install) == 0) {
        if (known == knowledge::unknown)
            marks.store(knowledge::has, std::memory_order_relaxed);
        return true;
    }
    if (errno == EINVAL)
        marks.store(knowledge::has_not, std::memory_order_relaxed);
    return false;
}

// How many guards of kind `mapping` can still be made.
class mapping_budget {
public:
    bool take() noexcept {
        // relaxed, here and below: a count that publishes nothing.
        long left = left_.load(std::memory_order_relaxed);
        if (left == unknown) {
            const long allowed = allowed_at_first();
            if (left_.compare_exchange_strong(left, allowed, std::memory_order_relaxed, std::memory_order_relaxed))
                left = allowed;
        }
        while (left > 0)
            if (left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed, std::memory_order_relaxed))
                return true;
        return false;
    }
    void give_back(long guards) noexcept { left_.fetch_add(guards, std::memory_order_relaxed); }

private:
    static constexpr long unknown = -1;

    static long allowed_at_first() noexcept {
        constexpr int usual = 65'530, mappings_of_a_guard = 2, share = 2;
        return read_leading_number("/proc/sys/vm/max_map_count").value_or(usual) / mappings_of_a_guard / share;
    }

    atomic<long> left_{unknown};
};

constinit mapping_budget mappings;

bool make_mapping(std::byte* guard) noexcept {
    if (!mappings.take())
        return false;
    if (::mprotect(guard, stack_guard_size, PROT_NONE) == 0)
        return true;
    mappings.give_back(1);
    return false;
}

struct canary_words {
    std::uint64_t words[canary_size / sizeof(std::uint64_t)];
};

// The words differ from stack to stack, so that bytes copied from another stack do not pass for the canary.
canary_words canary_of(const void* lowest) noexcept {
    canary_words made{};
    std::uint64_t word = reinterpret_cast<std::uintptr_t>(lowest) ^ 0x9E37'79B9'7F4A'7C15U;
    for (std::uint64_t& each : made.words)
        each = word *= 0xBF58'476D'1CE4'E5B9U;
    return made;
}

}  // namespace

stack_guard make_stack_guard(std::byte* lowest) noexcept {
    std::byte* const guard = lowest - stack_guard_size;
    if (make_mark(guard))
        return stack_guard::mark;
    return make_mapping(guard) ? stack_guard::mapping : stack_guard::canary;
}

void give_back_guard_mappings(long guards) noexcept {
    if (guards != 0)
        mappings.give_back(guards);
}

void write_canary(void* lowest) noexcept {
    const canary_words made = canary_of(lowest);
    std::memcpy(lowest, &made, sizeof made);
}

bool canary_is_intact(const void* lowest) noexcept {
    const canary_words made = canary_of(lowest);
    return std::memcmp(lowest, &made, sizeof made) == 0;
}

}  // namespace teff
