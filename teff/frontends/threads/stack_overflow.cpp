// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the fiber in whose guard a fault lies, and writes the message; see stack_overflow.hpp.
#include <teff/frontends/threads/stack_overflow.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/bounded_text.hpp>
#include <teff/fiber/stack_guard.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/strand/running_thread.hpp>

#include <cstdint>
#include <pthread.h>
#include <unistd.h>

namespace teff::threads {
namespace {

pthread_once_t faults_watched = PTHREAD_ONCE_INIT;
// Whether the message was written. A program's handler may return after every fault, which would repeat the message.
constinit atomic<bool> is_said{false};

// In a signal handler.
void explain(const void* address) noexcept {
    const strand* const own_strand = running_thread.running;
    if (own_strand == nullptr || own_strand->stack == nullptr || own_strand->stack == &running_thread.stack)
        return;
    const std::uintptr_t lowest = own_strand->stack->low;
    const auto where = reinterpret_cast<std::uintptr_t>(address);
    if (where < lowest && where >= lowest - stack_guard_size)
        tell_of_overflow(own_strand->home->fiber, *own_strand->stack);
}

}  // namespace

constinit thread_local bool watches_for_overflow [[gnu::tls_model("initial-exec")]] = false;

void begin_watch_for_overflow() noexcept {
    watches_for_overflow = true;
    ::pthread_once(&faults_watched, [] { watch_faults(explain); });
    make_signal_stack();
}

void tell_of_overflow(const fiber_state* fiber, const stack_bounds& used_up) noexcept {
    // relaxed: only decides which thread writes the message.
    if (is_said.exchange(true, std::memory_order_relaxed))
        return;
    char storage[256];
    bounded_text line(storage);
    line.add("teff: ");
    if (fiber != nullptr) {
        line.add("fiber ").add(static_cast<long>(fiber->number()));
        if (fiber->name() != nullptr)
            line.add(' ').quote(fiber->name());
        line.add(": ");
    }
    const bool is_own = fiber != nullptr && fiber->bounds().low == used_up.low;
    line.add(is_own ? "its stack, of " : "a stack of with_stack() or of calls that nest deep, of ")
        .add(static_cast<long>((used_up.high - used_up.low) / 1024))
        .add(" KiB, is used up; ")
        .add(is_own ? "give fibers more with TEFF_FIBER_STACK_KIB\n" : "ask with_stack() for more\n");
    // If the write fails, there is no other place for the message.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
}

}  // namespace teff::threads
