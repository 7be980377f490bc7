// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the stack of a thread; see stack.hpp.
#include <teff/strand/stack.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/strand/running_strand.hpp>

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace teff {

[[gnu::noinline]] strand& find_strand_of_thread() noexcept { return strand_of_thread(); }
namespace {

#if defined(__OPTIMIZE__)
constexpr bool is_optimised = true;
#else
constexpr bool is_optimised = false;
#endif

constexpr std::size_t kib = 1024;
constexpr std::size_t most_reserve = 256 * kib;
constexpr std::size_t most_extension = 8 * kib * kib;

std::size_t least_reserve() noexcept {
    return 32 * kib * (sanitizers::is_program_instrumented() ? 8 : is_optimised ? 1 : 4);
}
std::size_t least_size() noexcept { return 2 * least_reserve(); }

bool is_address_space_limited() noexcept {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Makes the kernel extend the stack by this many bytes.
[[gnu::noinline]] void extend_stack(std::size_t bytes) noexcept {
    static_cast<volatile char*>(__builtin_alloca(bytes))[0] = 0;
}

// The kernel extends the main thread's stack on demand. Under a limit of the address space (`ulimit -v`) it ends the
// process by SIGSEGV if other mappings, such as the workers' stacks, have taken what was left. So the stack is extended
// first: by what it may have, up to 8 MiB, or by the largest half, quarter ... of this for which there is room. Returns
// its new lowest address.
std::uintptr_t extended_stack(std::uintptr_t lowest) noexcept {
    const std::uintptr_t stack_top = stack_pointer();
    const std::size_t most = std::min(stack_top - lowest, most_extension);
    for (std::size_t more = most - std::min(most, most_reserve); more >= least_size(); more /= 2) {
        void* const room = ::mmap(nullptr, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED)
            continue;
        ::munmap(room, more);
        extend_stack(more);
        return stack_top - more;
    }
    return stack_top;
}

// All bounds are 0 if the system does not tell them. The error is not always ENOMEM if there is no memory, so a few
// attempts are made whatever it is.
stack_bounds stack_of_this_thread() noexcept {
    static constinit thread_local int attempts_left = 20;
    pthread_attr_t attributes;
    if (attempts_left == 0)
        return {};
    --attempts_left;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return {};
    void* lowest = nullptr;
    std::size_t size = 0;
    const bool is_known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    ::pthread_attr_destroy(&attributes);
    if (!is_known)
        return {};
    if (::getpid() == ::gettid() && is_address_space_limited()) [[unlikely]] {
        const std::uintptr_t high = reinterpret_cast<std::uintptr_t>(lowest) + size;
        const std::uintptr_t end = extended_stack(reinterpret_cast<std::uintptr_t>(lowest));
        return bounds_of(reinterpret_cast<const void*>(end), high - end);
    }
    return bounds_of(lowest, size);
}

bool has_left(std::size_t bytes) noexcept {
    const stack_bounds& stack = measured_stack();
    const std::uintptr_t stack_top = stack_pointer();
    return stack_top < stack.low || stack_top - stack.low >= bytes;
}
void require_left(std::size_t bytes, const stack_use& by) {
    if (!has_left(bytes)) [[unlikely]]
        throw_stack_exhausted(by);
}

// A collection of libgc, which an allocation may start, took 21 KiB.
std::size_t to_queue() noexcept { return least_reserve() / 8 * 7; }

}  // namespace

[[gnu::noinline]] void throw_stack_exhausted(const stack_use& by) {
    const stack_bounds& stack = measured_stack();
    const std::size_t size = stack.high - stack.low;
    const std::string has = std::to_string(size / kib) + " KiB";
    if (running_strand().fiber == nullptr && size < least_size())
        throw stack_exhausted("teff: the stack of this thread is too small (" + has + "); forks, groups and " +
                              "reductions need a stack of at least " + std::to_string(least_size() / kib) +
                              " KiB; give the thread a larger one, for example with pthread_attr_setstacksize(), or "
                              "call from another thread");
    std::string message = std::string("teff: calls of ") + by.calls + " inside each other have used up their stack (" +
                          has + "); ";
    if (by.goes_on)
        message += "they have also used the further stacks that TEFF_MORE_STACK_MIB allows: set it to a larger number, "
                   "or ";
    message += by.advice;
    message += running_strand().fiber != nullptr
                   ? "; a fiber's stack of its own has the size TEFF_FIBER_STACK_KIB"
                   : "; a thread's stack of its own has the size of `ulimit -s` (KiB) when the program starts, for "
                     "the first thread and for workers alike";
    throw stack_exhausted(message);
}

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

// A strand whose stack is not known yet runs on the thread's own stack, which is measured once. If the measurement
// failed for lack of memory, it is tried again later: a thread that does not know its stack takes no tasks of others.
const stack_bounds& measured_stack() noexcept {
    strand& own_strand = running_strand();
    if (own_strand.stack == nullptr || own_strand.stack->high == 0) [[unlikely]] {
        if (running_thread.stack.high == 0)
            running_thread.stack = stack_of_this_thread();
        own_strand.stack = &running_thread.stack;
    }
    return *own_strand.stack;
}

void require_little_stack(const stack_use& by) { require_left(least_reserve() / 8, by); }
void require_stack_to_leave(const stack_use& by) { require_left(least_reserve() / 4, by); }
void require_stack_to_queue(const stack_use& by) { require_left(to_queue(), by); }
bool has_stack_to_queue() noexcept { return has_left(to_queue()); }

bool is_stack_large_enough() noexcept {
    const stack_bounds& stack = measured_stack();
    return running_strand().fiber != nullptr || stack.high - stack.low >= least_size();
}

void require_stack(const stack_use& by) {
    if (!has_stack()) [[unlikely]]
        throw_stack_exhausted(by);
}

}  // namespace teff
