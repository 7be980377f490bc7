// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How reports find the waits of fibers; see waits.hpp.
#include <teff/frontends/threads/waits.hpp>

#include <teff/fiber/fiber_stack.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/stall_report.hpp>
#include <teff/runtime/thread_waits.hpp>

namespace teff::threads {

static_assert(sizeof(wait_record) <= stack_record_size);

namespace {

using visitor = bool(const noted_wait& wait, void* argument) noexcept;

bool find_fiber_wait(visitor* visit, void* argument) noexcept {
    struct call {
        visitor* visit;
        void* argument;
    } made{visit, argument};
    return find_stack_record(
        [](void* record, void* given) noexcept {
            const auto wait = noted_wait::of(*static_cast<const wait_record*>(record));
            const call& to = *static_cast<const call*>(given);
            return wait && to.visit(*wait, to.argument);
        },
        &made);
}

constexpr wait_listener listener{&find_fiber_wait};

}  // namespace

void expect_waits() noexcept {
    stillness& still = pool::instance().still();
    if (still.listener() == nullptr) [[unlikely]]
        still.listen(listener);
    know_this_thread();
}

}  // namespace teff::threads
