// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doacross loops (OpenMP 5.1, section 2.19.9): loops whose iterations wait for earlier ones, `ordered(n)` with
// depend(sink: ...) and depend(source).
//
// One bit per iteration of the n loops says that the iteration has reached its depend(source). Rejected: a number per
// chunk, or per iteration of the outermost loop, which would be smaller. Clang's calls do not pass how the iterations
// are divided, and with `collapse` several threads may run iterations of one outermost iteration.
//
//            post    await    safe together?
//   post     yes      yes
//   await             yes
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/iterations/iterations.hpp>
#include <teff/frontends/openmp/core/synchronization/waiters.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace teff::openmp {

class alignas(iteration_space) doacross {
public:
    static constexpr std::uint64_t no_iteration = ~std::uint64_t{0};

    // loops: the values of the loop variables, the outermost loop first. memory: of this size, aligned for this class.
    // A size of 0: there are too many iterations.
    static std::size_t size_for(std::span<const iteration_space> loops) noexcept;
    static doacross& make(void* memory, std::span<const iteration_space> loops) noexcept;

    doacross(const doacross&) = delete;
    doacross& operator=(const doacross&) = delete;

    unsigned loops() const noexcept { return loop_count_; }
    // The number of the iteration in which the variable of loop k has the value value_of(k); no_iteration: there is no
    // such iteration.
    template <class ValueOf>
    std::uint64_t number(const ValueOf& value_of) const noexcept {
        std::uint64_t found = 0;
        for (unsigned each = 0; each < loop_count_; ++each) {
            const iteration_space& loop = spaces()[each];
            const std::uint64_t at = loop.iteration_of(value_of(each));
            if (at >= loop.count)
                return no_iteration;
            found = found * loop.count + at;
        }
        return found;
    }

    unsigned loop_count() const noexcept { return loop_count_; }
    void post(std::uint64_t number) noexcept {
        if (number == no_iteration)
            return;
        if constexpr (events::are_reported)
            sanitizers::always_before(address_of(number));
        // seq_cst: see waiters.hpp; it is also a release: publishes the iteration's writes.
        words()[number / bits].fetch_or(mask(number), std::memory_order_seq_cst);
        waiting_.notify();
    }
    // Does not wait for an iteration that does not exist. The wait ends when is_given_up is set. threads: the number of
    // threads in the team.
    void await(std::uint64_t number, unsigned threads, const atomic<bool>& is_given_up) noexcept {
        if (number == no_iteration)
            return;
        const auto is_posted = [&](std::memory_order order) {
            // relaxed, of the mark: as in progress::await().
            return (words()[number / bits].load(order) & mask(number)) != 0 ||
                   is_given_up.load(std::memory_order_relaxed);
        };
        // acquire: makes that iteration's writes visible; partner: post().
        while (!is_posted(std::memory_order_acquire)) [[unlikely]]
            waiting_.await(is_posted, threads);
        if constexpr (events::are_reported)
            sanitizers::always_after(address_of(number));
    }

private:
    using word = atomic<std::uint64_t>;
    static constexpr std::uint64_t bits = 64;
    static constexpr std::uint64_t mask(std::uint64_t number) noexcept { return std::uint64_t{1} << number % bits; }

    explicit doacross(unsigned loops) noexcept : loop_count_(loops) {}

    // Both arrays lie behind this object.
    iteration_space* spaces() noexcept { return reinterpret_cast<iteration_space*>(this + 1); }
    const iteration_space* spaces() const noexcept { return reinterpret_cast<const iteration_space*>(this + 1); }
    // For ThreadSanitizer: what Archer does not know of. The order is that of eight iterations together.
    const void* address_of(std::uint64_t number) noexcept {
        return reinterpret_cast<const std::byte*>(words()) + number / 8;
    }
    word* words() noexcept { return reinterpret_cast<word*>(spaces() + loop_count_); }

    waiters waiting_;
    const unsigned loop_count_;
};

// Each thread of the team calls it before it begins the outermost loop. The end of that loop ends the doacross loop.
void begin_doacross(place& caller, std::span<const iteration_space> loops) noexcept;

}  // namespace teff::openmp
