// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signal handler, the signal stacks, and the passing on of the signal; see fault_watch.hpp.
#include <teff/fiber/fault_watch.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <sys/mman.h>

namespace teff {
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
