// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the waits of fibers for reports; see waits.hpp.
#include <teff/frontends/threads/waits.hpp>

#include <teff/fiber/fiber_stack.hpp>
#include <teff/frontends/threads/fiber_body.hpp>
#include <teff/observe/quiescence.hpp>
#include <teff/observe/stall_report.hpp>
#include <teff/observe/thread_waits.hpp>

#include <new>

namespace teff::threads {

static_assert(sizeof(wait_record) <= stack_record_size);

namespace {

using visitor = bool(const noted_wait& wait, const void* fiber, void* argument) noexcept;

bool find_fiber_wait(visitor* visit, void* argument) noexcept {
    struct call {
        visitor* visit;
        void* argument;
    } made{visit, argument};
    return find_fiber_stack(
        [](const fiber_stack& each, void* given) noexcept {
            const auto wait = noted_wait::of(*static_cast<const wait_record*>(each.record));
            const call& to = *static_cast<const call*>(given);
            return wait && to.visit(*wait, fiber_body::place_on(each), to.argument);
        },
        &made);
}

// All threads are held asleep (quiescence.hpp), so a fiber whose wait is noted is suspended there.
std::size_t calls_of_fiber(const void* fiber, std::span<void*> calls) noexcept {
    return std::launder(static_cast<const fiber_body*>(fiber))->calls(calls);
}

constexpr wait_listener listener{&find_fiber_wait, &calls_of_fiber};

}  // namespace

void make_waits_known() noexcept {
    quiescence& still = process_quiescence();
    if (still.listener() == nullptr) [[unlikely]]
        still.listen(listener);
    know_this_thread();
}

}  // namespace teff::threads
