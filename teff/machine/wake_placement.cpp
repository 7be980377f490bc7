// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The changes of masks, and how a worker finds out that it began late.
#include <teff/machine/wake_placement.hpp>

#include <teff/base/clock.hpp>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff {
namespace {

// The futex wakes one of the workers whose numbers have the same remainder.
std::uint32_t bits_of(unsigned worker) noexcept { return 1U << worker % 32; }

// A worker that is placed well begins within a tenth of this, and a time slice is longer.
constexpr std::int64_t late_ns = 400'000;
constexpr unsigned wake_ups_after_a_late_one = 64;

}  // namespace

void wake_placement::sleep(unsigned worker, const futex_word& word, std::uint32_t seen) noexcept {
    if (worker >= workers_.capacity) {
        futex_wait(word, seen);
        return;
    }
    const cpu_mask mask = cpu_mask::of_calling_thread();
    workers_.begin_sleep(worker, {static_cast<int>(::syscall(SYS_gettid)), &mask});
    futex_wait_as(word, seen, bits_of(worker));
    workers_.end_sleep(worker, [&](const call& by) { answer(by, mask); });
}

bool wake_placement::wake_one(const void* address) noexcept {
    const unsigned worker = workers_.claim([this](const sleeper& of) { return make_call(of); });
    return worker != workers_.capacity && futex_wake_those(address, 1, bits_of(worker)) != 0;
}

wake_placement::call wake_placement::make_call(const sleeper& of) noexcept {
    call made{monotonic_ns(), false};
    // relaxed, both: a hint.
    const unsigned left = keeps_off_.load(std::memory_order_relaxed);
    if (left == 0)
        return made;
    keeps_off_.store(left - 1, std::memory_order_relaxed);
    const int here = ::sched_getcpu();
    // A worker that is bound to this processor stays there.
    if (of.mask->contains(here) && of.mask->count() > 1) {
        cpu_mask mask = *of.mask;
        mask.remove(here);
        made.has_changed_mask = mask.bind_thread(of.thread);
    }
    return made;
}

void wake_placement::answer(const call& by, const cpu_mask& mask) noexcept {
    if (by.has_changed_mask) {
        // The system refuses if the process may not use these processors any more.
        [[maybe_unused]] const bool restored = mask.bind_calling_thread();
    } else if (monotonic_ns() - by.at_ns > late_ns) {
        // Probably it waited for the processor of the thread that woke it; where it runs by now says nothing.
        keep_off(wake_ups_after_a_late_one);
    }
}

// relaxed: a hint.
void wake_placement::keep_off(unsigned wake_ups) noexcept { keeps_off_.store(wake_ups, std::memory_order_relaxed); }

}  // namespace teff
