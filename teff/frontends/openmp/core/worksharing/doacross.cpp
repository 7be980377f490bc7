// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a doacross loop.
#include <teff/frontends/openmp/core/worksharing/doacross.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>

#include <algorithm>
#include <memory>
#include <new>

namespace teff::openmp {
namespace {

// 0: the product of the loops' lengths is too large.
std::uint64_t words_for(std::span<const iteration_space> loops, std::uint64_t bits) noexcept {
    constexpr std::uint64_t most = std::uint64_t{1} << 56;
    // If one loop is empty, GCC leaves the lengths of others unset.
    if (std::ranges::any_of(loops, [](const iteration_space& each) { return each.count == 0; }))
        return 1;
    std::uint64_t iterations = 1;
    for (const iteration_space& each : loops)
        if (each.count > most || __builtin_mul_overflow(iterations, each.count, &iterations) || iterations > most)
            return 0;
    return iterations / bits + 1;
}

}  // namespace

std::size_t doacross::size_for(std::span<const iteration_space> loops) noexcept {
    const std::uint64_t words = words_for(loops, bits);
    return words == 0 ? 0 : sizeof(doacross) + loops.size_bytes() + words * sizeof(word);
}

doacross& doacross::make(void* memory, std::span<const iteration_space> loops) noexcept {
    static_assert(sizeof(doacross) % alignof(iteration_space) == 0 && alignof(iteration_space) == alignof(word));
    auto* const made = ::new (memory) doacross(static_cast<unsigned>(loops.size()));
    std::uninitialized_copy(loops.begin(), loops.end(), made->spaces());
    std::uninitialized_value_construct_n(made->words(), words_for(loops, bits));
    return *made;
}

void begin_doacross(place& caller, std::span<const iteration_space> loops) noexcept {
    if (caller.size == 1)
        return;
    const std::size_t size = doacross::size_for(loops);
    if (size == 0)
        fatal("OpenMP", "the loops of an ordered(n) clause have too many iterations",
              "give the clause fewer loops, or split the outermost one");
    void* const memory = enter_early(caller).crossing.get(size, [&](void* made) { doacross::make(made, loops); });
    caller.work.crossing = std::launder(static_cast<doacross*>(memory));
}

}  // namespace teff::openmp
