// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the stack of a thread; see stack.hpp.
#include <teff/runtime/stack.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/runtime/running_strand.hpp>

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <string>

namespace teff {
namespace {

#if defined(__OPTIMIZE__)
constexpr bool is_optimised = true;
#else
constexpr bool is_optimised = false;
#endif

constexpr std::size_t kib = 1024;
constexpr std::size_t most_reserve = 256 * kib;

std::size_t least_reserve() noexcept {
    return 32 * kib * (sanitizers::is_program_instrumented() ? 8 : is_optimised ? 1 : 4);
}
std::size_t least_size() noexcept { return 2 * least_reserve(); }

stack_bounds stack_of_this_thread() noexcept {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return {};
    void* lowest = nullptr;
    std::size_t size = 0;
    const bool is_known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    ::pthread_attr_destroy(&attributes);
    if (!is_known)
        return {};
    return bounds_of(lowest, size);
}

[[noreturn]] [[gnu::noinline]] void throw_exhausted(const stack_bounds& stack) {
    const std::size_t size = stack.high - stack.low;
    const std::string has = std::to_string(size / kib) + " KiB";
    if (running_strand().fiber != nullptr)
        throw stack_exhausted("teff: the stack of this fiber (" + has + ") is used up, or smaller than the " +
                              std::to_string(least_size() / kib) + " KiB that forks, groups and reductions need; set "
                              "TEFF_FIBER_STACK_KIB to a larger number, or fork to a smaller depth");
    if (size < least_size())
        throw stack_exhausted("teff: the stack of this thread is too small (" + has + "); forks, groups and " +
                              "reductions need a stack of at least " + std::to_string(least_size() / kib) +
                              " KiB; give the thread a larger one, for example with pthread_attr_setstacksize(), or "
                              "call from another thread");
    throw stack_exhausted("teff: calls of fork_join inside each other have used up the stack of this thread (" + has +
                          "); a larger one comes with a higher `ulimit -s` (KiB) before the program starts, for "
                          "the first thread and for workers alike; or fork to a smaller depth");
}

}  // namespace

std::size_t least_stack() noexcept { return least_size(); }

stack_bounds bounds_of(const void* lowest, std::size_t size) noexcept {
    const auto low = reinterpret_cast<std::uintptr_t>(lowest);
    const std::uintptr_t high = low + size;
    // A stack that is too small counts as used up everywhere.
    const std::uintptr_t limit =
        size < least_size() ? high : low + std::clamp(size / 8, least_reserve(), most_reserve);
    // The middle of what may be used, so that a task that a waiting thread takes there has room for forks. On a small
    // stack the middle of all would be in the reserve.
    return {.low = low, .limit = limit, .middle = limit + (high - limit) / 2, .high = high};
}

// A strand whose stack is not known yet runs on the thread's own stack, which is measured once.
const stack_bounds& measured_stack() noexcept {
    strand& here = running_strand();
    if (here.stack == nullptr) {
        if (running_thread.stack.high == 0)
            running_thread.stack = stack_of_this_thread();
        here.stack = &running_thread.stack;
    }
    return *here.stack;
}

void expect_little_stack() {
    const std::size_t little = least_reserve() / 8;
    const stack_bounds& stack = measured_stack();
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (here >= stack.low && here - stack.low < little) [[unlikely]]
        throw_exhausted(stack);
}

bool has_stack() noexcept {
    return !measured_stack().is_below_limit(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

void expect_stack() {
    const stack_bounds& stack = measured_stack();
    if (stack.is_below_limit(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))) [[unlikely]]
        throw_exhausted(stack);
}

}  // namespace teff
