// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, checks and gives back the guards; the signal handler, the signal stacks, and the passing on of the signal. See
// stack_guard.hpp.
#include <teff/fiber/stack_guard.hpp>

#include <teff/base/atomic.hpp>
#include <teff/machine/text_file.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <pthread.h>
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

namespace {

// The program's handler runs on this stack, too. Only the pages that were used take memory.
constexpr std::size_t signal_stack_size = 64 * 1024;

// Constant once the handler is installed.
constinit fault_listener listening = nullptr;
constinit struct sigaction handler_before{};

// Frees a thread's signal stack. These destructors run after those of thread_local objects, which may run fibers.
pthread_key_t stack_key;
pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

void pass_on(int number, siginfo_t* what, void* context) noexcept {
    if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
        handler_before.sa_sigaction(number, what, context);
        return;
    }
    if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
        handler_before.sa_handler(number);
        return;
    }
    // When the handler returns, a fault happens again, but a signal that was sent does not. So only a sent signal can
    // be ignored.
    const bool was_sent = what->si_code <= 0;
    if (was_sent && handler_before.sa_handler == SIG_IGN)
        return;
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    ::sigaction(number, &usual, nullptr);
    if (was_sent)
        // The signal is blocked, and so arrives when the handler returns.
        ::raise(number);
}

void handle(int number, siginfo_t* what, void* context) noexcept {
    const int error = errno;
    if (what->si_code > 0)
        listening(what->si_addr);
    errno = error;
    pass_on(number, what, context);
    errno = error;
}

void free_stack(void* memory) noexcept {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(memory, signal_stack_size);
}

}  // namespace

void watch_faults(fault_listener listener) noexcept {
    listening = listener;
    // The old handler is read before it is replaced, since another thread may have a fault in between and needs it.
    ::sigaction(SIGSEGV, nullptr, &handler_before);
    struct sigaction watching = handler_before;
    watching.sa_sigaction = handle;
    watching.sa_flags = (handler_before.sa_flags & (SA_NODEFER | SA_RESTART)) | SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &watching, nullptr);
}

void make_signal_stack() noexcept {
    stack_t present{};
    if (::sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0)
        return;
    ::pthread_once(&stack_key_made, [] { ::pthread_key_create(&stack_key, free_stack); });
    void* const memory = ::mmap(nullptr, signal_stack_size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    // Without a signal stack a stack overflow ends the process without a message.
    if (memory == MAP_FAILED)
        return;
    if (::pthread_setspecific(stack_key, memory) != 0) {
        ::munmap(memory, signal_stack_size);
        return;
    }
    stack_t made{};
    made.ss_sp = memory;
    made.ss_size = signal_stack_size;
    ::sigaltstack(&made, nullptr);
}

}  // namespace teff
